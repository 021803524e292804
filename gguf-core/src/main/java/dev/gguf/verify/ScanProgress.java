package dev.gguf.verify;

/// Is told how far a scan has come.
@FunctionalInterface
public interface ScanProgress {
  /// Tells nobody.
  ScanProgress NONE = (place, done, total) -> {};

  /// Takes the news. Called from the threads of the scan, never by two at once, and often: it has
  /// to be quick.
  ///
  /// @param place name of the tensor that was read last, or of a file that is read as a whole
  /// @param done bytes read so far; what is skipped does not count
  /// @param total bytes that will be read, of all tensors or of the file
  void update(String place, long done, long total);
}
