package dev.gguf.cli;

/// Counts over values that come in pieces.
final class ValueStatistics {
  private float least = Float.POSITIVE_INFINITY;
  private float most = Float.NEGATIVE_INFINITY;
  private double sum;
  private long finite;
  private long zeros;
  private long nan;
  private long infinite;

  void add(float[] values, int count) {
    for (int i = 0; i < count; i++) {
      float value = values[i];
      if (Float.isNaN(value)) {
        nan++;
        continue;
      }
      least = Math.min(least, value);
      most = Math.max(most, value);
      if (Float.isInfinite(value)) {
        infinite++;
      } else {
        finite++;
        sum += value;
        zeros += value == 0 ? 1 : 0;
      }
    }
  }

  /// Returns the smallest value, or NaN without any that is a number.
  float least() {
    return least <= most ? least : Float.NaN;
  }

  /// Returns the largest value, or NaN without any that is a number.
  float most() {
    return least <= most ? most : Float.NaN;
  }

  /// Returns the mean of the finite values, or NaN without any.
  double mean() {
    return finite == 0 ? Double.NaN : sum / finite;
  }

  long zeros() {
    return zeros;
  }

  long nan() {
    return nan;
  }

  long infinite() {
    return infinite;
  }
}
