package dev.gguf.mapping.checkpoint;

/// The values of all bytes of the 8-bit float formats.
final class Float8 {
  private static final float[] E4M3 = new float[256];
  private static final float[] E5M2 = new float[256];
  private static final float[] E8M0 = new float[256];

  static {
    for (int bits = 0; bits < 256; bits++) {
      E4M3[bits] = e4m3(bits);
      // E5M2 is the upper half of an IEEE half float.
      E5M2[bits] = Float.float16ToFloat((short) (bits << 8));
      E8M0[bits] = bits == 255 ? Float.NaN : (float) Math.scalb(1.0, bits - 127);
    }
  }

  private Float8() {}

  static float[] table(Dtype dtype) {
    return switch (dtype) {
      case F8_E4M3 -> E4M3;
      case F8_E5M2 -> E5M2;
      case F8_E8M0 -> E8M0;
      default -> throw new IllegalArgumentException(dtype + " is no 8-bit float");
    };
  }

  private static float e4m3(int bits) {
    int exponent = bits >> 3 & 15;
    int mantissa = bits & 7;
    float size;
    if ((bits & 0x7f) == 0x7f) {
      size = Float.NaN;
    } else if (exponent == 0) {
      size = Math.scalb((float) mantissa, -9);
    } else {
      size = Math.scalb((float) (8 + mantissa), exponent - 10);
    }
    return (bits & 0x80) == 0 ? size : -size;
  }
}
