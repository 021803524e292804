package dev.gguf.cli.render;

import dev.gguf.Finding;
import dev.gguf.Severity;
import dev.gguf.Subject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Shows findings, the same way in every answer.
public final class Findings {
  private Findings() {}

  /// Returns the findings with the worst first, else in their order.
  public static List<Finding> worstFirst(List<Finding> findings) {
    Severity[] severities = Severity.values();
    List<Finding> sorted = new ArrayList<>(findings.size());
    for (int rank = severities.length - 1; rank >= 0; rank--) {
      for (Finding finding : findings) {
        if (finding.severity() == severities[rank]) {
          sorted.add(finding);
        }
      }
    }
    return List.copyOf(sorted);
  }

  /// Returns the worst severity, or null without a finding.
  public static @Nullable Severity worst(Iterable<Finding> findings) {
    Severity worst = null;
    for (Finding finding : findings) {
      if (worst == null || finding.severity().compareTo(worst) > 0) {
        worst = finding.severity();
      }
    }
    return worst;
  }

  /// Writes a list of findings as the next value.
  public static void write(JsonWriter json, Iterable<Finding> findings) {
    json.array();
    for (Finding finding : findings) {
      write(json, finding);
    }
    json.endArray();
  }

  private static void write(JsonWriter json, Finding finding) {
    json.object();
    json.field("rule", finding.rule().id()).field("severity", finding.severity().label());
    Subject subject = finding.subject();
    if (subject == null) {
      json.name("subject").nothing();
    } else {
      json.object("subject").field("kind", subject.kind().label()).field("name", subject.name());
      json.endObject();
    }
    Path file = finding.file();
    json.field("file", file == null ? null : file.toString());
    json.field("offset", finding.byteOffset());
    json.field("message", finding.message()).field("hint", finding.hint());
    json.endObject();
  }

  /// Writes each finding as a line with its severity, rule and message; where it was seen and the
  /// hint stand on lines of their own below it.
  ///
  /// @param ownFile the file that need not be named, or null
  public static void write(TextWriter text, Iterable<Finding> findings, @Nullable Path ownFile) {
    for (Finding finding : findings) {
      Severity severity = finding.severity();
      text.padded(Style.of(severity), severity.label(), 9).text(finding.message());
      text.text(Style.FAINT, "  [" + finding.rule().id() + "]").newline();
      place(text, finding, ownFile);
      String hint = finding.hint();
      if (hint != null) {
        text.spaces(9).text(Style.BOLD, "hint: ").line(hint);
      }
    }
  }

  private static void place(TextWriter text, Finding finding, @Nullable Path ownFile) {
    Path file = finding.file();
    boolean elsewhere = file != null && !file.equals(ownFile);
    // Where something is that is as it should be, only a program wants to know.
    boolean atByte = finding.byteOffset().isPresent() && finding.severity() != Severity.INFO;
    if (elsewhere || atByte) {
      text.spaces(9).text(Style.FAINT, elsewhere ? file.toString() : "");
      text.text(Style.FAINT, elsewhere && atByte ? ", " : "");
      text.text(Style.FAINT, atByte ? "at byte " + finding.byteOffset().getAsLong() : "");
      text.newline();
    }
  }

  /// Returns how many findings there are of each severity, the worst first, such as `2 errors, 1
  /// note`; empty without a finding.
  static String counts(List<Finding> findings) {
    StringBuilder counts = new StringBuilder();
    Severity[] severities = Severity.values();
    for (int rank = severities.length - 1; rank >= 0; rank--) {
      int count = 0;
      for (Finding finding : findings) {
        count += finding.severity() == severities[rank] ? 1 : 0;
      }
      if (count > 0) {
        String noun = severities[rank] == Severity.INFO ? "note" : severities[rank].label();
        counts.append(counts.isEmpty() ? "" : ", ").append(Numbers.of(count, noun));
      }
    }
    return counts.toString();
  }
}
