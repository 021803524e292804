package dev.gguf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Walks the bytes of array elements, arrays of arrays among them, without recursion.
final class NestedArrays {
  private NestedArrays() {}

  /// The arrays that a walk is inside of: how many elements each has left.
  private static final class Open {
    private long[] left = new long[8];
    private int depth = -1;

    void enter(long count) {
      depth++;
      if (depth == left.length) {
        left = Arrays.copyOf(left, 2 * depth);
      }
      left[depth] = count;
    }

    /// Takes the next inner array, leaving those that have none; false when all are done.
    boolean next() {
      while (depth >= 0 && left[depth] == 0) {
        depth--;
      }
      if (depth < 0) {
        return false;
      }
      left[depth]--;
      return true;
    }
  }

  /// Returns where each of `count` inner arrays starts in bytes that a reader has already walked
  /// once, and their end.
  static int[] starts(ByteBuffer bytes, int count, int lengthBytes) {
    int[] starts = new int[count + 1];
    int at = 0;
    for (int i = 0; i < count; i++) {
      starts[i] = at;
      at = end(bytes, at, lengthBytes);
    }
    starts[count] = at;
    return starts;
  }

  private static int end(ByteBuffer bytes, int start, int lengthBytes) {
    Open open = new Open();
    open.enter(1);
    int at = start;
    while (open.next()) {
      ValueType type = ValueType.of(bytes.getInt(at)).orElseThrow();
      long count = length(bytes, at + 4, lengthBytes);
      at += 4 + lengthBytes;
      if (type == ValueType.ARRAY) {
        open.enter(count);
      } else if (type == ValueType.STRING) {
        for (long i = 0; i < count; i++) {
          at += lengthBytes + (int) length(bytes, at, lengthBytes);
        }
      } else {
        at += (int) count * type.bytes();
      }
    }
    return at;
  }

  /// Returns the elements in another byte order or with lengths of another width.
  static byte[] recode(
      ByteBuffer source,
      ValueType elementType,
      long count,
      int lengthBytes,
      ByteOrder order,
      int lengthWidth) {
    ByteBuffer in = source.duplicate().order(source.order()).rewind();
    ByteArrayOutputStream out = new ByteArrayOutputStream(in.remaining());
    ByteBuffer number = ByteBuffer.allocate(8).order(order);
    if (elementType != ValueType.ARRAY) {
      recodeElements(in, elementType, count, lengthBytes, number, lengthWidth, out);
      return out.toByteArray();
    }
    Open open = new Open();
    open.enter(count);
    while (open.next()) {
      int id = in.getInt();
      ValueType type = ValueType.of(id).orElseThrow();
      long inner = nextLength(in, lengthBytes);
      put(out, number, id, 4);
      put(out, number, inner, lengthWidth);
      if (type == ValueType.ARRAY) {
        open.enter(inner);
      } else {
        recodeElements(in, type, inner, lengthBytes, number, lengthWidth, out);
      }
    }
    return out.toByteArray();
  }

  private static void recodeElements(
      ByteBuffer in,
      ValueType type,
      long count,
      int lengthBytes,
      ByteBuffer number,
      int lengthWidth,
      ByteArrayOutputStream out) {
    for (long i = 0; i < count; i++) {
      switch (type.bytes()) {
        case 0 -> {
          byte[] text = new byte[(int) nextLength(in, lengthBytes)];
          in.get(text);
          put(out, number, text.length, lengthWidth);
          out.writeBytes(text);
        }
        case 1 -> out.write(in.get());
        case 2 -> put(out, number, in.getShort(), 2);
        case 4 -> put(out, number, in.getInt(), 4);
        default -> put(out, number, in.getLong(), 8);
      }
    }
  }

  private static void put(ByteArrayOutputStream out, ByteBuffer number, long value, int width) {
    switch (width) {
      case 2 -> number.putShort(0, (short) value);
      case 4 -> number.putInt(0, (int) value);
      default -> number.putLong(0, value);
    }
    for (int i = 0; i < width; i++) {
      out.write(number.get(i));
    }
  }

  private static long nextLength(ByteBuffer in, int lengthBytes) {
    long length = length(in, in.position(), lengthBytes);
    in.position(in.position() + lengthBytes);
    return length;
  }

  private static long length(ByteBuffer bytes, int at, int lengthBytes) {
    return lengthBytes == 8 ? bytes.getLong(at) : bytes.getInt(at) & 0xffff_ffffL;
  }
}
