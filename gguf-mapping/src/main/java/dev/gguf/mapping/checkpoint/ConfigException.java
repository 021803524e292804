package dev.gguf.mapping.checkpoint;

/// A key of a `config.json` is absent or has another type than the caller asked for. The message
/// names the file, the key and both types.
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConfigException(String message) {
    super(message);
  }
}
