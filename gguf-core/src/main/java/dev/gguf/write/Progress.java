package dev.gguf.write;

/// Is told how far a long write or read has come.
@FunctionalInterface
public interface Progress {
  /// Tells nobody.
  Progress NONE = (step, done, total) -> {};

  /// What is being done.
  enum Step {
    /// Bytes are copied into the new file.
    COPY,
    /// The new file is read back and compared.
    VERIFY,
    /// Two files are compared.
    COMPARE
  }

  /// Takes note.
  ///
  /// @param step what is being done
  /// @param done bytes that are behind, from 0 to `total`; bytes of holes count as done when they
  ///   are passed
  /// @param total bytes of the whole step
  void advanced(Step step, long done, long total);
}
