package dev.gguf.check;

import dev.gguf.Finding;
import dev.gguf.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A list of findings and the verdict that follows from them.
///
/// @param findings in the order in which they are told: the worst first, else as they were found
public record Report(List<Finding> findings) {
  /// Sorts the findings, the worst first.
  public Report {
    List<Finding> sorted = new ArrayList<>(findings.size());
    for (Severity severity : new Severity[] {Severity.ERROR, Severity.WARNING, Severity.INFO}) {
      for (Finding finding : findings) {
        if (finding.severity() == severity) {
          sorted.add(finding);
        }
      }
    }
    findings = List.copyOf(sorted);
  }

  /// Returns the severity of the worst finding, or empty if there is none.
  public Optional<Severity> worst() {
    return findings.isEmpty() ? Optional.empty() : Optional.of(findings.getFirst().severity());
  }

  /// Returns the verdict: `ok` without a finding, else the word of the worst severity.
  public String verdict() {
    return worst().map(Severity::label).orElse("ok");
  }
}
