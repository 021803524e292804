package dev.gguf.mapping.compare;

import dev.gguf.Finding;
import dev.gguf.Severity;
import dev.gguf.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// Findings about layers, where many layers with the same fault make one finding.
final class GroupedFindings {
  private static final int FEW = 6;

  private final Map<CompareRule, List<Line>> groups = new LinkedHashMap<>();

  private record Line(OptionalInt layer, String message) {}

  void add(CompareRule rule, OptionalInt layer, String message) {
    groups.computeIfAbsent(rule, _ -> new ArrayList<>()).add(new Line(layer, message));
  }

  /// Returns a finding for each line where a rule has few, else one for the rest of them.
  List<Finding> list() {
    List<Finding> findings = new ArrayList<>();
    groups.forEach((rule, lines) -> list(findings, rule, lines));
    return findings;
  }

  private static void list(List<Finding> findings, CompareRule rule, List<Line> lines) {
    boolean few = lines.size() <= FEW;
    int alone = few ? lines.size() : rule.severity() == Severity.ERROR ? FEW / 2 : 0;
    for (Line line : lines.subList(0, alone)) {
      findings.add(single(rule, line));
    }
    if (few) {
      return;
    }
    List<Line> rest = lines.subList(alone, lines.size());
    int first = rest.getFirst().layer.orElse(-1);
    findings.add(
        Finding.of(
                rule,
                rest.size()
                    + (alone > 0 ? " more" : "")
                    + " layers ("
                    + ranges(rest)
                    + "), first layer "
                    + first
                    + ": "
                    + rest.getFirst().message)
            .about(subject(first)));
  }

  private static Finding single(CompareRule rule, Line line) {
    if (line.layer.isEmpty()) {
      return Finding.of(rule, line.message);
    }
    int layer = line.layer.getAsInt();
    return Finding.of(rule, "layer " + layer + ": " + line.message).about(subject(layer));
  }

  private static Subject subject(int layer) {
    return new Subject(Subject.Kind.LAYER, Integer.toString(layer));
  }

  /// Returns the numbers of layers, in rising order, as ranges: `0-3, 7`.
  private static String ranges(List<Line> lines) {
    StringBuilder text = new StringBuilder();
    int start = 0;
    for (int i = 1; i <= lines.size(); i++) {
      int last = lines.get(i - 1).layer.orElse(-1);
      if (i < lines.size() && lines.get(i).layer.orElse(-1) == last + 1) {
        continue;
      }
      int first = lines.get(start).layer.orElse(-1);
      text.append(text.isEmpty() ? "" : ", ").append(first);
      if (last > first) {
        text.append('-').append(last);
      }
      start = i;
    }
    return text.toString();
  }
}
