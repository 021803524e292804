package dev.gguf.quant;

/// Blocks with one scale, and for some a minimum: Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q8_1 of 32
/// elements, Q1_0 of 128 and Q2_0 of 64.
///
/// Four-bit elements are split: element i of the first half is the low nibble of byte i, element i
/// + 16 the high nibble of the same byte.
final class Legacy {
  private static final int BLOCK = 32;
  private static final int HALF = 16;

  private Legacy() {}

  static void q4x0(byte[] source, int blocks, Planes planes) {
    for (int block = 0, at = 0, to = 0; block < blocks; block++, at += 18, to += BLOCK) {
      planes.factor(to, BLOCK, Bytes.halfBits(source, at));
      for (int i = 0; i < HALF; i += 8) {
        long both = Bytes.eight(source, at + 2 + i);
        planes.quants(to + i, Bytes.minus(Bytes.bits(both, 0, 15), 8));
        planes.quants(to + HALF + i, Bytes.minus(Bytes.bits(both, 4, 15), 8));
      }
    }
  }

  static void q4x1(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 20, to += BLOCK) {
      float d = Bytes.half(source, at);
      float m = Bytes.half(source, at + 2);
      for (int i = 0; i < HALF; i++) {
        int both = source[at + 4 + i];
        target[to + i] = (both & 15) * d + m;
        target[to + HALF + i] = (both >> 4 & 15) * d + m;
      }
    }
  }

  static void q5x0(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 22, to += BLOCK) {
      float d = Bytes.half(source, at);
      int fifth = Bytes.integer(source, at + 2);
      for (int i = 0; i < HALF; i++) {
        int both = source[at + 6 + i];
        target[to + i] = ((both & 15 | (fifth >>> i & 1) << 4) - 16) * d;
        target[to + HALF + i] = ((both >> 4 & 15 | (fifth >>> HALF + i & 1) << 4) - 16) * d;
      }
    }
  }

  static void q5x1(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 24, to += BLOCK) {
      float d = Bytes.half(source, at);
      float m = Bytes.half(source, at + 2);
      int fifth = Bytes.integer(source, at + 4);
      for (int i = 0; i < HALF; i++) {
        int both = source[at + 8 + i];
        target[to + i] = (both & 15 | (fifth >>> i & 1) << 4) * d + m;
        target[to + HALF + i] = (both >> 4 & 15 | (fifth >>> HALF + i & 1) << 4) * d + m;
      }
    }
  }

  static void q8x0(byte[] source, int blocks, Planes planes) {
    for (int block = 0, at = 0, to = 0; block < blocks; block++, at += 34, to += BLOCK) {
      planes.factor(to, BLOCK, Bytes.halfBits(source, at));
      for (int i = 0; i < BLOCK; i += 8) {
        planes.quants(to + i, Bytes.eight(source, at + 2 + i));
      }
    }
  }

  /// The second of the two numbers before the elements is a sum for dot products, not part of the
  /// values.
  static void q8x1(byte[] source, int blocks, Planes planes) {
    for (int block = 0, at = 0, to = 0; block < blocks; block++, at += 36, to += BLOCK) {
      planes.factor(to, BLOCK, Bytes.halfBits(source, at));
      for (int i = 0; i < BLOCK; i += 8) {
        planes.quants(to + i, Bytes.eight(source, at + 4 + i));
      }
    }
  }

  static void q1x0(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 18, to += 128) {
      float d = Bytes.half(source, at);
      for (int i = 0; i < 128; i += 8) {
        int bits = source[at + 2 + i / 8];
        for (int k = 0; k < 8; k++) {
          target[to + i + k] = (bits >> k & 1) == 0 ? -d : d;
        }
      }
    }
  }

  static void q2x0(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 18, to += 64) {
      float d = Bytes.half(source, at);
      for (int i = 0; i < 64; i++) {
        target[to + i] = ((source[at + 2 + i / 4] >> i % 4 * 2 & 3) - 1) * d;
      }
    }
  }
}
