package dev.gguf.mapping;

import dev.gguf.GgufException;

/// Some rows of a `kv_b_proj`, by which its layer is recognised without reading the whole. Safe to
/// share between threads.
public final class KvBFingerprint {
  private static final int HEADS = 3;
  private static final int ROWS = 4;

  private final KvBProjection projection;
  private final int[] heads;
  private final int[] keyRows;
  private final int[] valueRows;
  private final float[] keys;
  private final float[] values;

  /// Reads rows of a matrix.
  public interface Rows {
    /// Reads a row.
    ///
    /// @param row of `kv_b_proj`, from 0
    /// @param into receives [KvBProjection#rank()] elements, from index `at` on
    /// @throws GgufException if the row cannot be read
    void read(int row, float[] into, int at) throws GgufException;
  }

  private KvBFingerprint(KvBProjection projection) {
    this.projection = projection;
    this.heads = spread(projection.heads(), HEADS);
    this.keyRows = spread(projection.nope(), ROWS);
    this.valueRows = spread(projection.value(), ROWS);
    this.keys = new float[heads.length * keyRows.length * projection.rank()];
    this.values = new float[heads.length * valueRows.length * projection.rank()];
  }

  /// Takes the fingerprint of a matrix.
  ///
  /// @throws GgufException if a row cannot be read
  public static KvBFingerprint of(KvBProjection projection, Rows rows) throws GgufException {
    KvBFingerprint print = new KvBFingerprint(projection);
    int rank = projection.rank();
    int key = 0;
    int value = 0;
    for (int head : print.heads) {
      int start = head * (projection.nope() + projection.value());
      for (int row : print.keyRows) {
        rows.read(start + row, print.keys, key++ * rank);
      }
      for (int row : print.valueRows) {
        rows.read(start + projection.nope() + row, print.values, value++ * rank);
      }
    }
    return print;
  }

  /// Returns up to `most` different numbers from 0 to `count - 1`, the first and the last among
  /// them.
  static int[] spread(int count, int most) {
    int[] numbers = new int[Math.min(count, most)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = numbers.length == 1 ? 0 : (int) ((long) i * (count - 1) / (numbers.length - 1));
    }
    return numbers;
  }

  /// Returns whether the elements of an `attn_k_b` are those of this matrix.
  public boolean matchesKeys(float[] kB, Tolerance tolerance) {
    int rank = projection.rank();
    ErrorStatistics errors = new ErrorStatistics();
    int at = 0;
    for (int head : heads) {
      for (int row : keyRows) {
        for (int r = 0; r < rank; r++) {
          errors.add(kB[row + projection.nope() * (r + rank * head)], keys[at++], tolerance);
        }
      }
    }
    return errors.isWithin(tolerance);
  }

  /// Returns whether the elements of an `attn_v_b` are those of this matrix.
  public boolean matchesValues(float[] vB, Tolerance tolerance) {
    int rank = projection.rank();
    ErrorStatistics errors = new ErrorStatistics();
    int at = 0;
    for (int head : heads) {
      for (int row : valueRows) {
        errors.add(
            vB, rank * (row + projection.value() * head), values, at++ * rank, rank, tolerance);
      }
    }
    return errors.isWithin(tolerance);
  }
}
