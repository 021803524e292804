package dev.gguf.quant;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Little-endian numbers at any place of a byte array.
final class Bytes {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Bytes() {}

  static float half(byte[] bytes, int at) {
    return Float.float16ToFloat((short) SHORT.get(bytes, at));
  }

  static int unsignedShort(byte[] bytes, int at) {
    return (short) SHORT.get(bytes, at) & 0xFFFF;
  }

  static int integer(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }
}
