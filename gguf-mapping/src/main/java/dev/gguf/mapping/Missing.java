package dev.gguf.mapping;

import java.util.List;
import java.util.OptionalInt;

/// A parameter of the target that no tensor feeds.
///
/// @param parameter its name, with a range where it is one per expert
/// @param layer the number of the block whose tensor is absent, or empty
/// @param tensors the tensors that would feed it and are absent, by their current names
/// @param reason the reason in words
public record Missing(String parameter, OptionalInt layer, List<String> tensors, String reason) {
  /// Returns the first of the absent tensors.
  public String tensor() {
    return tensors.getFirst();
  }
}
