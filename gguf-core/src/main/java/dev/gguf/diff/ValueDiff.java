package dev.gguf.diff;

import dev.gguf.GgufException;
import dev.gguf.quant.TensorValues;
import dev.gguf.write.Progress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// How far the decoded values of a tensor are apart in two models.
///
/// @param pair the tensor in both models
/// @param maxError largest absolute difference
/// @param meanError mean absolute difference
/// @param relativeError root of the sum of squared differences over that of the squared values of
///   the first model; infinite where the first has zeros only and the second has not
/// @param incomparable elements that are NaN or infinite in one model and not the same in the other
public record ValueDiff(
    TensorPair pair, double maxError, double meanError, double relativeError, long incomparable) {
  private static final int PART = 1 << 16;

  /// From here on two tensors have nothing to do with each other: rounding to one bit leaves about
  /// 0.6, and independent values are apart by 1.4.
  public static final double UNRELATED = 0.9;

  /// Returns whether the values have nothing to do with each other.
  public boolean isUnrelated() {
    return relativeError > UNRELATED;
  }

  /// Returns whether the values of a pair can be compared: both types are decodable.
  public static boolean isComparable(TensorPair pair) {
    return TensorValues.isDecodable(pair.before()) && TensorValues.isDecodable(pair.after());
  }

  /// Compares the values of pairs that can be compared.
  ///
  /// @return the largest relative error first
  /// @throws GgufException if a file cannot be read, or a tensor lies outside its file
  public static List<ValueDiff> of(List<TensorPair> pairs, Progress progress) throws GgufException {
    long total = 0;
    for (TensorPair pair : pairs) {
      total += isComparable(pair) ? pair.before().bytes() : 0;
    }
    long done = 0;
    List<ValueDiff> all = new ArrayList<>();
    for (TensorPair pair : pairs) {
      if (isComparable(pair)) {
        all.add(of(pair));
        done += pair.before().bytes();
        progress.advanced(Progress.Step.COMPARE, done, total);
      }
    }
    all.sort(Comparator.comparingDouble(ValueDiff::relativeError).reversed());
    return all;
  }

  private static ValueDiff of(TensorPair pair) throws GgufException {
    TensorValues before = TensorValues.of(pair.before());
    TensorValues after = TensorValues.of(pair.after());
    long elements = pair.before().elements();
    float[] a = new float[(int) Math.min(PART, elements)];
    float[] b = new float[a.length];
    Sum sum = new Sum();
    for (long at = 0; at < elements; at += PART) {
      int n = (int) Math.min(PART, elements - at);
      read(before, at, n, a);
      read(after, at, n, b);
      sum.add(a, b, n);
    }
    return new ValueDiff(
        pair,
        sum.max,
        elements == 0 ? 0 : sum.absolute / elements,
        sum.squares == 0 ? 0 : Math.sqrt(sum.squares / sum.reference),
        sum.incomparable);
  }

  /// Rows are whole blocks, so that elements can be counted through all of them.
  private static void read(TensorValues values, long from, int count, float[] target)
      throws GgufException {
    int block = values.tensor().type().blockElements();
    values.blocks(from / block, (from + count) / block, target, 0);
  }

  private static final class Sum {
    double max;
    double absolute;
    double squares;
    double reference;
    long incomparable;

    void add(float[] a, float[] b, int n) {
      for (int i = 0; i < n; i++) {
        double difference = (double) a[i] - b[i];
        if (!Double.isFinite(difference)) {
          incomparable += Float.compare(a[i], b[i]) == 0 ? 0 : 1;
          continue;
        }
        double distance = Math.abs(difference);
        max = Math.max(max, distance);
        absolute += distance;
        squares += difference * difference;
        reference += (double) a[i] * a[i];
      }
    }
  }
}
