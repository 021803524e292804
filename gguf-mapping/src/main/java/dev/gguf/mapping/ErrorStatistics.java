package dev.gguf.mapping;

import java.util.Arrays;

/// Differences between values and what they should be, gathered pair by pair. Not safe for use by
/// several threads at once.
public final class ErrorStatistics {
  private long count;
  private long unequal;
  private long broken;
  private long outside;
  private double maxError;
  private double sumError;
  private double sumSquaredError;
  private double sumSquared;

  /// Creates statistics without any pair.
  public ErrorStatistics() {}

  /// Adds a run of values.
  ///
  /// @param values what is there, from index `at` on
  /// @param reference what it should be, from index `referenceAt` on
  /// @param tolerance whose type a reference may have been rounded to
  public void add(
      float[] values, int at, float[] reference, int referenceAt, int length, Tolerance tolerance) {
    boolean rounded = tolerance.isByValue();
    if (rounded
        ? !addEqual(values, at, reference, referenceAt, length)
        : !addFinite(values, at, reference, referenceAt, length)) {
      for (int i = 0; i < length; i++) {
        add(values[at + i], reference[referenceAt + i], tolerance);
      }
    }
  }

  /// Adds a run if all its values are their references.
  private boolean addEqual(float[] values, int at, float[] reference, int referenceAt, int length) {
    if (!Arrays.equals(values, at, at + length, reference, referenceAt, referenceAt + length)) {
      return false;
    }
    double squares = 0;
    for (int i = referenceAt; i < referenceAt + length; i++) {
      squares += (double) reference[i] * reference[i];
    }
    if (!Double.isFinite(squares)) {
      return false;
    }
    count += length;
    sumSquared += squares;
    return true;
  }

  /// Adds a run that needs no rounding, if all of it is finite.
  private boolean addFinite(
      float[] values, int at, float[] reference, int referenceAt, int length) {
    double errors = 0;
    double squaredErrors = 0;
    double squares = 0;
    double max = 0;
    int different = 0;
    for (int i = 0; i < length; i++) {
      double wanted = reference[referenceAt + i];
      double error = Math.abs(values[at + i] - wanted);
      errors += error;
      squaredErrors += error * error;
      squares += wanted * wanted;
      max = Math.max(max, error);
      different += error == 0 ? 0 : 1;
    }
    if (!Double.isFinite(errors + squares)) {
      return false;
    }
    count += length;
    unequal += different;
    maxError = Math.max(maxError, max);
    sumError += errors;
    sumSquaredError += squaredErrors;
    sumSquared += squares;
    return true;
  }

  /// Adds a value.
  ///
  /// @param value what is there
  /// @param reference what it should be
  /// @param tolerance whose type the reference may have been rounded to
  public void add(float value, float reference, Tolerance tolerance) {
    count++;
    double square = (double) reference * reference;
    double error = Math.abs((double) value - reference);
    if (error == 0) {
      sumSquared += square;
      return;
    }
    if (Double.isNaN(error) || Double.isInfinite(error)) {
      addBroken(value, reference);
      return;
    }
    if (value != tolerance.round(reference)) {
      unequal++;
      double allowed = tolerance.limit() * Math.abs(reference) + tolerance.slack();
      outside += tolerance.isByValue() && error > allowed ? 1 : 0;
    }
    sumSquared += square;
    maxError = Math.max(maxError, error);
    sumError += error;
    sumSquaredError += error * error;
  }

  private void addBroken(float value, float reference) {
    if (Float.compare(value, reference) != 0) {
      unequal++;
      broken++;
    }
  }

  /// Adds what other statistics have gathered.
  public void add(ErrorStatistics other) {
    count += other.count;
    unequal += other.unequal;
    broken += other.broken;
    outside += other.outside;
    maxError = Math.max(maxError, other.maxError);
    sumError += other.sumError;
    sumSquaredError += other.sumSquaredError;
    sumSquared += other.sumSquared;
  }

  /// Returns how many pairs there are.
  public long count() {
    return count;
  }

  /// Returns whether every value is its reference, or its reference rounded to the float type that
  /// it is stored in.
  public boolean isEqual() {
    return unequal == 0;
  }

  /// Returns the largest absolute difference; infinite where NaN or an infinity stands for a number
  /// or the other way round.
  public double maxError() {
    return broken > 0 ? Double.POSITIVE_INFINITY : maxError;
  }

  /// Returns the mean absolute difference, 0 without any pair.
  public double meanError() {
    return broken > 0 ? Double.POSITIVE_INFINITY : count == 0 ? 0 : sumError / count;
  }

  /// Returns the root of the mean squared difference, relative to that of the references: 0 for
  /// equal values, 1 and above for values that have nothing to do with each other.
  public double relativeError() {
    if (broken > 0) {
      return Double.POSITIVE_INFINITY;
    }
    if (sumSquaredError == 0) {
      return 0;
    }
    return sumSquared == 0 ? Double.POSITIVE_INFINITY : Math.sqrt(sumSquaredError / sumSquared);
  }

  /// Returns whether the values are equal, or no further away than the tolerance allows: of float
  /// types each value, of blocks all values taken together.
  public boolean isWithin(Tolerance tolerance) {
    if (tolerance.isByValue() && outside > 0) {
      return false;
    }
    return isEqual() || relativeError() <= tolerance.limit() || maxError() <= tolerance.slack();
  }

  @Override
  public String toString() {
    return "max " + maxError() + ", mean " + meanError() + ", relative " + relativeError();
  }
}
