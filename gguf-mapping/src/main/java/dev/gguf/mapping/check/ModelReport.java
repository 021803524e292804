package dev.gguf.mapping.check;

import dev.gguf.Finding;
import dev.gguf.check.Report;
import dev.gguf.mapping.Mapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What [ModelCheck] says about a model.
///
/// @param report the findings about the file and about the model, the worst first
/// @param mapping the names of its tensors, or empty for an architecture without a map and for
///   files that are no models
public record ModelReport(Report report, Optional<Mapping> mapping) {
  /// Returns a copy with further findings.
  public ModelReport with(List<Finding> more) {
    List<Finding> all = new ArrayList<>(report.findings());
    all.addAll(more);
    return new ModelReport(new Report(all), mapping);
  }

  /// Returns the findings, the worst first.
  public List<Finding> findings() {
    return report.findings();
  }

  /// Returns the verdict: `ok` without a finding, else the word of the worst severity.
  public String verdict() {
    return report.verdict();
  }
}
