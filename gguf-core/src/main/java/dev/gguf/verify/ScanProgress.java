package dev.gguf.verify;

import dev.gguf.Tensor;

/// Is told how far a scan has come.
@FunctionalInterface
public interface ScanProgress {
  /// Tells nobody.
  ScanProgress NONE = (tensor, done, total) -> {};

  /// Takes the news. Called from the threads of the scan, never by two at once, and often: it has
  /// to be quick.
  ///
  /// @param tensor the tensor that was read last
  /// @param done bytes read so far; what is skipped does not count
  /// @param total bytes that will be read
  void update(Tensor tensor, long done, long total);
}
