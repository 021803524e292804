package dev.gguf.internal;

import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/// Compares ranges of two files byte by byte; where both are holes nothing is read.
public final class RangeComparer implements AutoCloseable {
  private static final int STEP = 1 << 20;

  private final LongConsumer compared;
  private final Map<GgufFile, Extents> extents = new HashMap<>();
  private final ByteBuffer left = ByteBuffer.allocateDirect(STEP);
  private final ByteBuffer right = ByteBuffer.allocateDirect(STEP);

  /// Creates a comparer.
  ///
  /// @param compared is told the bytes of every step, holes included
  public RangeComparer(LongConsumer compared) {
    this.compared = compared;
  }

  /// Compares two ranges of the same length.
  ///
  /// @param from absolute byte offset in the file `a`
  /// @param other absolute byte offset in the file `b`
  /// @param length in bytes
  /// @return the distance of the first difference from the start, or -1 if the ranges are equal
  /// @throws GgufException if a file cannot be read, or ends before its range does
  public long mismatch(GgufFile a, long from, GgufFile b, long other, long length)
      throws GgufException {
    Extents ofA = extents(a);
    Extents ofB = extents(b);
    long at = 0;
    while (at < length) {
      long data = Math.min(ofA.nextData(from + at) - from, ofB.nextData(other + at) - other);
      if (data > at) {
        long skipped = Math.min(data, length) - at;
        compared.accept(skipped);
        at += skipped;
        continue;
      }
      int n = (int) Math.min(STEP, length - at);
      fill(a, from + at, left.clear().limit(n));
      fill(b, other + at, right.clear().limit(n));
      int differs = left.flip().mismatch(right.flip());
      if (differs >= 0) {
        return at + differs;
      }
      compared.accept(n);
      at += n;
    }
    return -1;
  }

  private Extents extents(GgufFile file) throws GgufException {
    file.requireData();
    Extents known = extents.get(file);
    if (known == null) {
      try {
        known = Extents.of(file.path());
      } catch (IOException e) {
        throw new GgufException(file.path() + ": cannot be read any more", e);
      }
      if (known.size() != file.size()) {
        known.close();
        known = Extents.allData(file.size());
      }
      extents.put(file, known);
    }
    return known;
  }

  private static void fill(GgufFile file, long position, ByteBuffer into) throws GgufException {
    int wanted = into.remaining();
    int n = file.read(position, into);
    if (n < wanted) {
      throw FileChanges.shrank(file, position + n);
    }
  }

  @Override
  public void close() {
    extents.values().forEach(Extents::close);
    extents.clear();
  }
}
