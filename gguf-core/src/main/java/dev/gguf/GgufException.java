package dev.gguf;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A GGUF file could not be opened or read. The message is one line that names the file.
public class GgufException extends IOException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception with a one-line message.
  public GgufException(String message) {
    super(message);
  }

  /// Creates an exception with a one-line message and what caused it.
  public GgufException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
