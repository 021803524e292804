package dev.gguf.mapping.checkpoint;

import dev.gguf.GgufException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A file of a checkpoint cannot be read, or its bytes contradict its own header. The message is
/// one line that names the file, and the byte offset where there is one.
public final class CheckpointException extends GgufException {
  private static final long serialVersionUID = 1L;

  private final transient Path path;

  CheckpointException(Path path, String message) {
    this(path, message, null);
  }

  CheckpointException(Path path, String message, @Nullable Throwable cause) {
    super(path + ": " + message, cause);
    this.path = path;
  }

  /// Returns the file or folder that the message is about.
  public Path path() {
    return path;
  }
}
