package dev.gguf.mapping;

import dev.gguf.GgufException;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// MXFP4 blocks of a tensor as the two parameters of a gpt-oss checkpoint: packed values
/// (`…_blocks`, 16 bytes a block) and scales (`…_scales`, one byte a block).
///
/// A block of the tensor is a scale and 16 bytes, of which byte j has element j in its lower and
/// element j + 16 in its upper half; the checkpoint's bytes have neighbours, elements 2 j and 2 j +
/// 1. The values given are the bytes, 0 to 255. Rows of several tensors, gate and up, alternate.
record Repacked(List<MemorySegment> tensors, long rowBlocks, boolean scales, Path file)
    implements ValueSource {
  private static final int BLOCK_BYTES = 17;

  static ValueSource of(MappedTensors entry, String name, long elements) throws GgufException {
    boolean scales = name.endsWith("_scales");
    if (!scales && !name.endsWith("_blocks")) {
      throw ParameterValues.mismatch(entry, name, "only …_blocks and …_scales are packed");
    }
    List<MemorySegment> tensors = new ArrayList<>();
    long rowBlocks = entry.sources().getFirst().ne(0) / 32;
    long blocks = 0;
    for (Tensor tensor : entry.sources()) {
      if (!tensor.type().equals(TensorType.MXFP4)) {
        throw ParameterValues.mismatch(entry, name, tensor.name() + " is " + tensor.type());
      }
      if (tensor.ne(0) / 32 != rowBlocks) {
        throw ParameterValues.mismatch(entry, name, "their rows differ in length");
      }
      tensors.add(tensor.data());
      blocks += tensor.elements() / 32;
    }
    if (blocks * (scales ? 1 : 16) != elements) {
      throw ParameterValues.mismatch(
          entry, name, blocks + " blocks make no " + elements + " bytes");
    }
    return new Repacked(tensors, rowBlocks, scales, entry.sources().getFirst().file().path());
  }

  /// Returns the order of rows that alternate between tensors.
  static RowOrder order(long count, int tensors) {
    return new RowOrder() {
      @Override
      public long count() {
        return count;
      }

      @Override
      public int source(long row) {
        return (int) (row % tensors);
      }

      @Override
      public long sourceRow(long row) {
        return row / tensors;
      }
    };
  }

  @Override
  public void read(long from, int count, float[] into, int at) throws GgufException {
    try {
      for (int i = 0; i < count; i++) {
        into[at + i] = scales ? block(from + i, 0) : packed(from + i);
      }
    } catch (InternalError e) {
      // The JVM's answer to reading a mapped page that the file no longer has.
      throw new GgufException(file + ": the file shrank while it was read", e);
    }
  }

  /// Returns a byte of the block with this number in the parameter.
  private int block(long number, int offset) {
    long row = number / rowBlocks;
    MemorySegment tensor = tensors.get((int) (row % tensors.size()));
    long stored = row / tensors.size() * rowBlocks + number % rowBlocks;
    return tensor.get(ValueLayout.JAVA_BYTE, stored * BLOCK_BYTES + offset) & 0xff;
  }

  private int packed(long element) {
    long number = element / 16;
    int pair = (int) (element % 16);
    // Elements 2 pair and 2 pair + 1: both in the lower halves, or both in the upper ones.
    int first = 1 + 2 * pair % 16;
    int shift = pair < 8 ? 0 : 4;
    int even = block(number, first) >> shift & 15;
    int odd = block(number, first + 1) >> shift & 15;
    return even | odd << 4;
  }
}
