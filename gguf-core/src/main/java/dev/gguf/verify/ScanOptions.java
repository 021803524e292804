package dev.gguf.verify;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How to scan.
///
/// @param sample the share of the data that is read, above 0; 1 reads all. Less is read at places
///   spread over every tensor
/// @param threads how many threads read, at least 1
/// @param asGgml whether only what ggml's own data check refuses counts
/// @param manifest a file of digests that the data is held against once it has been scanned: lines
///   of `gguf hash`, or of sha256sum about whole files. If null, the `NAME.sha256` beside each file
///   is, where there is one
/// @param progress is told how far the scan has come
public record ScanOptions(
    double sample, int threads, boolean asGgml, @Nullable Path manifest, ScanProgress progress) {
  /// All data, on one thread a processor, up to four.
  public static final ScanOptions DEFAULT =
      new ScanOptions(
          1,
          Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4),
          false,
          null,
          ScanProgress.NONE);

  /// Checks the numbers.
  ///
  /// @throws IllegalArgumentException if the share is not above 0 and at most 1, there are no
  ///   threads, or there is a manifest for a sample, which cannot be held against it
  public ScanOptions {
    if (!(sample > 0 && sample <= 1)) {
      throw new IllegalArgumentException("a sample of " + sample + " is not above 0 and at most 1");
    }
    if (threads < 1) {
      throw new IllegalArgumentException(threads + " threads");
    }
    if (manifest != null && sample < 1) {
      throw new IllegalArgumentException("digests need all data, not a sample of " + sample);
    }
  }

  /// Returns a copy that reads another share of the data.
  public ScanOptions withSample(double share) {
    return new ScanOptions(share, threads, asGgml, manifest, progress);
  }

  /// Returns a copy with another number of threads.
  public ScanOptions withThreads(int count) {
    return new ScanOptions(sample, count, asGgml, manifest, progress);
  }

  /// Returns a copy that judges as ggml does, or not.
  public ScanOptions withAsGgml(boolean only) {
    return new ScanOptions(sample, threads, only, manifest, progress);
  }

  /// Returns a copy that holds the data against a manifest.
  public ScanOptions withManifest(Path file) {
    return new ScanOptions(sample, threads, asGgml, file, progress);
  }

  /// Returns a copy that tells somebody else.
  public ScanOptions withProgress(ScanProgress listener) {
    return new ScanOptions(sample, threads, asGgml, manifest, listener);
  }
}
