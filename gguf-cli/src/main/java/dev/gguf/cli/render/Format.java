package dev.gguf.cli.render;

import org.jspecify.annotations.Nullable;

/// The forms that an answer can have.
public enum Format {
  /// For people.
  TEXT("text"),
  /// For programs: one JSON document.
  JSON("json"),
  /// One record a line, fields separated by commas, as RFC 4180 has it but with plain line feeds.
  CSV("csv"),
  /// A table of GitHub's Markdown.
  MARKDOWN("markdown"),
  /// The array file of numpy.
  NPY("npy"),
  /// Nothing but the values.
  RAW("raw");

  private final String label;

  Format(String label) {
    this.label = label;
  }

  /// Returns the word on the command line.
  public String label() {
    return label;
  }

  /// Returns the format with this word, or null.
  public static @Nullable Format of(String label) {
    for (Format format : values()) {
      if (format.label.equals(label)) {
        return format;
      }
    }
    return null;
  }
}
