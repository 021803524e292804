package dev.gguf.write;

import dev.gguf.ValueType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/// A header under construction. Large values stay in arrays of their own, so that a header of many
/// megabytes is in memory once.
final class HeaderBytes {
  private static final int PART = 1 << 16;

  private final boolean narrow;
  private final ByteOrder order;
  private final List<ByteBuffer> parts = new ArrayList<>();
  private ByteBuffer last;
  private long size;

  /// Starts an empty header.
  ///
  /// @param lengthBytes bytes of lengths, counts and dimensions: 8, or 4 in version 1
  HeaderBytes(int lengthBytes, ByteOrder order) {
    this.narrow = lengthBytes == 4;
    this.order = order;
    this.last = part(PART);
  }

  private ByteBuffer part(int bytes) {
    ByteBuffer part = ByteBuffer.allocate(bytes).order(order);
    parts.add(part);
    return part;
  }

  long size() {
    return size;
  }

  void number(long value, ValueType type) {
    switch (type.bytes()) {
      case 1 -> room(1).put((byte) value);
      case 2 -> room(2).putShort((short) value);
      case 4 -> int32((int) value);
      default -> int64(value);
    }
  }

  void int32(int value) {
    room(4).putInt(value);
  }

  void int64(long value) {
    room(8).putLong(value);
  }

  void length(long value) {
    if (narrow) {
      int32((int) value);
    } else {
      int64(value);
    }
  }

  void string(byte[] text) {
    length(text.length);
    bytes(text);
  }

  /// Appends bytes. A large array is not copied and must not be changed afterwards.
  void bytes(byte[] bytes) {
    if (bytes.length <= PART) {
      room(bytes.length).put(bytes);
      return;
    }
    ByteBuffer whole = ByteBuffer.wrap(bytes);
    whole.position(bytes.length);
    parts.add(whole);
    size += bytes.length;
    last = part(PART);
  }

  private ByteBuffer room(int bytes) {
    if (last.remaining() < bytes) {
      last = part(Math.max(PART, bytes));
    }
    size += bytes;
    return last;
  }

  /// Returns all bytes in one array.
  byte[] toArray() {
    ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(size));
    for (ByteBuffer part : parts) {
      all.put(part.duplicate().flip());
    }
    return all.array();
  }

  /// Writes the header at the start of a channel.
  void writeTo(FileChannel channel) throws IOException {
    long at = 0;
    for (ByteBuffer part : parts) {
      ByteBuffer rest = part.duplicate().flip();
      while (rest.hasRemaining()) {
        at += channel.write(rest, at);
      }
    }
  }

  /// Returns the first position at which a channel's start differs from the header, or -1.
  long mismatch(FileChannel channel) throws IOException {
    long at = 0;
    for (ByteBuffer part : parts) {
      ByteBuffer wanted = part.duplicate().flip();
      ByteBuffer found = ByteBuffer.allocate(wanted.remaining());
      int n = 0;
      while (n >= 0 && found.hasRemaining()) {
        n = channel.read(found, at + found.position());
      }
      int differs = wanted.mismatch(found.flip());
      if (differs >= 0) {
        return at + differs;
      }
      at += wanted.remaining();
    }
    return -1;
  }
}
