package dev.gguf.check;

import dev.gguf.Finding;
import dev.gguf.Inspection;
import java.util.ArrayList;
import java.util.List;

/// The rules about the file itself: everything of [dev.gguf.FileRule].
public final class FileCheck {
  private FileCheck() {}

  /// Judges what an inspection has read.
  ///
  /// @return the findings of the inspection and of every rule that does not stop the opening
  public static Report check(Inspection inspection) {
    List<Finding> findings = new ArrayList<>(inspection.findings());
    return new Report(findings);
  }
}
