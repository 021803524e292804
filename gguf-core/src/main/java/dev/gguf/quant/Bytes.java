package dev.gguf.quant;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Little-endian numbers at any place of a byte array, and arithmetic on the eight bytes of a long
/// at once.
final class Bytes {
  /// One in each of eight bytes.
  static final long EACH = 0x0101_0101_0101_0101L;

  /// The highest bit of each of eight bytes.
  private static final long HIGHEST = 0x8080_8080_8080_8080L;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Bytes() {}

  static float half(byte[] bytes, int at) {
    return Float.float16ToFloat(halfBits(bytes, at));
  }

  static short halfBits(byte[] bytes, int at) {
    return (short) SHORT.get(bytes, at);
  }

  static int unsignedShort(byte[] bytes, int at) {
    return (short) SHORT.get(bytes, at) & 0xFFFF;
  }

  static int integer(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  /// Returns eight bytes, the first lowest.
  static long eight(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  static void setEight(byte[] bytes, int at, long eight) {
    LONG.set(bytes, at, eight);
  }

  /// Returns some bits of each of eight bytes.
  ///
  /// @param shift number of the lowest bit taken
  /// @param mask which bits of the shifted byte are taken, no more than `255 >> shift`
  static long bits(long eight, int shift, int mask) {
    return eight >>> shift & mask * EACH;
  }

  /// Takes a number from each of eight bytes that are below 128; the differences are signed bytes.
  static long minus(long eight, int number) {
    return (eight | HIGHEST) - number * EACH ^ HIGHEST;
  }
}
