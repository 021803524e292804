package dev.gguf.quant;

/// Blocks of 32 with one scale, and for some a minimum: Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q8_1.
///
/// Four-bit elements are split: element i of the first half is the low nibble of byte i, element i
/// + 16 the high nibble of the same byte.
final class Legacy {
  private static final int BLOCK = 32;
  private static final int HALF = 16;

  private Legacy() {}

  static void q4x0(byte[] source, int at, int blocks, float[] target, int to) {
    for (int block = 0; block < blocks; block++, at += 18, to += BLOCK) {
      float d = Bytes.half(source, at);
      for (int i = 0; i < HALF; i++) {
        int both = source[at + 2 + i];
        target[to + i] = ((both & 15) - 8) * d;
        target[to + HALF + i] = ((both >> 4 & 15) - 8) * d;
      }
    }
  }

  static void q8x0(byte[] source, int at, int blocks, float[] target, int to) {
    for (int block = 0; block < blocks; block++, at += 34, to += BLOCK) {
      float d = Bytes.half(source, at);
      for (int i = 0; i < BLOCK; i++) {
        target[to + i] = source[at + 2 + i] * d;
      }
    }
  }
}
