package dev.gguf.quant;

import dev.gguf.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Decodes the plain types, whose elements stand alone.
final class ScalarDequantizer extends Dequantizer {
  /// The loop of one type.
  @FunctionalInterface
  interface Scalar {
    /// Decodes elements of the byte order.
    void decode(
        MemorySegment source, long at, int elements, float[] target, int to, ByteOrder order);
  }

  private static final int STEP = 4096;
  private static final ValueLayout.OfShort LITTLE_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt LITTLE_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LITTLE_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Scalar scalar;

  ScalarDequantizer(TensorType type, ByteOrder order, Scalar scalar) {
    super(type, order);
    this.scalar = scalar;
  }

  @Override
  void decodeInto(
      MemorySegment source, long sourceOffset, int blocks, float[] target, int targetOffset) {
    scalar.decode(source, sourceOffset, blocks, target, targetOffset, byteOrder());
  }

  static void f32(MemorySegment source, long at, int n, float[] target, int to, ByteOrder order) {
    var layout = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(order);
    MemorySegment.copy(source, layout, at, target, to, n);
  }

  static void f16(MemorySegment source, long at, int n, float[] target, int to, ByteOrder order) {
    if (order == ByteOrder.BIG_ENDIAN) {
      swappedF16(source, at, n, target, to);
      return;
    }
    for (int i = 0; i < n; i++) {
      target[to + i] = Float.float16ToFloat(source.get(LITTLE_SHORT, at + 2L * i));
    }
  }

  private static void swappedF16(MemorySegment source, long at, int n, float[] target, int to) {
    for (int i = 0; i < n; i++) {
      short bits = Short.reverseBytes(source.get(LITTLE_SHORT, at + 2L * i));
      target[to + i] = Float.float16ToFloat(bits);
    }
  }

  static void bf16(MemorySegment source, long at, int n, float[] target, int to, ByteOrder order) {
    short[] part = new short[Math.min(STEP, n)];
    MemorySegment bits = MemorySegment.ofArray(target);
    for (int done = 0; done < n; done += STEP) {
      int now = Math.min(STEP, n - done);
      shorts(source, at + 2L * done, part, now, order);
      widen(part, now, bits, 4L * (to + done));
    }
  }

  /// The way by a float, which is exact, is for the compiler: it makes vector instructions of a
  /// conversion from short to float and from float to int, but not of one from short to int.
  private static void widen(short[] from, int n, MemorySegment to, long at) {
    for (int i = 0; i < n; i++) {
      to.set(ValueLayout.JAVA_INT_UNALIGNED, at + 4L * i, (int) (float) from[i] << 16);
    }
  }

  private static void shorts(MemorySegment source, long at, short[] part, int n, ByteOrder order) {
    var layout = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
    MemorySegment.copy(source, layout, at, part, 0, n);
  }

  static void f64(MemorySegment source, long at, int n, float[] target, int to, ByteOrder order) {
    for (int i = 0; i < n; i++) {
      target[to + i] = (float) Double.longBitsToDouble(integer64(source, at + 8L * i, order));
    }
  }

  static void i8(MemorySegment source, long at, int n, float[] target, int to, ByteOrder order) {
    for (int i = 0; i < n; i++) {
      target[to + i] = source.get(ValueLayout.JAVA_BYTE, at + i);
    }
  }

  static void i16(MemorySegment source, long at, int n, float[] target, int to, ByteOrder order) {
    for (int i = 0; i < n; i++) {
      short value = source.get(LITTLE_SHORT, at + 2L * i);
      target[to + i] = order == ByteOrder.BIG_ENDIAN ? Short.reverseBytes(value) : value;
    }
  }

  static void i32(MemorySegment source, long at, int n, float[] target, int to, ByteOrder order) {
    for (int i = 0; i < n; i++) {
      int value = source.get(LITTLE_INT, at + 4L * i);
      target[to + i] = order == ByteOrder.BIG_ENDIAN ? Integer.reverseBytes(value) : value;
    }
  }

  static void i64(MemorySegment source, long at, int n, float[] target, int to, ByteOrder order) {
    for (int i = 0; i < n; i++) {
      target[to + i] = integer64(source, at + 8L * i, order);
    }
  }

  private static long integer64(MemorySegment source, long at, ByteOrder order) {
    long value = source.get(LITTLE_LONG, at);
    return order == ByteOrder.BIG_ENDIAN ? Long.reverseBytes(value) : value;
  }
}
