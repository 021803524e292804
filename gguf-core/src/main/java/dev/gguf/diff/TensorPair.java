package dev.gguf.diff;

import dev.gguf.Tensor;

/// A tensor of the same name and dimensions in two models.
///
/// @param before the tensor in the first model
/// @param after the tensor in the second model
public record TensorPair(Tensor before, Tensor after) {
  /// Returns the name.
  public String name() {
    return before.name();
  }

  /// Returns whether both have the same type in the same byte order, so that their bytes can be
  /// equal.
  public boolean isSameType() {
    return before.type().equals(after.type()) && before.bytes() == after.bytes() && isSameOrder();
  }

  boolean isSameOrder() {
    return before.file().byteOrder().equals(after.file().byteOrder());
  }
}
