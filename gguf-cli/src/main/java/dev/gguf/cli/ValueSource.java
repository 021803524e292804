package dev.gguf.cli;

import dev.gguf.GgufException;
import dev.gguf.Tensor;
import dev.gguf.quant.TensorValues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values that `values` can show: a tensor, or a part of one.
interface ValueSource {
  /// Returns the name.
  String name();

  /// Returns how the values are stored, such as `Q4_K`.
  String type();

  /// Returns the dimensions, slowest axis first; the last one is the length of a row.
  long[] shape();

  /// Returns the number of values.
  long count();

  /// Decodes values in a row.
  ///
  /// @param from number of the first value, a multiple of 4096
  /// @param count how many, at most as many as the target takes
  /// @throws GgufException if they cannot be read
  void read(long from, int count, float[] target) throws GgufException;

  /// Returns what the name is one of.
  default String label() {
    return "tensor";
  }

  /// Returns the names of the tensors that hold the values.
  default List<String> sources() {
    return List.of(name());
  }

  /// Returns what turns the decoded tensors into the values.
  default String transform() {
    return "none";
  }

  /// Returns the ends of a range of rows, both included.
  ///
  /// @param range `A..B` or one number
  /// @throws CommandException if it is neither
  static long[] ends(String range) {
    int dots = range.indexOf("..");
    try {
      long from = Long.parseLong(dots < 0 ? range : range.substring(0, dots));
      long to = dots < 0 ? from : Long.parseLong(range.substring(dots + 2));
      if (from >= 0 && to >= from) {
        return new long[] {from, to};
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw CommandException.usage(
        "--rows " + range + ": expected A..B with A not above B, both counted from 0, B included");
  }

  /// Rows of a tensor.
  final class Rows implements ValueSource {
    private final TensorValues values;
    private final long first;
    private final long rows;
    private final long[] shape;

    private Rows(TensorValues values, long first, long rows, long[] shape) {
      this.values = values;
      this.first = first;
      this.rows = rows;
      this.shape = shape;
    }

    /// Returns what is asked for of a tensor.
    ///
    /// @param range `A..B` or one number; rows of the expert, if one is asked for, else counted
    ///   through the whole tensor; B is included. Null for all
    /// @param expert which matrix of the slowest axis, or -1
    /// @throws GgufException if the tensor cannot be decoded
    /// @throws CommandException if there are no such rows
    static Rows of(Tensor tensor, @Nullable String range, long expert) throws GgufException {
      TensorValues values = TensorValues.of(tensor);
      long first = 0;
      long rows = values.rows();
      long[] shape = tensor.shape();
      String of = tensor.name();
      if (expert >= 0) {
        if (tensor.ne(2) == 1 && tensor.ne(3) == 1) {
          throw CommandException.failure(
              of + " is one matrix, there are no experts to choose from");
        }
        long experts = rows / Math.max(1, tensor.ne(1));
        if (expert >= experts) {
          throw CommandException.failure(
              of + " has the experts 0 to " + (experts - 1) + ", not " + expert);
        }
        rows = tensor.ne(1);
        first = expert * rows;
        shape = new long[] {tensor.ne(1), tensor.ne(0)};
        of = "expert " + expert + " of " + of;
      }
      if (range != null) {
        long[] ends = ends(range);
        if (ends[1] >= rows) {
          throw CommandException.failure(
              of + " has the rows 0 to " + (rows - 1) + ", not " + ends[1]);
        }
        first += ends[0];
        rows = ends[1] - ends[0] + 1;
        shape = new long[] {rows, tensor.ne(0)};
      }
      return new Rows(values, first, rows, shape);
    }

    @Override
    public String name() {
      return values.tensor().name();
    }

    @Override
    public String type() {
      return values.tensor().type().name();
    }

    @Override
    public long[] shape() {
      return shape.clone();
    }

    @Override
    public long count() {
      return rows * values.rowElements();
    }

    @Override
    public void read(long from, int count, float[] target) throws GgufException {
      int block = values.tensor().type().blockElements();
      long start = first * values.rowElements() + from;
      values.blocks(start / block, (start + count) / block, target, 0);
    }
  }

  /// Returns the names of tensors that look like the one that is not there.
  static String near(String name, List<Tensor> tensors) {
    List<String> names = new ArrayList<>();
    tensors.forEach(tensor -> names.add(tensor.name()));
    String near = Nearest.to(name, names);
    return near == null ? "" : "; did you mean " + near + "?";
  }
}
