package dev.gguf.mapping;

import dev.gguf.Tensor;

/// A tensor whose dimensions are not those that the metadata promise.
public final class ShapeDifference {
  private final Tensor tensor;
  private final long[] expected;

  ShapeDifference(Tensor tensor, long[] expected) {
    this.tensor = tensor;
    this.expected = expected;
  }

  /// Returns the tensor.
  public Tensor tensor() {
    return tensor;
  }

  /// Returns a copy of the expected dimensions in the format's order, fastest axis first; -1 for a
  /// dimension that the metadata say nothing about.
  public long[] expected() {
    return expected.clone();
  }

  @Override
  public String toString() {
    return tensor.name()
        + " is "
        + Dimensions.text(tensor.ne())
        + ", not "
        + Dimensions.text(expected);
  }
}
