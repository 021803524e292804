package dev.gguf.mapping.testing;

import dev.gguf.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Stores floats in the types that tests need.
final class TestValues {
  private static final int Q8_BLOCK = 32;

  private TestValues() {}

  static byte[] encode(String name, TensorType type, float[] values, long[] ne) {
    long elements = 1;
    for (long n : ne) {
      elements = Math.multiplyExact(elements, n);
    }
    if (elements != values.length) {
      throw new IllegalArgumentException(
          name + " has dimensions for " + elements + " elements, and " + values.length + " values");
    }
    if (ne.length > 0 && ne[0] % type.blockElements() != 0) {
      throw new IllegalArgumentException(
          name + ": rows of " + ne[0] + " elements are no whole blocks of " + type);
    }
    int blocks = values.length / type.blockElements();
    ByteBuffer bytes =
        ByteBuffer.allocate(blocks * type.blockBytes()).order(ByteOrder.LITTLE_ENDIAN);
    switch (type.name()) {
      case "F32" -> {
        for (float value : values) {
          bytes.putFloat(value);
        }
      }
      case "F16" -> {
        for (float value : values) {
          bytes.putShort(Float.floatToFloat16(value));
        }
      }
      case "BF16" -> {
        for (float value : values) {
          bytes.putShort(bf16(value));
        }
      }
      case "Q8_0" -> {
        for (int block = 0; block < blocks; block++) {
          q8(values, block * Q8_BLOCK, bytes);
        }
      }
      default ->
          throw new IllegalArgumentException(
              name + ": floats are stored as F32, F16, BF16 or Q8_0 here, not as " + type);
    }
    return bytes.array();
  }

  /// Rounds to the nearest, ties to even.
  static short bf16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) (bits >>> 16 | 0x40);
    }
    return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
  }

  /// A block is a scale, the largest size over 127, and a signed byte for each value.
  private static void q8(float[] values, int from, ByteBuffer bytes) {
    float largest = 0;
    for (int i = from; i < from + Q8_BLOCK; i++) {
      largest = Math.max(largest, Math.abs(values[i]));
    }
    float scale = largest / 127;
    bytes.putShort(Float.floatToFloat16(scale));
    for (int i = from; i < from + Q8_BLOCK; i++) {
      bytes.put((byte) (scale == 0 ? 0 : Math.round(values[i] / scale)));
    }
  }
}
