package dev.gguf.cli.render;

import dev.gguf.Severity;

/// The looks that text can have on a terminal.
public enum Style {
  /// As it is.
  PLAIN(""),
  /// Titles and names.
  BOLD("1"),
  /// Of less weight.
  FAINT("2"),
  /// All is well.
  GOOD("32"),
  /// Worth knowing.
  INFO("36"),
  /// Doubtful.
  WARNING("33"),
  /// Wrong.
  ERROR("1;31");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /// Returns the look of a severity's word.
  public static Style of(Severity severity) {
    return switch (severity) {
      case INFO -> INFO;
      case WARNING -> WARNING;
      case ERROR -> ERROR;
    };
  }

  String code() {
    return code;
  }
}
