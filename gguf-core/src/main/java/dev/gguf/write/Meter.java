package dev.gguf.write;

/// Adds up bytes and tells a [Progress] of them.
final class Meter {
  private final Progress progress;
  private final Progress.Step step;
  private final long total;
  private long done;

  Meter(Progress progress, Progress.Step step, long total) {
    this.progress = progress;
    this.step = step;
    this.total = total;
    progress.advanced(step, 0, total);
  }

  void add(long bytes) {
    if (bytes > 0) {
      done += bytes;
      progress.advanced(step, Math.min(done, total), total);
    }
  }

  void finish() {
    progress.advanced(step, total, total);
  }
}
