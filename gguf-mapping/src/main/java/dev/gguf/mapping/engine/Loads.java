package dev.gguf.mapping.engine;

import java.util.Locale;

/// Whether an engine loads a model.
public enum Loads {
  /// It loads the file as it stands, and computes what the model is.
  YES,
  /// It does not load the file, or is silently wrong with it.
  NO,
  /// It depends on the release, an option or another file; the reasons say on which.
  CONDITIONAL,
  /// Nothing is established.
  UNKNOWN;

  private final String label = name().toLowerCase(Locale.ROOT);

  /// Returns the lower-case word used in every output.
  public String label() {
    return label;
  }
}
