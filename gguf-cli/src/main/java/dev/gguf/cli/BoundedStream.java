package dev.gguf.cli;

import dev.gguf.HeaderSource;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;

/// What comes out of a decompressor, as long as it can be a header: a crafted file of a few bytes
/// must not be unpacked for hours.
final class BoundedStream extends FilterInputStream {
  /// Above all headers known: a vocabulary of a million tokens takes 50 MB.
  private static final long MOST = 256L << 20;

  /// Headers are names and numbers that hardly repeat; ten to one is much.
  private static final long MOST_RATIO = 100;

  private static final long FREE = 12L << 20;

  private final LongSupplier packed;
  private long unpacked;

  /// Creates a stream.
  ///
  /// @param in the decompressor
  /// @param packed says how many compressed bytes it has taken
  BoundedStream(InputStream in, LongSupplier packed) {
    super(in);
    this.packed = packed;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int n;
    try {
      n = super.read(bytes, offset, length);
    } catch (RuntimeException e) {
      // Decoders meet broken data in many ways.
      throw new IOException("the compressed data is damaged: " + e, e);
    }
    unpacked += Math.max(0, n);
    if (unpacked > MOST) {
      throw new HeaderSource.TooMuchException("no header has more than " + MOST + " bytes");
    }
    if (unpacked > FREE && unpacked / MOST_RATIO > packed.getAsLong()) {
      throw new HeaderSource.TooMuchException(
          unpacked
              + " bytes came out of "
              + packed.getAsLong()
              + ", which no header does; the file is made to fill memory and disks");
    }
    return n;
  }

  @Override
  public long skip(long count) throws IOException {
    long left = count;
    byte[] bytes = new byte[1 << 16];
    while (left > 0) {
      int n = read(bytes, 0, (int) Math.min(bytes.length, left));
      if (n < 0) {
        break;
      }
      left -= n;
    }
    return count - left;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
