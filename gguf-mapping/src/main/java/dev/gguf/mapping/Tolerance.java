package dev.gguf.mapping;

import dev.gguf.TensorType;

/// How far values that were stored in a tensor type may be from what they were before.
///
/// The measure is the root of the mean squared error, relative to that of the values themselves.
/// Values that have nothing to do with each other are at 1 or above; a quantised tensor stays well
/// below, the more so the more bits it has. The limits leave room for tensors quantised with an
/// importance matrix and for rows with a few very large values.
///
/// @param type the type that the values were stored in
/// @param limit the largest relative error of sound values
/// @param slack an absolute error that a single value may have besides, 0 unless the stored values
///   are computed from the others
public record Tolerance(TensorType type, double limit, double slack) {
  /// Values stored as 32-bit floats: equal.
  public static final Tolerance EXACT = new Tolerance(TensorType.F32, 0, 0);

  /// Returns the tolerance of a type: of floats one rounding to BF16, of blocks by their bits per
  /// element.
  public static Tolerance of(TensorType type) {
    return new Tolerance(type, limit(type), 0);
  }

  /// Returns a tolerance for values near 0 that were moved to the neighbourhood of 1 before they
  /// were stored, as `x + 1` or `-exp(x)` does: what was rounded off there is absolute.
  Tolerance nearOne() {
    return new Tolerance(type, limit, type.equals(TensorType.F32) ? 0x1p-22 : 0x1p-7);
  }

  /// Returns the larger of two tolerances.
  public Tolerance or(Tolerance other) {
    Tolerance larger = other.limit > limit ? other : this;
    return new Tolerance(larger.type, larger.limit, Math.max(slack, other.slack));
  }

  /// Returns a tolerance that allows more, as a look at few values needs; never so much that values
  /// that have nothing to do with each other pass.
  ///
  /// @param factor at least 1
  public Tolerance times(double factor) {
    return new Tolerance(type, Math.min(Math.max(limit, 0.95), limit * factor), slack * factor);
  }

  /// Returns whether every value on its own has to be near, and not only all of them taken
  /// together: so for float types, which round each value for itself.
  boolean isByValue() {
    return limit > 0 && type.isFloat();
  }

  private static double limit(TensorType type) {
    if (type.isFloat() || type.isInteger() || !type.hasLayout()) {
      return 0x1p-8;
    }
    if (type.name().startsWith("TQ")) {
      // Made for weights that have three values; of others little is left.
      return 0.9;
    }
    double bits = 8.0 * type.blockBytes() / type.blockElements();
    double[][] steps = {{8, 0.03}, {6, 0.06}, {5, 0.12}, {4, 0.25}, {3, 0.4}, {2, 0.65}};
    for (double[] step : steps) {
      if (bits >= step[0]) {
        return step[1];
      }
    }
    return 0.9;
  }

  /// Returns a value rounded to what the type can hold, for the float types; any other value as it
  /// is.
  public float round(float value) {
    if (type.equals(TensorType.F16)) {
      return Float.float16ToFloat(Float.floatToFloat16(value));
    }
    if (type.equals(TensorType.BF16)) {
      return toBf16(value);
    }
    return value;
  }

  /// Rounds to the nearest BF16, ties to even, as converters do.
  private static float toBf16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if ((bits & 0x7fffffff) > 0x7f800000) {
      return value;
    }
    return Float.intBitsToFloat(bits + (0x7fff + (bits >>> 16 & 1)) & 0xffff0000);
  }
}
