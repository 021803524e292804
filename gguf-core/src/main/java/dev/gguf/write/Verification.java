package dev.gguf.write;

import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.internal.RangeComparer;
import java.nio.file.Path;

/// Compares a written file with the files that it was made of.
final class Verification {
  private Verification() {}

  /// Compares every copied byte.
  ///
  /// @param written the new file
  /// @param path its name to be, for messages
  /// @throws GgufException if bytes differ or cannot be read
  static void run(GgufWriter file, GgufFile written, Path path, Progress progress)
      throws GgufException {
    Meter meter = new Meter(progress, Progress.Step.VERIFY, written.size());
    try (RangeComparer comparer = new RangeComparer(meter::add)) {
      for (GgufWriter.Run run : file.runs(file.dataStart(written.headerEnd()))) {
        long at =
            comparer.mismatch(run.file(), run.from(), written, run.target(), run.to() - run.from());
        if (at >= 0) {
          throw new GgufException(
              path
                  + ": the byte at "
                  + (run.target() + at)
                  + " differs from that at "
                  + (run.from() + at)
                  + " of "
                  + run.file().path()
                  + "; the disk did not keep what was written");
        }
      }
    }
    meter.finish();
  }
}
