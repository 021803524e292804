package dev.gguf.quant;

/// Signs of eight elements in a row, as a mask: a set bit j makes element j negative.
final class Signs {
  /// Eight factors, 1 or -1, for each of the 256 masks.
  static final float[] FACTORS = new float[256 * 8];

  static {
    for (int i = 0; i < FACTORS.length; i++) {
      FACTORS[i] = (i / 8 >> i % 8 & 1) == 0 ? 1 : -1;
    }
  }

  private Signs() {}

  /// Returns the mask of a seven-bit index: the eighth sign makes the number of negative ones even.
  static int even(int index) {
    return index | (Integer.bitCount(index) & 1) << 7;
  }
}
