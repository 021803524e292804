package dev.gguf.verify;

import dev.gguf.Tensor;
import dev.gguf.quant.Dequantizer;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Scans parts of one tensor.
final class RangeScan {
  /// Zeros are told by pages of this size, aligned in the file.
  static final int PAGE = 4096;

  private static final int STEP = 256 * 1024;
  private static final float SMALL = 1e-30f;
  private static final float LARGE = 1e30f;

  private final Tensor tensor;
  private final int blockBytes;
  private final @Nullable Judge judge;
  private final @Nullable Dequantizer norms;
  private final boolean judgesPages;
  private final Tally tally = new Tally();

  RangeScan(Tensor tensor) {
    this.tensor = tensor;
    boolean whole = tensor.hasExactSize() && tensor.type().rowHeaderBytes() == 0;
    this.blockBytes = whole ? tensor.type().blockBytes() : 1;
    this.judge = whole ? Judge.of(tensor.type(), tensor.file().byteOrder()) : null;
    boolean norm = isNorm(tensor.name());
    this.norms =
        norm && whole && tensor.type().isFloat()
            ? Dequantizer.of(tensor.type(), tensor.file().byteOrder()).orElse(null)
            : null;
    this.judgesPages = norm || tensor.type().isQuantized();
  }

  static boolean isNorm(String name) {
    return name.contains("norm") && name.endsWith(".weight");
  }

  /// Returns the bytes that ranges begin at multiples of.
  int blockBytes() {
    return blockBytes;
  }

  Tally tally() {
    return tally;
  }

  /// Scans bytes of the tensor.
  ///
  /// @param source holds the bytes
  /// @param at where they are in the source
  /// @param from where they are in the tensor: a multiple of the block
  /// @param to where they end in the tensor
  /// @param stop asked now and then
  /// @return whether the end was reached
  boolean scan(MemorySegment source, long at, long from, long to, BooleanSupplier stop) {
    int step = Math.max(1, STEP / blockBytes) * blockBytes;
    for (long done = from; done < to; done += step) {
      if (stop.getAsBoolean()) {
        return false;
      }
      int bytes = (int) Math.min(step, to - done);
      step(source, at + (done - from), done, bytes);
      tally.read += bytes;
    }
    return true;
  }

  private void step(MemorySegment source, long at, long from, int bytes) {
    int blocks = bytes / blockBytes;
    if (judge != null && judge.suspects(source, at, blocks)) {
      for (int i = 0; i < blocks; i++) {
        int faults = judge.judge(source, at + (long) i * blockBytes);
        if (faults != Judge.FINE) {
          tally.fault(faults, from / blockBytes + i);
        }
      }
    }
    if (norms != null) {
      norms(norms, source, at, from / blockBytes, blocks);
    }
    // Last, when the bytes are in a cache: a word here and there is the slowest way to fetch them.
    if (!tally.hasContent) {
      tally.hasContent = !isZero(source, at, bytes);
    }
    if (judgesPages) {
      pages(source, at, from, bytes);
    }
  }

  private void norms(Dequantizer values, MemorySegment source, long at, long first, int blocks) {
    float[] weights = new float[blocks];
    values.decode(source, at, blocks, weights, 0);
    for (int i = 0; i < blocks; i++) {
      float size = Math.abs(weights[i]);
      if (size > 0 && size < SMALL || size > LARGE && size < Float.POSITIVE_INFINITY) {
        tally.implausible++;
        tally.firstImplausible = Math.min(tally.firstImplausible, first + i);
      }
    }
  }

  private void pages(MemorySegment source, long at, long from, int bytes) {
    long absolute = tensor.fileOffset() + from;
    // A page belongs to the part that it begins in, and may end in the next.
    long room = source.byteSize() - at - PAGE;
    for (long page = -absolute & PAGE - 1; page < bytes && page <= room; page += PAGE) {
      if (source.get(Judge.LONG, at + page) == 0 && isZero(source, at + page, PAGE)) {
        tally.zeroPages++;
        tally.firstZeroPage = Math.min(tally.firstZeroPage, from + page);
      }
    }
  }

  private static boolean isZero(MemorySegment source, long at, int bytes) {
    int i = 0;
    for (; i + 8 <= bytes; i += 8) {
      if (source.get(Judge.LONG, at + i) != 0) {
        return false;
      }
    }
    for (; i < bytes; i++) {
      if (source.get(java.lang.foreign.ValueLayout.JAVA_BYTE, at + i) != 0) {
        return false;
      }
    }
    return true;
  }
}
