package dev.gguf.mapping;

import dev.gguf.mapping.internal.MapFile;
import java.util.List;

/// Rows of a parameter by a formula: blocks of groups of pieces, one after the other.
final class Rows implements RowOrder {
  /// Pieces that repeat.
  ///
  /// @param groups how many times
  /// @param pieces what one group consists of
  /// @param groupRows rows of one group
  record Block(long groups, List<Piece> pieces, long groupRows) {
    static Block of(long groups, Piece... pieces) {
      long rows = 0;
      for (Piece piece : pieces) {
        rows += piece.rows;
      }
      return new Block(groups, List.of(pieces), rows);
    }
  }

  /// Consecutive rows of a tensor.
  ///
  /// @param source index of the tensor
  /// @param start row of the first group
  /// @param rows how many each group takes
  /// @param head rows of a head whose halves are stored interleaved, or 0
  record Piece(int source, long start, long rows, long head) {}

  /// Where a row is: in which piece of which group, and which of its rows there.
  private record Place(Piece piece, long group, long row) {}

  private final Block[] blocks;
  private final long count;
  private final MapFile.Unit unit;
  private final long stacked;

  /// @param unit what is counted
  /// @param stacked how many tensors, one per expert, stand for each source of a piece, or 0; then
  ///   the group is the expert
  Rows(Block[] blocks, MapFile.Unit unit, long stacked) {
    this.blocks = blocks;
    this.unit = unit;
    this.stacked = stacked;
    long sum = 0;
    for (Block block : blocks) {
      sum += block.groups * block.groupRows;
    }
    count = sum;
  }

  /// Returns consecutive rows of one tensor.
  static Rows plain(int source, long start, long rows, long head) {
    return new Rows(
        new Block[] {Block.of(1, new Piece(source, start, rows, head))}, MapFile.Unit.ROWS, 0);
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public boolean isColumns() {
    return unit == MapFile.Unit.COLUMNS;
  }

  @Override
  public boolean isElements() {
    return unit == MapFile.Unit.ELEMENTS;
  }

  @Override
  public int source(long row) {
    Place place = place(row);
    int source = place.piece.source;
    return stacked == 0 ? source : Math.toIntExact(source * stacked + place.group);
  }

  @Override
  public long sourceRow(long row) {
    Place place = place(row);
    Piece piece = place.piece;
    long offset = piece.start + (stacked == 0 ? place.group * piece.rows : 0);
    return offset + (piece.head == 0 ? place.row : unpermuted(place.row, piece.head));
  }

  private Place place(long row) {
    long left = row;
    for (Block block : blocks) {
      long rows = block.groups * block.groupRows;
      if (left < rows) {
        long inGroup = left % block.groupRows;
        for (Piece piece : block.pieces) {
          if (inGroup < piece.rows) {
            return new Place(piece, left / block.groupRows, inGroup);
          }
          inGroup -= piece.rows;
        }
      }
      left -= rows;
    }
    throw new IndexOutOfBoundsException("row " + row + " of " + count);
  }

  /// Element `j` of the first half of a head is stored at `2 j`, of the second half at `2 j + 1`.
  private static long unpermuted(long row, long head) {
    long half = head / 2;
    long inHead = row % head;
    long stored = inHead < half ? 2 * inHead : 2 * (inHead - half) + 1;
    return row - inHead + stored;
  }
}
