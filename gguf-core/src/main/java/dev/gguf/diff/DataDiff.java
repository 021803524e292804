package dev.gguf.diff;

import dev.gguf.GgufException;
import dev.gguf.Tensor;
import dev.gguf.internal.RangeComparer;
import dev.gguf.write.Progress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Which tensors of two models have other bytes.
///
/// @param compared how many tensors were compared: those of the same dimensions and type
/// @param bytes how many bytes of each model were compared
/// @param different those whose bytes differ, in the order of the first model
public record DataDiff(int compared, long bytes, List<Different> different) {
  private static final long PIECE = 1 << 16;

  /// Creates a difference.
  public DataDiff {
    different = List.copyOf(different);
  }

  /// A tensor with other bytes.
  ///
  /// @param pair the tensor in both models
  /// @param at the first byte that was found to differ, from the start of the tensor
  public record Different(TensorPair pair, long at) {}

  /// Compares the bytes of tensors of the same type, in the order of the first model, each byte
  /// read once. Bytes that are holes in both files are not read.
  ///
  /// @param pairs tensors to compare; those of different types are passed over
  /// @param sample how much of each tensor is compared, above 0 up to 1; below 1 its first and last
  ///   bytes and pieces at equal distances
  /// @throws GgufException if a file cannot be read, or a tensor lies outside its file
  /// @throws IllegalArgumentException if the sample is not in these bounds
  public static DataDiff of(List<TensorPair> pairs, double sample, Progress progress)
      throws GgufException {
    if (!(sample > 0 && sample <= 1)) {
      throw new IllegalArgumentException("a sample is above 0 and up to 1, not " + sample);
    }
    List<TensorPair> comparable = new ArrayList<>();
    long total = 0;
    for (TensorPair pair : pairs) {
      if (pair.isSameType()) {
        comparable.add(pair);
        total += pair.before().bytes();
      }
    }
    List<Different> different = new ArrayList<>();
    long[] done = new long[1];
    long all = total;
    long behind = 0;
    try (RangeComparer comparer =
        new RangeComparer(n -> {
          done[0] += n;
          progress.advanced(Progress.Step.COMPARE, Math.min(done[0], all), all);
        })) {
      long read = 0;
      for (TensorPair pair : comparable) {
        long start = done[0];
        long at = mismatch(comparer, pair, sample);
        if (at >= 0) {
          different.add(new Different(pair, at));
        }
        read += done[0] - start;
        behind += pair.before().bytes();
        done[0] = behind;
      }
      progress.advanced(Progress.Step.COMPARE, all, all);
      return new DataDiff(comparable.size(), read, different);
    }
  }

  /// Returns the pairs that are not known to have equal bytes: those of different types, and those
  /// found different.
  ///
  /// @param pairs the pairs that were given to the comparison
  public List<TensorPair> unlike(List<TensorPair> pairs) {
    Set<TensorPair> found = new HashSet<>();
    for (Different one : different) {
      found.add(one.pair());
    }
    List<TensorPair> unlike = new ArrayList<>();
    for (TensorPair pair : pairs) {
      if (!pair.isSameType() || found.contains(pair)) {
        unlike.add(pair);
      }
    }
    return unlike;
  }

  private static long mismatch(RangeComparer comparer, TensorPair pair, double sample)
      throws GgufException {
    requireInside(pair.before());
    requireInside(pair.after());
    long bytes = pair.before().bytes();
    long pieces = (long) Math.ceil(bytes * sample / PIECE);
    if (sample == 1 || pieces * PIECE >= bytes) {
      return mismatch(comparer, pair, 0, bytes);
    }
    long count = Math.max(2, pieces);
    long piece = Math.min(PIECE, Math.max(1, bytes / count));
    for (long i = 0; i < count; i++) {
      // In doubles, since the product of two sizes may not fit; the ends come out exactly.
      long from =
          i == count - 1 ? bytes - piece : (long) ((double) (bytes - piece) * i / (count - 1));
      long at = mismatch(comparer, pair, from, piece);
      if (at >= 0) {
        return from + at;
      }
    }
    return -1;
  }

  private static long mismatch(RangeComparer comparer, TensorPair pair, long from, long length)
      throws GgufException {
    Tensor before = pair.before();
    Tensor after = pair.after();
    return comparer.mismatch(
        before.file(), before.fileOffset() + from, after.file(), after.fileOffset() + from, length);
  }

  private static void requireInside(Tensor tensor) throws GgufException {
    if (!tensor.isInsideFile()) {
      tensor.data();
    }
  }
}
