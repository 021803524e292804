package dev.gguf.diff;

import dev.gguf.Metadata;
import org.jspecify.annotations.Nullable;

/// A key that two models do not have with the same value.
///
/// @param key its name
/// @param before the entry in the first model, or null where it has none
/// @param after the entry in the second model, or null where it has none
public record KeyChange(
    String key, Metadata.@Nullable Entry before, Metadata.@Nullable Entry after) {
  /// Returns `added`, `removed` or `changed`.
  public String label() {
    return before == null ? "added" : after == null ? "removed" : "changed";
  }
}
