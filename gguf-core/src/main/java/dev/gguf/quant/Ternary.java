package dev.gguf.quant;

/// Super-blocks of 256 elements that are -1, 0 or 1 times one scale: TQ1_0, TQ2_0.
final class Ternary {
  private static final int BLOCK = 256;
  private static final int[] POWERS = {1, 3, 9, 27, 81};

  private Ternary() {}

  static void tq1x0(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 54, to += BLOCK) {
      float d = Bytes.half(source, at + 52);
      digits(source, at, 32, 5, d, target, to);
      digits(source, at + 32, 16, 5, d, target, to + 160);
      digits(source, at + 48, 4, 4, d, target, to + 240);
    }
  }

  /// A byte is a fixed-point fraction whose first base-3 digits are the elements: a digit is what
  /// multiplying by three carries out of the byte.
  private static void digits(
      byte[] source, int at, int bytes, int digits, float d, float[] target, int to) {
    for (int n = 0; n < digits; n++) {
      for (int i = 0; i < bytes; i++) {
        int fraction = source[at + i] * POWERS[n] & 255;
        target[to + n * bytes + i] = ((fraction * 3 >> 8) - 1) * d;
      }
    }
  }

  static void tq2x0(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 66, to += BLOCK) {
      float d = Bytes.half(source, at + 64);
      for (int part = 0; part < 8; part++) {
        int bytes = at + part / 4 * 32;
        int first = to + 32 * part;
        int shift = part % 4 * 2;
        for (int i = 0; i < 32; i++) {
          target[first + i] = ((source[bytes + i] >> shift & 3) - 1) * d;
        }
      }
    }
  }
}
