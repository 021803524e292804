package dev.gguf.write;

import dev.gguf.GgufFile;
import dev.gguf.internal.Extents;
import dev.gguf.internal.FileChanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Copies ranges of files into new files: data by the operating system, holes by leaving them out.
final class RangeCopier implements AutoCloseable {
  /// Small enough for progress to be seen and an interruption to be felt.
  private static final long STEP = 64L << 20;

  private static final int LOOK = 1 << 16;
  private static final int MAX_LOOKS = 16;

  private final LongConsumer copied;
  private @Nullable GgufFile asked;
  private @Nullable Extents extents;

  /// Creates a copier.
  ///
  /// @param copied is told the bytes of every step, holes included
  RangeCopier(LongConsumer copied) {
    this.copied = copied;
  }

  /// Copies a range; the target must not have been written to there.
  ///
  /// @param from absolute byte offset, inclusive
  /// @param to absolute byte offset, exclusive
  /// @param target absolute byte offset in the channel
  /// @throws IOException if reading or writing fails, or the file ends before the range does
  void copy(GgufFile file, long from, long to, FileChannel channel, long target)
      throws IOException {
    Extents known = extents(file);
    long at = from;
    while (at < to) {
      long data = Math.min(to, known.nextData(at));
      long end = Math.min(to, known.nextHole(data));
      // Blocks at the border of a hole are often half filled; what is zero in them would take new
      // blocks in the target, where the borders of blocks lie elsewhere.
      long first = data > at ? skipZeros(file, data, end) : data;
      long last = end < to ? skipZerosBack(file, first, end) : end;
      data(file, first, last, channel, target + first - from);
      copied.accept(end - at - (last - first));
      at = end;
    }
  }

  /// Returns how many bytes of a range would take disk space.
  long dataBytes(GgufFile file, long from, long to) throws IOException {
    return extents(file).dataBytes(from, to);
  }

  private Extents extents(GgufFile file) throws IOException {
    file.requireData();
    Extents known = extents;
    if (known != null && asked == file) {
      return known;
    }
    close();
    known = Extents.of(file.path());
    if (known.size() != file.size()) {
      // Another file has taken the path since; what it says about holes is not about this one.
      known.close();
      known = Extents.allData(file.size());
    }
    asked = file;
    extents = known;
    return known;
  }

  private void data(GgufFile file, long from, long to, FileChannel channel, long target)
      throws IOException {
    long at = from;
    channel.position(target);
    while (at < to) {
      long n = file.transferTo(at, Math.min(STEP, to - at), channel);
      if (n <= 0) {
        throw FileChanges.shrank(file, at);
      }
      at += n;
      copied.accept(n);
    }
  }

  private static long skipZeros(GgufFile file, long from, long to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LOOK);
    long at = from;
    for (int i = 0; i < MAX_LOOKS && at < to; i++) {
      int zeros = 0;
      int n = look(file, at, to, bytes);
      while (zeros < n && bytes.get(zeros) == 0) {
        zeros++;
      }
      at += zeros;
      if (zeros < n) {
        break;
      }
    }
    return at;
  }

  private static long skipZerosBack(GgufFile file, long from, long to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LOOK);
    long end = to;
    for (int i = 0; i < MAX_LOOKS && end > from; i++) {
      long start = Math.max(from, end - LOOK);
      int n = look(file, start, end, bytes);
      while (n > 0 && bytes.get(n - 1) == 0) {
        n--;
      }
      end = start + n;
      if (n > 0) {
        break;
      }
    }
    return end;
  }

  private static int look(GgufFile file, long from, long to, ByteBuffer bytes) throws IOException {
    bytes.clear().limit((int) Math.min(LOOK, to - from));
    int n = file.read(from, bytes);
    if (n == 0) {
      throw FileChanges.shrank(file, from);
    }
    return n;
  }

  @Override
  public void close() {
    if (extents != null) {
      extents.close();
      extents = null;
      asked = null;
    }
  }
}
