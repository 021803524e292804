package dev.gguf.quant;

/// Super-blocks of 256 elements in groups of 16 or 32 with scales of their own: Q2_K to Q6_K, Q8_K.
final class KQuants {
  private static final int BLOCK = 256;

  private KQuants() {}

  static void q2k(byte[] source, int at, int blocks, float[] target, int to) {
    for (int block = 0; block < blocks; block++, at += 84, to += BLOCK) {
      float d = Bytes.half(source, at + 80);
      float min = Bytes.half(source, at + 82);
      for (int group = 0; group < 16; group++) {
        int both = source[at + group];
        float scale = d * (both & 15);
        float m = min * (both >> 4 & 15);
        int bytes = at + 16 + group / 8 * 32 + group % 2 * 16;
        int shift = group % 8 / 2 * 2;
        int first = to + 16 * group;
        for (int i = 0; i < 16; i++) {
          target[first + i] = scale * (source[bytes + i] >> shift & 3) - m;
        }
      }
    }
  }

  static void q3k(byte[] source, int at, int blocks, float[] target, int to) {
    for (int block = 0; block < blocks; block++, at += 110, to += BLOCK) {
      float d = Bytes.half(source, at + 108);
      for (int group = 0; group < 16; group++) {
        float scale = d * (q3kScale(source, at + 96, group) - 32);
        int half = group % 2 * 16;
        int bytes = at + 32 + group / 8 * 32 + half;
        int shift = group % 8 / 2 * 2;
        int first = to + 16 * group;
        for (int i = 0; i < 16; i++) {
          int high = source[at + half + i] >> group / 2 & 1;
          target[first + i] = scale * ((source[bytes + i] >> shift & 3 | high << 2) - 4);
        }
      }
    }
  }

  /// Sixteen scales of six bits: low nibbles in eight bytes, high pairs in four.
  private static int q3kScale(byte[] source, int at, int group) {
    int low = source[at + group % 8] >> group / 8 * 4 & 15;
    int high = source[at + 8 + group % 4] >> group / 4 * 2 & 3;
    return low | high << 4;
  }

  static void q4k(byte[] source, int at, int blocks, float[] target, int to) {
    for (int block = 0; block < blocks; block++, at += 144, to += BLOCK) {
      float d = Bytes.half(source, at);
      float min = Bytes.half(source, at + 2);
      for (int pair = 0; pair < 4; pair++) {
        float scale0 = d * scale(source, at + 4, 2 * pair);
        float min0 = min * minimum(source, at + 4, 2 * pair);
        float scale1 = d * scale(source, at + 4, 2 * pair + 1);
        float min1 = min * minimum(source, at + 4, 2 * pair + 1);
        int bytes = at + 16 + 32 * pair;
        int first = to + 64 * pair;
        for (int i = 0; i < 32; i++) {
          int both = source[bytes + i];
          target[first + i] = scale0 * (both & 15) - min0;
          target[first + 32 + i] = scale1 * (both >> 4 & 15) - min1;
        }
      }
    }
  }

  static void q5k(byte[] source, int at, int blocks, float[] target, int to) {
    for (int block = 0; block < blocks; block++, at += 176, to += BLOCK) {
      float d = Bytes.half(source, at);
      float min = Bytes.half(source, at + 2);
      for (int pair = 0; pair < 4; pair++) {
        float scale0 = d * scale(source, at + 4, 2 * pair);
        float min0 = min * minimum(source, at + 4, 2 * pair);
        float scale1 = d * scale(source, at + 4, 2 * pair + 1);
        float min1 = min * minimum(source, at + 4, 2 * pair + 1);
        int fifths = at + 16;
        int bytes = at + 48 + 32 * pair;
        int first = to + 64 * pair;
        for (int i = 0; i < 32; i++) {
          int both = source[bytes + i];
          int fifth = source[fifths + i] >> 2 * pair;
          target[first + i] = scale0 * (both & 15 | (fifth & 1) << 4) - min0;
          target[first + 32 + i] = scale1 * (both >> 4 & 15 | (fifth & 2) << 3) - min1;
        }
      }
    }
  }

  /// Eight scales and eight minima of six bits in twelve bytes: those of the first four groups
  /// whole, those of the others with their high pairs in the spare bits of the first.
  private static int scale(byte[] source, int at, int group) {
    return group < 4
        ? source[at + group] & 63
        : source[at + group + 4] & 15 | (source[at + group - 4] >> 6 & 3) << 4;
  }

  private static int minimum(byte[] source, int at, int group) {
    return group < 4
        ? source[at + group + 4] & 63
        : source[at + group + 4] >> 4 & 15 | (source[at + group] >> 6 & 3) << 4;
  }

  static void q6k(byte[] source, int at, int blocks, float[] target, int to) {
    for (int block = 0; block < blocks; block++, at += 210, to += BLOCK) {
      float d = Bytes.half(source, at + 208);
      for (int group = 0; group < 16; group++) {
        float scale = d * source[at + 192 + group];
        int quarter = group % 8 / 2;
        int lows = at + group / 8 * 64 + quarter % 2 * 32 + group % 2 * 16;
        int highs = at + 128 + group / 8 * 32 + group % 2 * 16;
        int lowShift = quarter / 2 * 4;
        int highShift = quarter * 2;
        int first = to + 16 * group;
        for (int i = 0; i < 16; i++) {
          int low = source[lows + i] >> lowShift & 15;
          int high = source[highs + i] >> highShift & 3;
          target[first + i] = scale * ((low | high << 4) - 32);
        }
      }
    }
  }

  static void q8k(byte[] source, int at, int blocks, float[] target, int to) {
    for (int block = 0; block < blocks; block++, at += 292, to += BLOCK) {
      float d = Float.intBitsToFloat(Bytes.integer(source, at));
      for (int i = 0; i < BLOCK; i++) {
        target[to + i] = d * source[at + 4 + i];
      }
    }
  }
}
