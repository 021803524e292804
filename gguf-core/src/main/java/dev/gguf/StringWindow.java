package dev.gguf;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A forward walk over the strings of an array through one small window.
final class StringWindow {
  private static final int WINDOW = 1 << 16;

  private final MetadataArray.Source source;
  private final long size;
  private final int lengthBytes;
  private byte[] bytes;
  private ByteBuffer numbers;
  private long next;
  private int at;
  private int limit;

  StringWindow(MetadataArray.Source source, long size, int lengthBytes, ByteOrder order) {
    this.source = source;
    this.size = size;
    this.lengthBytes = lengthBytes;
    this.bytes = new byte[(int) Math.min(WINDOW, size)];
    this.numbers = ByteBuffer.wrap(bytes).order(order);
  }

  void visit(String key, long count, MetadataArray.StringVisitor visitor) {
    int done = 0;
    while (done < count) {
      done = inWindow(done, count, visitor);
      if (done < count) {
        refill(key, done);
      }
    }
  }

  /// Visits the strings that lie wholly in the window, and returns how many are done.
  private int inWindow(int done, long count, MetadataArray.StringVisitor visitor) {
    int i = done;
    int from = at;
    int last = limit - lengthBytes;
    while (i < count && from <= last) {
      long length = lengthBytes == 8 ? numbers.getLong(from) : numbers.getInt(from) & 0xffff_ffffL;
      if (length < 0 || length > last - from) {
        break;
      }
      visitor.accept(i, bytes, from + lengthBytes, (int) length);
      from += lengthBytes + (int) length;
      i++;
    }
    at = from;
    return i;
  }

  /// Moves what is left to the start of the window and fills it, larger if the next string needs
  /// it.
  private void refill(String key, int index) {
    int left = limit - at;
    long needed = lengthBytes;
    if (left >= lengthBytes) {
      long length = lengthBytes == 8 ? numbers.getLong(at) : numbers.getInt(at) & 0xffff_ffffL;
      if (length < 0 || length > size - lengthBytes) {
        throw changed(key, index);
      }
      needed += length;
    }
    if (needed - left > size - next || needed > Integer.MAX_VALUE - 16) {
      throw changed(key, index);
    }
    if (needed > bytes.length) {
      byte[] larger = new byte[(int) needed];
      System.arraycopy(bytes, at, larger, 0, left);
      bytes = larger;
      numbers = ByteBuffer.wrap(larger).order(numbers.order());
    } else {
      System.arraycopy(bytes, at, bytes, 0, left);
    }
    int more = (int) Math.min(bytes.length - left, size - next);
    source.read(next, bytes, left, more);
    next += more;
    at = 0;
    limit = left + more;
  }

  /// Lengths were held against the bytes when the header was read, so other ones are new.
  static UncheckedIOException changed(String key, long index) {
    return new UncheckedIOException(
        new GgufFormatException(
            Finding.of(
                    FileRule.FILE_CHANGED,
                    "the file changed while it was read: element "
                        + index
                        + " of "
                        + key
                        + " has another length than before")
                .about(Subject.key(key))));
  }
}
