package dev.gguf.mapping;

import dev.gguf.Tensor;
import dev.gguf.mapping.internal.Expression;
import dev.gguf.mapping.internal.MapFile;
import java.util.Arrays;
import java.util.List;

/// The row-major shape of a parameter, as it follows from its tensors.
final class Shapes {
  private Shapes() {}

  /// Returns the shape of one parameter of a rule.
  ///
  /// @param stacked how many tensors stand for each source of the rule, or 0 for one
  static long[] of(MapFile.Rule rule, List<Tensor> sources, int stacked) {
    long[] shape = rowMajor(rule.sources().getFirst(), sources.getFirst());
    if (stacked > 0) {
      long[] wider = new long[shape.length + 1];
      wider[0] = stacked;
      System.arraycopy(shape, 0, wider, 1, shape.length);
      shape = wider;
    }
    for (Transform transform : rule.transforms()) {
      switch (transform) {
        case JOIN_KV_B -> shape = joined(sources);
        case SPLIT_EXPERTS ->
            shape = shape.length < 2 ? shape : Arrays.copyOfRange(shape, 1, shape.length);
        case JOIN_ROWS -> join(shape, rule, sources, stacked);
        case TRANSPOSE -> transpose(shape);
        default -> {
          // the others keep the shape, or the map gives it
        }
      }
    }
    return shape;
  }

  /// Returns the axes that the rule writes, slowest first, also where the file leaves trailing ones
  /// out.
  private static long[] rowMajor(MapFile.Source source, Tensor tensor) {
    List<Expression> dims = source.dims();
    int axes = dims == null ? tensor.dimensions() : dims.size();
    for (int axis = axes; axis < tensor.dimensions(); axis++) {
      if (tensor.ne(axis) != 1) {
        axes = tensor.dimensions();
      }
    }
    long[] shape = new long[axes];
    for (int i = 0; i < axes; i++) {
      shape[i] = tensor.ne(axes - 1 - i);
    }
    return shape;
  }

  private static long[] joined(List<Tensor> sources) {
    Tensor k = sources.getFirst();
    Tensor v = sources.getLast();
    return new long[] {saturated(v.ne(2), k.ne(0) + v.ne(1)), v.ne(0)};
  }

  /// Returns the product of counts, or the largest number where a file makes it larger than that.
  private static long saturated(long a, long b) {
    return b < 0 || Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
  }

  private static void join(long[] shape, MapFile.Rule rule, List<Tensor> sources, int stacked) {
    int kinds = rule.sources().size();
    int axis = Math.max(0, shape.length - 2);
    long sum = 0;
    for (int i = 0; i < kinds; i++) {
      Tensor tensor = sources.get(stacked == 0 ? i : i * stacked);
      sum += tensor.dimensions() < 2 ? tensor.ne(0) : tensor.ne(1);
    }
    shape[axis] = sum;
  }

  private static void transpose(long[] shape) {
    int last = shape.length - 1;
    if (last > 0) {
      long kept = shape[last];
      shape[last] = shape[last - 1];
      shape[last - 1] = kept;
    }
  }
}
