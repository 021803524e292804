package dev.gguf.mapping.internal;

/// A map file that breaks the grammar, with file and line.
public final class MapSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /// Makes an exception with a message that names file and line.
  public MapSyntaxException(String message) {
    super(message);
  }
}
