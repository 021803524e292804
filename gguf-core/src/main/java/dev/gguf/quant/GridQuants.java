package dev.gguf.quant;

/// Super-blocks of 256 elements that come in fours or eights from a [Grid]: IQ1_S to IQ3_S.
final class GridQuants {
  private static final int BLOCK = 256;

  private GridQuants() {}

  static void iq2xxs(byte[] source, int blocks, float[] target, int to) {
    float[] grid = Grid.IQ2_XXS.elements();
    for (int block = 0, at = 0; block < blocks; block++, at += 66, to += BLOCK) {
      float d = Bytes.half(source, at);
      for (int group = 0; group < 8; group++) {
        int entries = at + 2 + 8 * group;
        int word = Bytes.integer(source, entries + 4);
        float scale = d * (0.5f + (word >>> 28)) * 0.25f;
        for (int l = 0; l < 4; l++) {
          int signs = Signs.even(word >>> 7 * l & 127);
          int entry = source[entries + l] & 255;
          eight(grid, 8 * entry, scale, signs, target, to + 32 * group + 8 * l);
        }
      }
    }
  }

  static void iq2xs(byte[] source, int blocks, float[] target, int to) {
    float[] grid = Grid.IQ2_XS.elements();
    for (int block = 0, at = 0; block < blocks; block++, at += 74, to += BLOCK) {
      float d = Bytes.half(source, at);
      for (int k = 0; k < 32; k++) {
        int word = Bytes.unsignedShort(source, at + 2 + 2 * k);
        float scale = iq2Scale(d, source[at + 66 + k / 4], k);
        eight(grid, 8 * (word & 511), scale, Signs.even(word >>> 9), target, to + 8 * k);
      }
    }
  }

  static void iq2s(byte[] source, int blocks, float[] target, int to) {
    float[] grid = Grid.IQ2_S.elements();
    for (int block = 0, at = 0; block < blocks; block++, at += 82, to += BLOCK) {
      float d = Bytes.half(source, at);
      for (int k = 0; k < 32; k++) {
        int high = source[at + 66 + k / 4] >> k % 4 * 2 & 3;
        int entry = source[at + 2 + k] & 255 | high << 8;
        float scale = iq2Scale(d, source[at + 74 + k / 4], k);
        eight(grid, 8 * entry, scale, source[at + 34 + k] & 255, target, to + 8 * k);
      }
    }
  }

  private static float iq2Scale(float d, int both, int k) {
    return d * (0.5f + (both >> k % 4 / 2 * 4 & 15)) * 0.25f;
  }

  static void iq3xxs(byte[] source, int blocks, float[] target, int to) {
    float[] grid = Grid.IQ3_XXS.elements();
    for (int block = 0, at = 0; block < blocks; block++, at += 98, to += BLOCK) {
      float d = Bytes.half(source, at);
      for (int group = 0; group < 8; group++) {
        int word = Bytes.integer(source, at + 66 + 4 * group);
        float scale = d * (0.5f + (word >>> 28)) * 0.5f;
        for (int l = 0; l < 4; l++) {
          int signs = Signs.even(word >>> 7 * l & 127);
          int entries = at + 2 + 8 * group + 2 * l;
          int first = to + 32 * group + 8 * l;
          four(grid, 4 * (source[entries] & 255), scale, 8 * signs, target, first);
          four(grid, 4 * (source[entries + 1] & 255), scale, 8 * signs + 4, target, first + 4);
        }
      }
    }
  }

  static void iq3s(byte[] source, int blocks, float[] target, int to) {
    float[] grid = Grid.IQ3_S.elements();
    for (int block = 0, at = 0; block < blocks; block++, at += 110, to += BLOCK) {
      float d = Bytes.half(source, at);
      for (int k = 0; k < 64; k++) {
        int group = k / 8;
        int high = source[at + 66 + group] >> k % 8 & 1;
        int entry = source[at + 2 + k] & 255 | high << 8;
        float scale = d * (1 + 2 * (source[at + 106 + group / 2] >> group % 2 * 4 & 15));
        int signs = source[at + 74 + k / 2] & 255;
        four(grid, 4 * entry, scale, 8 * signs + k % 2 * 4, target, to + 4 * k);
      }
    }
  }

  static void iq1s(byte[] source, int blocks, float[] target, int to) {
    float[] grid = Grid.IQ1.elements();
    for (int block = 0, at = 0; block < blocks; block++, at += 50, to += BLOCK) {
      float d = Bytes.half(source, at);
      for (int group = 0; group < 8; group++) {
        int word = Bytes.unsignedShort(source, at + 34 + 2 * group);
        float scale = d * (2 * (word >> 12 & 7) + 1);
        float delta = word >> 15 == 0 ? 0.125f : -0.125f;
        for (int l = 0; l < 4; l++) {
          int entry = source[at + 2 + 4 * group + l] & 255 | (word >> 3 * l & 7) << 8;
          shifted(grid, 8 * entry, scale, delta, target, to + 32 * group + 8 * l);
        }
      }
    }
  }

  static void iq1m(byte[] source, int blocks, float[] target, int to) {
    float[] grid = Grid.IQ1.elements();
    for (int block = 0, at = 0; block < blocks; block++, at += 56, to += BLOCK) {
      float d = Float.float16ToFloat((short) iq1mScale(source, at));
      for (int k = 0; k < 32; k++) {
        int nibble = source[at + 32 + k / 2] >> k % 2 * 4 & 15;
        int entry = source[at + k] & 255 | (nibble & 7) << 8;
        int word = Bytes.unsignedShort(source, at + 48 + k / 8 * 2);
        int scale = word >> k / 4 % 2 * 6 + k % 4 / 2 * 3 & 7;
        float delta = (nibble & 8) == 0 ? 0.125f : -0.125f;
        shifted(grid, 8 * entry, d * (2 * scale + 1), delta, target, to + 8 * k);
      }
    }
  }

  /// Returns the bits of the half-precision scale of an IQ1_M block: the top nibbles of its four
  /// words of scales, the lowest first.
  static int iq1mScale(byte[] source, int at) {
    int bits = 0;
    for (int word = 0; word < 4; word++) {
      bits |= (Bytes.unsignedShort(source, at + 48 + 2 * word) >> 12) << 4 * word;
    }
    return bits;
  }

  private static void eight(
      float[] grid, int entry, float scale, int signs, float[] target, int to) {
    for (int i = 0; i < 8; i++) {
      target[to + i] = scale * grid[entry + i] * Signs.FACTORS[8 * signs + i];
    }
  }

  private static void four(float[] grid, int entry, float scale, int sign, float[] target, int to) {
    for (int i = 0; i < 4; i++) {
      target[to + i] = scale * grid[entry + i] * Signs.FACTORS[sign + i];
    }
  }

  private static void shifted(
      float[] grid, int entry, float scale, float delta, float[] target, int to) {
    for (int i = 0; i < 8; i++) {
      target[to + i] = scale * (grid[entry + i] + delta);
    }
  }
}
