package dev.gguf.diff;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a model is to another one.
public enum Relation {
  /// The same tensors and the same metadata.
  SAME("same"),
  /// The same tensors with other metadata.
  OTHER_METADATA("metadata"),
  /// The same names and dimensions, and for all that is known the same weights, in other types.
  REQUANTISED("requantised"),
  /// Other tensors, or other weights.
  DIFFERENT("different");

  private final String label;

  Relation(String label) {
    this.label = label;
  }

  /// Returns what a model is to another one, by all that was compared.
  ///
  /// @param header the headers
  /// @param data the bytes, or null where they were not compared
  /// @param values the values of tensors that are not equal by bytes, or null where they were not
  ///   compared
  public static Relation of(
      HeaderDiff header, @Nullable DataDiff data, @Nullable List<ValueDiff> values) {
    Relation relation = header.relation();
    if (relation == DIFFERENT || data == null) {
      return relation;
    }
    if (values != null) {
      for (ValueDiff value : values) {
        if (value.isUnrelated()) {
          return DIFFERENT;
        }
      }
      return data.different().isEmpty() ? relation : REQUANTISED;
    }
    return data.different().isEmpty() || relation == REQUANTISED ? relation : DIFFERENT;
  }

  /// Returns the lower-case word used in every output.
  public String label() {
    return label;
  }
}
