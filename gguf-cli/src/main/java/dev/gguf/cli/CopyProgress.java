package dev.gguf.cli;

import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.Output;
import dev.gguf.write.Progress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Shows how far a copy or comparison has come, how fast it goes and how long it will still take:
/// on a terminal in one line, elsewhere as a line now and then.
final class CopyProgress implements Progress {
  private static final long SECOND = 1_000_000_000L;

  private final Output output;
  private @Nullable Step current;
  private long began;
  private long shown;

  CopyProgress(Output output) {
    this.output = output;
  }

  @Override
  public void advanced(Step step, long done, long total) {
    long now = System.nanoTime();
    if (step != current || done == 0) {
      current = step;
      began = now;
      shown = now;
    } else if (done >= total) {
      output.progress("");
    } else if (now - shown >= (output.showsProgress() ? SECOND / 5 : 10 * SECOND)) {
      shown = now;
      String line = line(step, done, total, now - began);
      if (output.showsProgress()) {
        output.progress(line);
      } else {
        output.note(line);
      }
    }
  }

  static String line(Step step, long done, long total, long nanoseconds) {
    double rate = done / (Math.max(nanoseconds, 1) / (double) SECOND);
    return step.name().toLowerCase(Locale.ROOT)
        + " "
        + Numbers.percent(done, total)
        + " of "
        + Numbers.size(total)
        + ", "
        + Numbers.size(Math.round(rate))
        + "/s"
        + (rate > 0 ? ", " + ProgressLine.duration((total - done) / rate) + " left" : "");
  }
}
