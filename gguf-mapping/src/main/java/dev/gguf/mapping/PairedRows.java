package dev.gguf.mapping;

import java.util.Optional;

/// Rows of heads of which the rotated part is stored as two halves and is pairs in the parameter.
///
/// @param count rows of all heads
/// @param head rows of a head
/// @param rotated how many of them, from the first one on, are rotated
record PairedRows(long count, long head, long rotated) implements RowOrder {
  /// Returns the order, or empty where the numbers do not fit each other.
  static Optional<RowOrder> of(long rows, long heads, long rotated) {
    if (heads == 0 || rows % heads != 0 || rotated % 2 != 0 || rotated > rows / heads) {
      return Optional.empty();
    }
    return Optional.of(new PairedRows(rows, rows / heads, rotated));
  }

  @Override
  public int source(long row) {
    return 0;
  }

  @Override
  public long sourceRow(long row) {
    long inHead = row % head;
    if (inHead >= rotated) {
      return row;
    }
    return row - inHead + inHead % 2 * (rotated / 2) + inHead / 2;
  }
}
