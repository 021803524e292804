package dev.gguf.quant;

/// Blocks whose four-bit elements are places in a table of sixteen values: IQ4_NL, IQ4_XS, MXFP4,
/// NVFP4.
final class TableQuants {
  private static final float[] NON_LINEAR = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
  };

  /// Twice the values of a four-bit float with two bits of exponent; minus zero is zero.
  private static final float[] FLOATS = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

  private static final float[] NVFP4_SCALES = nvfp4Scales();

  private TableQuants() {}

  static void iq4nl(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 18, to += 32) {
      split(source, at + 2, Bytes.half(source, at), NON_LINEAR, target, to);
    }
  }

  static void iq4xs(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 136, to += 256) {
      float d = Bytes.half(source, at);
      int highs = Bytes.unsignedShort(source, at + 2);
      for (int group = 0; group < 8; group++) {
        int low = source[at + 4 + group / 2] >> group % 2 * 4 & 15;
        int scale = (low | (highs >> 2 * group & 3) << 4) - 32;
        split(source, at + 8 + 16 * group, d * scale, NON_LINEAR, target, to + 32 * group);
      }
    }
  }

  static void mxfp4(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 17, to += 32) {
      split(source, at + 1, halvedPower(source[at] & 255), FLOATS, target, to);
    }
  }

  private static void split(byte[] source, int at, float d, float[] table, float[] target, int to) {
    for (int i = 0; i < 16; i++) {
      int both = source[at + i];
      target[to + i] = d * table[both & 15];
      target[to + 16 + i] = d * table[both >> 4 & 15];
    }
  }

  /// Returns 2^(exponent-128), half of what the exponent of an E8M0 scale stands for, since the
  /// table holds doubled values. The two smallest are subnormal floats.
  private static float halvedPower(int exponent) {
    return Float.intBitsToFloat(exponent < 2 ? 0x0020_0000 << exponent : exponent - 1 << 23);
  }

  static void nvfp4(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 36, to += 64) {
      for (int group = 0; group < 4; group++) {
        float d = NVFP4_SCALES[source[at + group] & 255];
        int bytes = at + 4 + 8 * group;
        int first = to + 16 * group;
        for (int i = 0; i < 8; i++) {
          int both = source[bytes + i];
          target[first + i] = d * FLOATS[both & 15];
          target[first + 8 + i] = d * FLOATS[both >> 4 & 15];
        }
      }
    }
  }

  /// Halves of unsigned floats with four bits of exponent and three of mantissa; the highest bit is
  /// not looked at, except that 0x7F alone is the NaN that decodes to zero.
  private static float[] nvfp4Scales() {
    float[] scales = new float[256];
    for (int bits = 0; bits < 256; bits++) {
      int exponent = bits >> 3 & 15;
      int mantissa = bits & 7;
      float value =
          exponent == 0 ? mantissa * 0x1p-9f : Math.scalb(1 + mantissa / 8f, exponent - 7);
      scales[bits] = bits == 0x7F ? 0 : value / 2;
    }
    return scales;
  }
}
