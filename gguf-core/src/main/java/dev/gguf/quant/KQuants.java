package dev.gguf.quant;

/// Super-blocks of 256 elements in groups of 16 or 32 with scales of their own: Q2_K to Q6_K, Q8_K.
///
/// In all of them a byte holds bits of elements that are 32 or 64 apart, so that eight bytes in a
/// row give eight elements in a row.
final class KQuants {
  private static final int BLOCK = 256;

  private KQuants() {}

  static void q2k(byte[] source, int blocks, Planes planes) {
    for (int block = 0, at = 0, to = 0; block < blocks; block++, at += 84, to += BLOCK) {
      planes.factor256(to, Bytes.halfBits(source, at + 80));
      planes.offset256(to, Bytes.halfBits(source, at + 82));
      for (int group = 0; group < 16; group++) {
        int both = source[at + group];
        planes.scale(to + 16 * group, 16, both & 15);
        planes.minimum(to + 16 * group, 16, both >> 4 & 15);
      }
      for (int half = 0; half < 2; half++) {
        for (int k = 0; k < 32; k += 8) {
          long pairs = Bytes.eight(source, at + 16 + 32 * half + k);
          int element = to + 128 * half + k;
          planes.quants(element, Bytes.bits(pairs, 0, 3));
          planes.quants(element + 32, Bytes.bits(pairs, 2, 3));
          planes.quants(element + 64, Bytes.bits(pairs, 4, 3));
          planes.quants(element + 96, Bytes.bits(pairs, 6, 3));
        }
      }
    }
  }

  static void q3k(byte[] source, int blocks, Planes planes) {
    for (int block = 0, at = 0, to = 0; block < blocks; block++, at += 110, to += BLOCK) {
      planes.factor256(to, Bytes.halfBits(source, at + 108));
      for (int group = 0; group < 16; group++) {
        planes.scale(to + 16 * group, 16, q3kScale(source, at + 96, group) - 32);
      }
      for (int half = 0; half < 2; half++) {
        for (int k = 0; k < 32; k += 8) {
          long pairs = Bytes.eight(source, at + 32 + 32 * half + k);
          long thirds = Bytes.eight(source, at + k) >>> 4 * half;
          int element = to + 128 * half + k;
          planes.quants(element, q3(Bytes.bits(pairs, 0, 3), Bytes.bits(thirds, 0, 1)));
          planes.quants(element + 32, q3(Bytes.bits(pairs, 2, 3), Bytes.bits(thirds, 1, 1)));
          planes.quants(element + 64, q3(Bytes.bits(pairs, 4, 3), Bytes.bits(thirds, 2, 1)));
          planes.quants(element + 96, q3(Bytes.bits(pairs, 6, 3), Bytes.bits(thirds, 3, 1)));
        }
      }
    }
  }

  private static long q3(long lows, long highs) {
    return Bytes.minus(lows | highs << 2, 4);
  }

  /// Sixteen scales of six bits: low nibbles in eight bytes, high pairs in four.
  private static int q3kScale(byte[] source, int at, int group) {
    int low = source[at + group % 8] >> group / 8 * 4 & 15;
    int high = source[at + 8 + group % 4] >> group / 4 * 2 & 3;
    return low | high << 4;
  }

  static void q4k(byte[] source, int blocks, Planes planes) {
    for (int block = 0, at = 0, to = 0; block < blocks; block++, at += 144, to += BLOCK) {
      scalesAndMinima(source, at, planes, to);
      for (int i = 0; i < BLOCK; i += 64) {
        for (int k = 0; k < 32; k += 8) {
          long both = Bytes.eight(source, at + 16 + i / 2 + k);
          planes.quants(to + i + k, Bytes.bits(both, 0, 15));
          planes.quants(to + i + 32 + k, Bytes.bits(both, 4, 15));
        }
      }
    }
  }

  static void q5k(byte[] source, int blocks, Planes planes) {
    for (int block = 0, at = 0, to = 0; block < blocks; block++, at += 176, to += BLOCK) {
      scalesAndMinima(source, at, planes, to);
      for (int i = 0; i < BLOCK; i += 64) {
        for (int k = 0; k < 32; k += 8) {
          long both = Bytes.eight(source, at + 48 + i / 2 + k);
          long fifths = Bytes.eight(source, at + 16 + k);
          long low = Bytes.bits(fifths, i / 32, 1) << 4;
          long high = Bytes.bits(fifths, i / 32 + 1, 1) << 4;
          planes.quants(to + i + k, Bytes.bits(both, 0, 15) | low);
          planes.quants(to + i + 32 + k, Bytes.bits(both, 4, 15) | high);
        }
      }
    }
  }

  /// Reads the head of a Q4_K or Q5_K block: two factors, then eight scales and eight minima of six
  /// bits in twelve bytes, those of the first four groups whole, those of the others with their
  /// high pairs in the spare bits of the first.
  private static void scalesAndMinima(byte[] source, int at, Planes planes, int to) {
    planes.factor256(to, Bytes.halfBits(source, at));
    planes.offset256(to, Bytes.halfBits(source, at + 2));
    for (int group = 0; group < 4; group++) {
      int scale = source[at + 4 + group];
      int minimum = source[at + 8 + group];
      int both = source[at + 12 + group];
      planes.scale(to + 32 * group, 32, scale & 63);
      planes.minimum(to + 32 * group, 32, minimum & 63);
      planes.scale(to + 128 + 32 * group, 32, both & 15 | (scale >> 6 & 3) << 4);
      planes.minimum(to + 128 + 32 * group, 32, both >> 4 & 15 | (minimum >> 6 & 3) << 4);
    }
  }

  static void q6k(byte[] source, int blocks, Planes planes) {
    for (int block = 0, at = 0, to = 0; block < blocks; block++, at += 210, to += BLOCK) {
      planes.factor256(to, Bytes.halfBits(source, at + 208));
      for (int group = 0; group < 16; group++) {
        planes.scale(to + 16 * group, 16, source[at + 192 + group]);
      }
      for (int half = 0; half < 2; half++) {
        for (int k = 0; k < 32; k += 8) {
          long first = Bytes.eight(source, at + 64 * half + k);
          long second = Bytes.eight(source, at + 64 * half + 32 + k);
          long highs = Bytes.eight(source, at + 128 + 32 * half + k);
          int element = to + 128 * half + k;
          planes.quants(element, q6(Bytes.bits(first, 0, 15), Bytes.bits(highs, 0, 3)));
          planes.quants(element + 32, q6(Bytes.bits(second, 0, 15), Bytes.bits(highs, 2, 3)));
          planes.quants(element + 64, q6(Bytes.bits(first, 4, 15), Bytes.bits(highs, 4, 3)));
          planes.quants(element + 96, q6(Bytes.bits(second, 4, 15), Bytes.bits(highs, 6, 3)));
        }
      }
    }
  }

  private static long q6(long lows, long highs) {
    return Bytes.minus(lows | highs << 4, 32);
  }

  static void q8k(byte[] source, int blocks, float[] target, int to) {
    for (int block = 0, at = 0; block < blocks; block++, at += 292, to += BLOCK) {
      float d = Float.intBitsToFloat(Bytes.integer(source, at));
      for (int i = 0; i < BLOCK; i++) {
        target[to + i] = d * source[at + 4 + i];
      }
    }
  }
}
