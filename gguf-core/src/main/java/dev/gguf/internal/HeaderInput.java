package dev.gguf.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A forward walk over the bytes of a header through one small window, so that a header of any size
/// is read in order and held in constant memory.
///
/// The methods that read a value require the caller to have asked [#remaining()] first; at the end
/// of the bytes they throw [EndOfHeaderException].
public final class HeaderInput {
  private static final int WINDOW = 1 << 17;

  private final ByteSource source;
  private final long size;
  private final ByteBuffer window;
  private long start;
  private int at;
  private int limit;
  private int lengthBytes = 8;

  /// The bytes ended inside a value.
  public static final class EndOfHeaderException extends IOException {
    private static final long serialVersionUID = 1L;

    private EndOfHeaderException(String message) {
      super(message);
    }
  }

  /// Starts at the first byte of the source, little-endian.
  public HeaderInput(ByteSource source) {
    this.source = source;
    this.size = source.size();
    this.window =
        ByteBuffer.allocateDirect(Math.clamp(size, 64, WINDOW)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Sets the byte order of all numbers from here on.
  public void order(ByteOrder order) {
    window.order(order);
  }

  /// Sets the bytes of lengths, counts and dimensions: 8, or 4 in files of version 1.
  public void lengthBytes(int bytes) {
    lengthBytes = bytes;
  }

  /// Returns the bytes of lengths, counts and dimensions.
  public int lengthBytes() {
    return lengthBytes;
  }

  /// Returns the absolute position of the next byte.
  public long position() {
    return start + at;
  }

  /// Returns the bytes left in the source.
  public long remaining() {
    return size - position();
  }

  /// Reads 4 bytes.
  ///
  /// @throws IOException if the bytes end or cannot be read
  public int int32() throws IOException {
    require(4);
    int value = window.getInt(at);
    at += 4;
    return value;
  }

  /// Reads 8 bytes.
  ///
  /// @throws IOException if the bytes end or cannot be read
  public long int64() throws IOException {
    require(8);
    long value = window.getLong(at);
    at += 8;
    return value;
  }

  /// Reads 2 bytes.
  ///
  /// @throws IOException if the bytes end or cannot be read
  public short int16() throws IOException {
    require(2);
    short value = window.getShort(at);
    at += 2;
    return value;
  }

  /// Reads 1 byte.
  ///
  /// @throws IOException if the bytes end or cannot be read
  public byte int8() throws IOException {
    require(1);
    return window.get(at++);
  }

  /// Reads a length, count or dimension: unsigned, of the width of this file's version.
  ///
  /// @throws IOException if the bytes end or cannot be read
  public long length() throws IOException {
    return lengthBytes == 8 ? int64() : Integer.toUnsignedLong(int32());
  }

  /// Reads bytes that the caller has held against [#remaining()].
  ///
  /// @throws IOException if the bytes end or cannot be read
  public byte[] bytes(int count) throws IOException {
    byte[] bytes = new byte[count];
    bytes(bytes, count);
    return bytes;
  }

  /// Reads bytes that the caller has held against [#remaining()] into the start of an array.
  ///
  /// @throws IOException if the bytes end or cannot be read
  public void bytes(byte[] into, int count) throws IOException {
    int done = 0;
    while (done < count) {
      if (at == limit) {
        require(1);
      }
      int part = Math.min(count - done, limit - at);
      window.get(at, into, done, part);
      at += part;
      done += part;
    }
  }

  /// Moves forward without looking; the caller has held the count against [#remaining()].
  public void skip(long count) {
    if (count <= limit - at) {
      at += (int) count;
    } else {
      start = position() + count;
      at = 0;
      limit = 0;
    }
  }

  /// Moves over strings, as long as each one fits into the bytes left.
  ///
  /// @return how many of the strings were passed; where it is fewer than `count`, the position is
  ///   at the length of the one that does not fit
  /// @throws IOException if the bytes cannot be read
  public long skipStrings(long count) throws IOException {
    long done = 0;
    while (done < count) {
      if (limit - at < lengthBytes && !fill(lengthBytes)) {
        return done;
      }
      done += skipStringsInWindow(count - done);
      if (done < count && limit - at >= lengthBytes) {
        long length = lengthBytes == 8 ? window.getLong(at) : window.getInt(at) & 0xffff_ffffL;
        if (length < 0 || length > remaining() - lengthBytes) {
          return done;
        }
        at += lengthBytes;
        skip(length);
        done++;
      }
    }
    return done;
  }

  /// Moves over the strings that lie wholly in the window.
  private long skipStringsInWindow(long count) {
    ByteBuffer bytes = window;
    int i = at;
    int last = limit - lengthBytes;
    long done = 0;
    if (lengthBytes == 8) {
      while (done < count && i <= last) {
        long length = bytes.getLong(i);
        if (length < 0 || length > last - i) {
          break;
        }
        i += 8 + (int) length;
        done++;
      }
    } else {
      while (done < count && i <= last) {
        int length = bytes.getInt(i);
        if (length < 0 || length > last - i) {
          break;
        }
        i += 4 + length;
        done++;
      }
    }
    at = i;
    return done;
  }

  private void require(int count) throws IOException {
    if (limit - at < count && !fill(count)) {
      throw new EndOfHeaderException(
          "the file ends at byte " + size + ", inside a value that starts at byte " + position());
    }
  }

  /// Moves the window so that it starts at the position; false if fewer than `count` bytes are
  /// left.
  private boolean fill(int count) throws IOException {
    start = position();
    at = 0;
    limit = 0;
    if (size - start < count) {
      return false;
    }
    window.clear();
    limit = source.read(start, window);
    return limit >= count;
  }
}
