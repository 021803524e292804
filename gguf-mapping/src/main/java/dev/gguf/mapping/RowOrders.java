package dev.gguf.mapping;

import dev.gguf.Tensor;
import dev.gguf.mapping.internal.MapFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes the order of a parameter's rows from the numbers of its rule.
final class RowOrders {
  private RowOrders() {}

  /// Returns the order of a parameter that takes all rows of its tensors.
  ///
  /// @param stacked how many tensors stand for each source of the rule, or 0 for one
  /// @param numbers of each block the groups, then rows, times and head of each piece; null for a
  ///   rule without an order
  static Optional<RowOrder> of(
      MapFile.Rule rule,
      List<Tensor> sources,
      int stacked,
      long @Nullable [] @Nullable [] numbers) {
    MapFile.Order order = rule.order();
    if (order == null || numbers == null) {
      return Optional.of(inTurn(sources, stacked));
    }
    for (long[] block : numbers) {
      for (long number : block) {
        if (number < 0) {
          return Optional.empty();
        }
      }
    }
    if (order.unit() == MapFile.Unit.PAIRS) {
      return PairedRows.of(
          rows(sources.getFirst(), MapFile.Unit.ROWS), numbers[0][0], numbers[0][1]);
    }
    int count = rule.sources().size();
    long[] cursor = new long[count];
    List<Rows.Block> blocks = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      List<MapFile.Piece> pieces = order.blocks().get(i).pieces();
      long groups = numbers[i][0];
      if (pieces.isEmpty()) {
        blocks.add(shares(rule, sources, groups, order.unit(), stacked));
      } else {
        blocks.add(pieces(pieces, numbers[i], cursor));
      }
    }
    return Optional.of(new Rows(blocks.toArray(new Rows.Block[0]), order.unit(), stacked));
  }

  /// Returns whether an order of the rows of one tensor leaves them where they are.
  static boolean isAsStored(MapFile.Unit unit, long[][] numbers) {
    if (unit == MapFile.Unit.PAIRS) {
      return false;
    }
    for (long[] block : numbers) {
      boolean single = block.length == 4 && block[2] == 1;
      if (block.length > 1 && block[0] != 1 && !single || block.length == 1) {
        return false;
      }
      for (int i = 3; i < block.length; i += 3) {
        if (block[i] != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /// Takes all rows of each tensor, one tensor after the other; of tensors per expert one of each
  /// kind for every expert.
  private static RowOrder inTurn(List<Tensor> sources, int stacked) {
    int kinds = stacked == 0 ? sources.size() : sources.size() / stacked;
    Rows.Piece[] pieces = new Rows.Piece[kinds];
    for (int i = 0; i < kinds; i++) {
      Tensor tensor = sources.get(stacked == 0 ? i : i * stacked);
      pieces[i] = new Rows.Piece(i, 0, rows(tensor, MapFile.Unit.ROWS), 0);
    }
    return new Rows(
        new Rows.Block[] {Rows.Block.of(Math.max(1, stacked), pieces)}, MapFile.Unit.ROWS, stacked);
  }

  /// Gives every tensor an equal share of each group. With one tensor the groups are heads whose
  /// halves are brought back in order.
  private static Rows.Block shares(
      MapFile.Rule rule, List<Tensor> sources, long groups, MapFile.Unit unit, int stacked) {
    boolean heads = false;
    for (Transform transform : rule.transforms()) {
      heads |= transform == Transform.UNPERMUTE_HEADS;
    }
    int kinds = stacked == 0 ? sources.size() : sources.size() / stacked;
    Rows.Piece[] pieces = new Rows.Piece[kinds];
    for (int i = 0; i < kinds; i++) {
      long share = rows(sources.get(stacked == 0 ? i : i * stacked), unit) / Math.max(1, groups);
      pieces[i] = new Rows.Piece(i, 0, share, heads ? share : 0);
    }
    return Rows.Block.of(groups, pieces);
  }

  private static Rows.Block pieces(List<MapFile.Piece> pieces, long[] numbers, long[] cursor) {
    List<Rows.Piece> all = new ArrayList<>();
    for (int j = 0; j < pieces.size(); j++) {
      int source = pieces.get(j).source();
      long rows = numbers[1 + 3 * j];
      for (long time = 0; time < numbers[2 + 3 * j]; time++) {
        all.add(new Rows.Piece(source, cursor[source], rows, numbers[3 + 3 * j]));
        cursor[source] += numbers[0] * rows;
      }
    }
    return Rows.Block.of(numbers[0], all.toArray(new Rows.Piece[0]));
  }

  /// Returns how many rows, columns or elements a tensor has.
  static long rows(Tensor tensor, MapFile.Unit unit) {
    return switch (unit) {
      case COLUMNS -> tensor.ne(0);
      case ELEMENTS -> tensor.elements();
      case ROWS, PAIRS -> tensor.dimensions() < 2 ? tensor.elements() : tensor.rows();
    };
  }
}
