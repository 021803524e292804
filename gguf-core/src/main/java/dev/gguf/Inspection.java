package dev.gguf;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What [Gguf#inspect] found: the model as far as it can be read, and the findings that its reader
/// met.
///
/// Closing it closes the model.
public final class Inspection implements AutoCloseable {
  private final Path path;
  private final Optional<Gguf> gguf;
  private final List<Finding> findings;

  Inspection(Path path, Optional<Gguf> gguf, List<Finding> findings) {
    this.path = path;
    this.gguf = gguf;
    this.findings = List.copyOf(findings);
  }

  /// Returns the path that was asked for: the model's only file, or any shard of its set.
  public Path path() {
    return path;
  }

  /// Returns the model, with everything that could be read, or empty if the file given does not
  /// start like a GGUF file.
  public Optional<Gguf> gguf() {
    return gguf;
  }

  /// Returns what stops [Gguf#open], in the order in which it was met; empty for a file that opens.
  /// The rules that do not stop the opening are judged by [dev.gguf.check.FileCheck].
  public List<Finding> findings() {
    return findings;
  }

  /// Returns what the file is for.
  public FileKind kind() {
    return gguf.map(Gguf::kind).orElse(FileKind.NOT_GGUF);
  }

  @Override
  public void close() throws GgufException {
    if (gguf.isPresent()) {
      gguf.get().close();
    }
  }
}
