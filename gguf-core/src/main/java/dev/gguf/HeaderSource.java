package dev.gguf;

import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Opens files that can only be read forward, such as compressed ones and members of archives, so
/// that [Gguf#inspect(java.nio.file.Path, HeaderSource)] can read their headers.
@FunctionalInterface
public interface HeaderSource {
  /// Opens a file.
  ///
  /// @param name the last part of its path, such as `model-00002-of-00010.gguf`
  /// @return its bytes, or null if there is no such file or it cannot be reached
  /// @throws IOException if it is there and cannot be opened
  @Nullable Stream open(String name) throws IOException;

  /// The bytes of a file.
  ///
  /// @param bytes is read as far as the header goes and then closed; a failure while it is read
  ///   becomes a finding
  /// @param size number of bytes, where it is known
  record Stream(InputStream bytes, OptionalLong size) {}

  /// Thrown by a stream that gives more than a header can have: what came before is not looked at
  /// either, since it may be made to take time.
  final class TooMuchException extends IOException {
    private static final long serialVersionUID = 1L;

    /// Creates an exception.
    ///
    /// @param message with the numbers that no header has
    public TooMuchException(String message) {
      super(message);
    }
  }
}
