package dev.gguf;

/// How much a [Finding] weighs for the file it is about, never for one engine that may load it.
/// Ordered from harmless to fatal, so that the worst finding is the greatest.
public enum Severity {
  /// Worth knowing; nothing is wrong.
  INFO,
  /// Legal or doubtful: some engine or version fails or is silently wrong.
  WARNING,
  /// Bytes are missing or contradict each other, or the reference reader refuses the file in every
  /// release.
  ERROR;

  private final String label = name().toLowerCase(java.util.Locale.ROOT);

  /// Returns the lower-case word used in every output: `info`, `warning` or `error`.
  public String label() {
    return label;
  }
}
