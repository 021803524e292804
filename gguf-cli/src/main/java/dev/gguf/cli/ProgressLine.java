package dev.gguf.cli;

import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.Output;
import dev.gguf.verify.ScanProgress;

/// A line on the error stream that says how far a pass over data has come, at what rate, how long
/// it will take, and where it is; on a terminal only.
final class ProgressLine implements ScanProgress, AutoCloseable {
  private static final long NANOS = 1_000_000_000;
  private static final long PAUSE = NANOS / 10;

  private final Output output;
  private final long start = System.nanoTime();
  private long shown = start;
  private boolean dirty;

  ProgressLine(Output output) {
    this.output = output;
  }

  @Override
  public void update(String place, long done, long total) {
    long now = System.nanoTime();
    if (!output.showsProgress() || now - shown < PAUSE) {
      return;
    }
    shown = now;
    dirty = true;
    output.progress(line(place, done, total, now - start));
  }

  static String line(String place, long done, long total, long nanos) {
    double seconds = Math.max(nanos, 1) / (double) NANOS;
    double rate = done / seconds;
    String left = rate > 0 ? duration((total - done) / rate) + " left" : "";
    return Numbers.size(done)
        + " of "
        + Numbers.size(total)
        + ", "
        + Numbers.percent(done, total)
        + ", "
        + Numbers.size((long) rate)
        + "/s, "
        + left
        + "  "
        + place;
  }

  /// Returns a time as people say it: `8 s`, `3 min 5 s`, `2 h 10 min`.
  static String duration(double seconds) {
    long whole = (long) Math.ceil(seconds);
    if (whole < 60) {
      return whole + " s";
    }
    if (whole < 3600) {
      return whole / 60 + " min " + whole % 60 + " s";
    }
    return whole / 3600 + " h " + whole % 3600 / 60 + " min";
  }

  /// Returns how long it has been, in seconds.
  double seconds() {
    return (System.nanoTime() - start) / (double) NANOS;
  }

  @Override
  public void close() {
    clear();
  }

  /// Takes the line away, so that the answer can be written.
  void clear() {
    if (dirty) {
      dirty = false;
      output.progress("");
    }
  }
}
