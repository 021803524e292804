package dev.gguf.diff;

import dev.gguf.Tensor;
import org.jspecify.annotations.Nullable;

/// A tensor about which the tables of two models differ.
///
/// @param name its name
/// @param before the tensor in the first model, or null where it has none
/// @param after the tensor in the second model, or null where it has none
public record TensorChange(String name, @Nullable Tensor before, @Nullable Tensor after) {
  /// Returns whether both models have the tensor, with other dimensions. Trailing dimensions of 1
  /// do not count.
  public boolean isOtherShape() {
    return before != null && after != null && !sameShape(before, after);
  }

  /// Returns whether both models have the tensor, of another type.
  public boolean isOtherType() {
    return before != null && after != null && !before.type().equals(after.type());
  }

  /// Returns `added`, `removed`, `shape`, `type`, or `shape and type`.
  public String label() {
    if (before == null) {
      return "added";
    }
    if (after == null) {
      return "removed";
    }
    return !isOtherType() ? "shape" : isOtherShape() ? "shape and type" : "type";
  }

  static boolean sameShape(Tensor a, Tensor b) {
    return a.ne(0) == b.ne(0) && a.ne(1) == b.ne(1) && a.ne(2) == b.ne(2) && a.ne(3) == b.ne(3);
  }
}
