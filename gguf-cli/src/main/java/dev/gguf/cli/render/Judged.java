package dev.gguf.cli.render;

import dev.gguf.FileKind;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufFile;
import dev.gguf.Inspection;
import dev.gguf.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One model with what a command found out about it: an entry of the [Envelope].
///
/// @param path as it was given on the command line
/// @param kind what the file is for
/// @param architecture value of `general.architecture`, or null
/// @param files the files of the model
/// @param findings in the order in which they are shown, the worst first
/// @param mapping how many tensors the target takes, or null where nobody asked or nobody knows
/// @param engines predictions, one for each engine that was asked
/// @param detail what only this command tells, or null
public record Judged(
    Path path,
    FileKind kind,
    @Nullable String architecture,
    List<JudgedFile> files,
    List<Finding> findings,
    @Nullable MappingCount mapping,
    List<EnginePrediction> engines,
    @Nullable Detail detail) {

  /// A file of a model.
  ///
  /// @param path as opened
  /// @param bytes its size
  /// @param version of the format, or null where it could not be read
  /// @param byteOrder `little` or `big`, or null where it could not be read
  /// @param tensors number of tensors read, or null
  /// @param metadata number of keys read, or null
  public record JudgedFile(
      Path path,
      long bytes,
      @Nullable Integer version,
      @Nullable String byteOrder,
      @Nullable Integer tensors,
      @Nullable Integer metadata) {}

  /// How the tensors of a model fit the parameters of a target: `tensors = mapped + unmapped`.
  ///
  /// @param target such as `hf`
  /// @param tensors of the model
  /// @param mapped tensors that the target takes
  /// @param unmapped tensors that it does not take
  /// @param missing parameters of the target that no tensor feeds
  public record MappingCount(String target, int tensors, int mapped, int unmapped, int missing) {}

  /// What an engine will do with a model.
  ///
  /// @param engine its name on the command line
  /// @param version what was asked about, or null
  /// @param loads `yes`, `no`, `conditional` or `unknown`
  /// @param reasons why
  public record EnginePrediction(
      String engine, @Nullable String version, String loads, List<Reason> reasons) {}

  /// Why an engine does what it does.
  ///
  /// @param rule identifier
  /// @param message one sentence
  /// @param source of the fact, or null
  /// @param versions of the engine that it holds for, or null
  /// @param hint what to do, or null
  public record Reason(
      String rule,
      String message,
      @Nullable String source,
      @Nullable String versions,
      @Nullable String hint) {}

  /// Part of an entry that belongs to one command.
  public interface Detail {
    /// Writes the fields that the command adds to the entry.
    void write(JsonWriter json);

    /// Writes lines for people, which stand between the summary and the findings.
    void write(TextWriter text);

    /// Returns what the verdict is about, as words behind it that begin with a space, where that is
    /// not the whole model; else nothing.
    default String scope() {
      return "";
    }
  }

  /// Sorts the findings, the worst first.
  public Judged {
    files = List.copyOf(files);
    findings = Findings.worstFirst(findings);
    engines = List.copyOf(engines);
  }

  /// Returns an entry for what an inspection has read.
  ///
  /// @param path as it was given on the command line
  /// @param inspection of that path
  /// @param findings all that was found, those of the inspection among them
  public static Judged of(Path path, Inspection inspection, List<Finding> findings) {
    Gguf gguf = inspection.gguf().orElse(null);
    String architecture = gguf == null ? null : gguf.architecture().orElse(null);
    return new Judged(
        path, inspection.kind(), architecture, files(path, gguf), findings, null, List.of(), null);
  }

  /// Returns the files of a model; of one that does not start like a GGUF file its size alone.
  static List<JudgedFile> files(Path path, @Nullable Gguf gguf) {
    if (gguf == null) {
      return List.of(new JudgedFile(path, path.toFile().length(), null, null, null, null));
    }
    List<JudgedFile> files = new ArrayList<>();
    for (GgufFile file : gguf.files()) {
      boolean big = file.byteOrder() == java.nio.ByteOrder.BIG_ENDIAN;
      files.add(
          new JudgedFile(
              file.path(),
              file.size(),
              file.version() == 0 ? null : file.version(),
              big ? "big" : "little",
              file.tensors().size(),
              file.metadata().size()));
    }
    return files;
  }

  /// Returns a copy with the count of mapped tensors.
  public Judged withMapping(@Nullable MappingCount count) {
    return new Judged(path, kind, architecture, files, findings, count, engines, detail);
  }

  /// Returns a copy with predictions.
  public Judged withEngines(List<EnginePrediction> predictions) {
    return new Judged(path, kind, architecture, files, findings, mapping, predictions, detail);
  }

  /// Returns a copy with the part that one command adds.
  public Judged withDetail(@Nullable Detail part) {
    return new Judged(path, kind, architecture, files, findings, mapping, engines, part);
  }

  /// Returns the severity of the worst finding, or null without one.
  public @Nullable Severity worst() {
    return findings.isEmpty() ? null : findings.getFirst().severity();
  }

  /// Returns the verdict: `ok` without a finding, else the word of the worst severity.
  public String verdict() {
    Severity worst = worst();
    return worst == null ? "ok" : worst.label();
  }

  /// Returns whether an engine that was asked does not load the model.
  public boolean isRefused() {
    for (EnginePrediction prediction : engines) {
      if (prediction.loads().equals("no")) {
        return true;
      }
    }
    return false;
  }
}
