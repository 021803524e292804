package dev.gguf.verify;

import dev.gguf.Finding;
import dev.gguf.GgufFile;
import dev.gguf.Severity;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.internal.ShardName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Holds hashes against a manifest.
///
/// Every line of the report has a state. A model whose own hash agrees is sound even where lines of
/// tensors are absent; without that, a tensor that no line is about has not been checked, which is
/// an error.
public final class HashCheck {
  /// How a hash compares.
  public enum State {
    /// The manifest has the same.
    OK("Ok"),
    /// The manifest has another.
    MISMATCH("Mismatch"),
    /// The manifest has none.
    NOT_FOUND("Not Found");

    private final String label;

    State(String label) {
      this.label = label;
    }

    /// Returns the words that llama-gguf-hash writes.
    public String label() {
      return label;
    }
  }

  /// One hash and how it compares.
  ///
  /// @param algorithm of the hash
  /// @param hex the hash of the data
  /// @param name `FILE:TENSOR` or `FILE`, with the path that the file was opened by
  /// @param state whether the manifest has the same
  public record Line(HashAlgorithm algorithm, String hex, String name, State state) {}

  private final HashManifest manifest;
  private final Path path;
  private final List<Line> lines = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private final List<Tensor> absent = new ArrayList<>();
  private final Set<GgufFile> proven = new HashSet<>();
  private boolean modelProven;
  private int agreeing;
  private int differing;

  private HashCheck(HashManifest manifest, Path path) {
    this.manifest = manifest;
    this.path = path;
  }

  /// Compares.
  ///
  /// @param path of the manifest, for messages
  public static HashCheck of(HashReport report, HashManifest manifest, Path path) {
    HashCheck check = new HashCheck(manifest, path);
    check.compare(report);
    return check;
  }

  /// Returns all hashes with their states, in the order in which they are written.
  public List<Line> lines() {
    return List.copyOf(lines);
  }

  /// Returns what differs or is absent; where all is well, one piece of information.
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  /// Returns the name that the data of a whole set is listed under: that of the merged file.
  ///
  /// @param file the first file of the set
  public static Path setName(GgufFile file) {
    return ShardName.of(file.path())
        .map(name -> file.path().resolveSibling(name.prefix() + ".gguf"))
        .orElse(file.path());
  }

  private void compare(HashReport report) {
    for (HashReport.OfTensor of : report.tensors()) {
      Tensor tensor = of.tensor();
      of.hex()
          .forEach((algorithm, hex) -> {
            State state = add(algorithm, hex, tensor.file().path(), tensor);
            if (state == State.NOT_FOUND) {
              absent.add(tensor);
            }
          });
    }
    for (HashReport.OfFile of : report.files()) {
      of.hex()
          .forEach((algorithm, hex) -> {
            if (add(algorithm, hex, of.file().path(), null) == State.OK) {
              proven.add(of.file());
            }
          });
    }
    if (report.files().size() > 1) {
      Path name = setName(report.files().getFirst().file());
      report
          .model()
          .forEach((algorithm, hex) -> modelProven |= add(algorithm, hex, name, null) == State.OK);
    }
    conclude(report);
  }

  private State add(HashAlgorithm algorithm, String hex, Path file, @Nullable Tensor tensor) {
    String fileName = String.valueOf(file.getFileName());
    String tensorName = tensor == null ? null : tensor.name();
    String known = manifest.find(algorithm, fileName, tensorName).orElse(null);
    State state = known == null ? State.NOT_FOUND : known.equals(hex) ? State.OK : State.MISMATCH;
    String name = tensor == null ? file.toString() : file + ":" + tensorName;
    lines.add(new Line(algorithm, hex, name, state));
    agreeing += state == State.OK ? 1 : 0;
    if (state == State.MISMATCH) {
      differing++;
      String of = tensor == null ? "all data of " + fileName : tensorName;
      Finding finding =
          Finding.of(
              DataRule.DIGEST,
              "mismatch: the "
                  + algorithm.label()
                  + " of "
                  + of
                  + " is "
                  + hex
                  + ", "
                  + path
                  + " has "
                  + known);
      findings.add(
          tensor == null
              ? finding.about(Subject.file(fileName)).in(file)
              : finding.about(Subject.tensor(tensor.name())).at(file, tensor.fileOffset()));
    }
    return state;
  }

  private void conclude(HashReport report) {
    Path file = report.files().getFirst().file().path();
    if (agreeing == 0 && differing == 0) {
      String about = manifest.lines().isEmpty() ? "nothing" : manifest.lines().getFirst().name();
      findings.add(
          Finding.of(
                  DataRule.DIGEST,
                  path
                      + " has no line about "
                      + file.getFileName()
                      + "; its first line is about "
                      + about)
              .in(file)
              .withHint("name the file as it was named when the manifest was made"));
      return;
    }
    absent.removeIf(tensor -> modelProven || proven.contains(tensor.file()));
    if (!absent.isEmpty()) {
      Tensor first = absent.getFirst();
      findings.add(
          Finding.of(
                  DataRule.DIGEST,
                  path
                      + " has no line about "
                      + absent.size()
                      + " of "
                      + report.tensors().size()
                      + " tensors, first "
                      + first.name())
              .about(Subject.tensor(first.name()))
              .at(first.file().path(), first.fileOffset()));
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.of(
                  DataRule.DIGEST,
                  (agreeing == 1 ? "1 hash agrees" : agreeing + " hashes agree") + " with " + path)
              .withSeverity(Severity.INFO)
              .in(file));
    }
  }
}
