package dev.gguf;

/// A metadata key is absent or has another type than the caller asked for. The message names the
/// key and both types.
public final class MetadataException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception with a one-line message.
  public MetadataException(String message) {
    super(message);
  }
}
