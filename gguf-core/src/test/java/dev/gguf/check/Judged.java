package dev.gguf.check;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.file.Path;

/// What the file rules say about a file, as text that a test compares whole.
final class Judged {
  private Judged() {}

  /// Writes a file and returns one line for each finding: severity, rule, subject, message.
  static String of(Path folder, GgufWriter writer) throws IOException {
    return of(folder, "model.gguf", writer);
  }

  static String of(Path folder, String name, GgufWriter writer) throws IOException {
    Path path = folder.resolve(name);
    writer.write(path);
    return of(path);
  }

  static String of(Path path) throws IOException {
    try (Inspection inspection = Gguf.inspect(path)) {
      StringBuilder lines = new StringBuilder();
      for (Finding finding : FileCheck.check(inspection).findings()) {
        lines
            .append(finding.severity().label())
            .append(' ')
            .append(finding.rule().id())
            .append(finding.subject() == null ? "" : " " + finding.subject().name())
            .append(": ")
            .append(finding.message())
            .append('\n');
      }
      return lines.toString().stripTrailing();
    }
  }

  /// Returns the next steps of all findings, one a line.
  static String hints(Path path) throws IOException {
    try (Inspection inspection = Gguf.inspect(path)) {
      StringBuilder lines = new StringBuilder();
      for (Finding finding : FileCheck.check(inspection).findings()) {
        lines.append(finding.hint()).append('\n');
      }
      return lines.toString().stripTrailing();
    }
  }
}
