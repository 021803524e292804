package dev.gguf.mapping;

import dev.gguf.Severity;
import java.util.Optional;

/// Why a tensor feeds no parameter of the target.
public enum Group {
  /// It belongs to a layer for multi-token prediction, which the main model skips.
  MTP("mtp", Severity.INFO),
  /// Engines compute what it holds themselves.
  NO_COUNTERPART("no-counterpart", Severity.INFO),
  /// A `.scale` or `.input_scale` of a known weight.
  COMPANION("companion", Severity.INFO),
  /// A known name on a layer, or in a model, where the target has no such parameter.
  SURPLUS("surplus", Severity.INFO),
  /// A part for images or sound inside a language model.
  MULTIMODAL("multimodal", Severity.WARNING),
  /// An older spelling or a left-over that no current engine takes.
  LEGACY_NAME("legacy-name", Severity.WARNING),
  /// No rule knows it.
  UNKNOWN("unknown", Severity.WARNING);

  private final String id;
  private final Severity severity;

  Group(String id, Severity severity) {
    this.id = id;
    this.severity = severity;
  }

  /// Returns the word used in every output.
  public String id() {
    return id;
  }

  /// Returns the group with this word.
  public static Optional<Group> of(String id) {
    for (Group group : values()) {
      if (group.id.equals(id)) {
        return Optional.of(group);
      }
    }
    return Optional.empty();
  }

  /// Returns how much such a tensor weighs for the file.
  public Severity severity() {
    return severity;
  }
}
