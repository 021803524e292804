package dev.gguf.quant;

/// Blocks whose four-bit elements stand for one of sixteen values: IQ4_NL, IQ4_XS, MXFP4, NVFP4.
final class TableQuants {
  private static final float[] NON_LINEAR = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
  };

  private static final short[] NVFP4_SCALES = nvfp4Scales();

  private TableQuants() {}

  static void iq4nl(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 18, to += 32) {
      split(source, at + 2, Bytes.half(source, at), target, to);
    }
  }

  static void iq4xs(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 136, to += 256) {
      float d = Bytes.half(source, at);
      int highs = Bytes.unsignedShort(source, at + 2);
      for (int group = 0; group < 8; group++) {
        int low = source[at + 4 + group / 2] >> group % 2 * 4 & 15;
        int scale = (low | (highs >> 2 * group & 3) << 4) - 32;
        split(source, at + 8 + 16 * group, d * scale, target, to + 32 * group);
      }
    }
  }

  private static void split(byte[] source, int at, float d, float[] target, int to) {
    for (int i = 0; i < 16; i++) {
      int both = source[at + i];
      target[to + i] = d * NON_LINEAR[both & 15];
      target[to + 16 + i] = d * NON_LINEAR[both >> 4 & 15];
    }
  }

  static void mxfp4(byte[] source, int blocks, Planes planes) {
    for (int block = 0, at = 0, to = 0; block < blocks; block++, at += 17, to += 32) {
      planes.power(to, halvedPower(source[at] & 255));
      for (int i = 0; i < 16; i += 8) {
        long both = Bytes.eight(source, at + 1 + i);
        planes.quants(to + i, Bytes.bits(both, 0, 15));
        planes.quants(to + 16 + i, Bytes.bits(both, 4, 15));
      }
    }
    planes.floats(32 * blocks);
  }

  static void nvfp4(byte[] source, int blocks, Planes planes) {
    for (int block = 0, at = 0, to = 0; block < blocks; block++, at += 36, to += 64) {
      for (int group = 0; group < 4; group++) {
        int first = to + 16 * group;
        planes.factor(first, 16, NVFP4_SCALES[source[at + group] & 255]);
        long both = Bytes.eight(source, at + 4 + 8 * group);
        planes.quants(first, Bytes.bits(both, 0, 15));
        planes.quants(first + 8, Bytes.bits(both, 4, 15));
      }
    }
    planes.floats(64 * blocks);
  }

  /// Returns the upper half of the bits of the float 2^(exponent-128), half of what the exponent of
  /// an E8M0 scale stands for, since the elements are doubled. The two smallest are subnormal.
  private static short halvedPower(int exponent) {
    return (short) (exponent < 2 ? 0x20 << exponent : exponent - 1 << 7);
  }

  /// Half-precision bits of the halves of unsigned floats with four bits of exponent and three of
  /// mantissa; the highest bit is not looked at, except that 0x7F alone is the NaN that decodes to
  /// zero.
  private static short[] nvfp4Scales() {
    short[] scales = new short[256];
    for (int bits = 0; bits < 256; bits++) {
      int exponent = bits >> 3 & 15;
      int mantissa = bits & 7;
      float value =
          exponent == 0 ? mantissa * 0x1p-9f : Math.scalb(1 + mantissa / 8f, exponent - 7);
      scales[bits] = bits == 0x7F ? 0 : Float.floatToFloat16(value / 2);
    }
    return scales;
  }
}
