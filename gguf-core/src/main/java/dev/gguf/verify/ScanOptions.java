package dev.gguf.verify;

/// How to scan.
///
/// @param sample the share of the data that is read, above 0; 1 reads all. Less is read at places
///   spread over every tensor
/// @param threads how many threads read, at least 1
/// @param asGgml whether only what ggml's own data check refuses counts
/// @param progress is told how far the scan has come
public record ScanOptions(double sample, int threads, boolean asGgml, ScanProgress progress) {
  /// All data, on one thread a processor, up to four.
  public static final ScanOptions DEFAULT =
      new ScanOptions(
          1,
          Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4),
          false,
          ScanProgress.NONE);

  /// Checks the numbers.
  ///
  /// @throws IllegalArgumentException if the share is not above 0 and at most 1, or there are no
  ///   threads
  public ScanOptions {
    if (!(sample > 0 && sample <= 1)) {
      throw new IllegalArgumentException("a sample of " + sample + " is not above 0 and at most 1");
    }
    if (threads < 1) {
      throw new IllegalArgumentException(threads + " threads");
    }
  }

  /// Returns a copy that reads another share of the data.
  public ScanOptions withSample(double share) {
    return new ScanOptions(share, threads, asGgml, progress);
  }

  /// Returns a copy with another number of threads.
  public ScanOptions withThreads(int count) {
    return new ScanOptions(sample, count, asGgml, progress);
  }

  /// Returns a copy that judges as ggml does, or not.
  public ScanOptions withAsGgml(boolean only) {
    return new ScanOptions(sample, threads, only, progress);
  }

  /// Returns a copy that tells somebody else.
  public ScanOptions withProgress(ScanProgress listener) {
    return new ScanOptions(sample, threads, asGgml, listener);
  }
}
