package dev.gguf.verify;

import dev.gguf.Finding;
import java.util.ArrayList;
import java.util.List;

/// What a scan found, in the order of the files and of the tensors in them, whatever the number of
/// threads was.
///
/// @param findings what was found
/// @param dataBytes size of all tensors
/// @param readBytes bytes of tensors that were read
/// @param holeBytes bytes of tensors that the file system says were never written; they were
///   skipped, since they read as zeros
/// @param holesKnown whether the file system tells holes from data at all; where it does not, they
///   were read like everything else
/// @param isComplete whether all data was seen: false if the scan was interrupted, a file changed
///   meanwhile, or lacks bytes of its tensors
public record DataReport(
    List<DataFinding> findings,
    long dataBytes,
    long readBytes,
    long holeBytes,
    boolean holesKnown,
    boolean isComplete) {

  /// Copies the list.
  public DataReport {
    findings = List.copyOf(findings);
  }

  /// Returns the findings without their places.
  public List<Finding> plainFindings() {
    List<Finding> plain = new ArrayList<>(findings.size());
    for (DataFinding finding : findings) {
      plain.add(finding.finding());
    }
    return plain;
  }
}
