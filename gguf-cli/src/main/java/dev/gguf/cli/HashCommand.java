package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.GgufFormatException;
import dev.gguf.Inspection;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Judged;
import dev.gguf.cli.render.Output;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.verify.DataHash;
import dev.gguf.verify.HashAlgorithm;
import dev.gguf.verify.HashCheck;
import dev.gguf.verify.HashManifest;
import dev.gguf.verify.HashReport;
import dev.gguf.verify.ScanOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `gguf hash`: hashes of tensors and of the model, and their check against a manifest.
final class HashCommand extends Command {
  private static final int MOST_THREADS = 256;

  @Override
  String summary() {
    return "Hashes of every tensor and of the model, and their check against a manifest";
  }

  @Override
  List<String> description() {
    return List.of(
        "Hashes are over tensor data alone, so metadata can change without changing them. The lines"
            + " are those of llama-gguf-hash, and each program can check the lines of the other.",
        "For a split set there is a line for each file, and one for the data of all of them under"
            + " the name of the merged file, whose hash is the same.");
  }

  @Override
  boolean hasVerdict() {
    return true;
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.values(
        "--algorithm",
        "xxh64|sha1|sha256",
        "Can be repeated; default xxh64, with --check the strongest of the manifest.");
    syntax.value("--check", "MANIFEST", "Compare with the lines of this file.");
    syntax.flag("Only hashes of whole files, which takes half the time.", "--no-tensors");
    syntax.value("--threads", "N", "How many threads; default one a processor, up to 4.");
  }

  @Override
  int run(Call call) throws IOException {
    Set<HashAlgorithm> algorithms = algorithms(call);
    int threads = (int) call.number("--threads", ScanOptions.DEFAULT.threads(), 1, MOST_THREADS);
    String check = call.option("--check");
    if (call.quiet() && check == null) {
      throw CommandException.usage("--quiet: only --check gives a verdict that could stand alone");
    }
    HashManifest manifest = check == null ? null : manifest(check);
    if (algorithms.isEmpty()) {
      algorithms.add(manifest == null ? HashAlgorithm.XXH64 : strongest(manifest, check));
    } else if (manifest != null) {
      requireLines(manifest, algorithms, check);
    }
    String name = call.positional(0);
    try (Inspection inspection = Inputs.inspect(name)) {
      if (inspection.gguf().isEmpty() || !inspection.findings().isEmpty()) {
        GgufFormatException reason = new GgufFormatException(inspection.findings().getFirst());
        if (check != null && call.output().isJson()) {
          call.output().note("gguf: " + reason.getMessage());
          List<Judged> judged =
              List.of(Judged.of(Path.of(name), inspection, inspection.findings()));
          return Math.max(Exit.FOUND, call.judge("hash", judged));
        }
        throw reason;
      }
      Gguf gguf = inspection.gguf().get();
      HashReport report = hash(call, gguf, algorithms, threads);
      if (report == null) {
        call.output().note("gguf: interrupted; a hash of part of the data is of no use");
        return Exit.INTERRUPTED;
      }
      if (manifest == null || check == null) {
        write(call.output(), Path.of(name), report);
        return Exit.OK;
      }
      HashCheck checked = HashCheck.of(report, manifest, Path.of(check));
      Judged judged = Judged.of(Path.of(name), inspection, checked.findings());
      return call.judge("hash", List.of(judged.withDetail(new Lines(checked))));
    }
  }

  @Override
  void writeNothing(Call call, JsonWriter json) {
    if (call.has("--check")) {
      super.writeNothing(call, json);
      return;
    }
    json.field("path", call.positional(0)).array("tensors").endArray();
    json.array("files").endArray().object("model");
    Set<HashAlgorithm> asked = algorithms(call);
    for (HashAlgorithm algorithm : asked.isEmpty() ? Set.of(HashAlgorithm.XXH64) : asked) {
      json.name(algorithm.label()).nothing();
    }
    json.endObject();
  }

  private static @Nullable HashReport hash(
      Call call, Gguf gguf, Set<HashAlgorithm> algorithms, int threads) throws IOException {
    try (Interruption interruption = new Interruption();
        ProgressLine progress = new ProgressLine(call.output())) {
      try {
        return DataHash.hash(gguf, algorithms, !call.has("--no-tensors"), threads, progress);
      } catch (IOException e) {
        if (interruption.isSeen()) {
          return null;
        }
        throw e;
      }
    }
  }

  private static Set<HashAlgorithm> algorithms(Call call) {
    Set<HashAlgorithm> algorithms = EnumSet.noneOf(HashAlgorithm.class);
    for (String label : call.options("--algorithm")) {
      algorithms.add(
          HashAlgorithm.of(label)
              .orElseThrow(() ->
                  CommandException.usage(
                      "--algorithm " + label + ": expected xxh64, sha1 or sha256")));
    }
    return algorithms;
  }

  private static HashManifest manifest(String name) {
    try {
      return HashManifest.read(OptionFiles.path(name));
    } catch (IOException e) {
      throw CommandException.usage(name + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static HashAlgorithm strongest(HashManifest manifest, @Nullable String name) {
    return manifest
        .strongest()
        .orElseThrow(() ->
            CommandException.failure(
                name
                    + ": has no line of xxh64, sha1 or sha256 as gguf hash writes them; digests of"
                    + " whole files are for gguf verify --manifest"));
  }

  private static void requireLines(
      HashManifest manifest, Set<HashAlgorithm> algorithms, @Nullable String name) {
    for (HashAlgorithm algorithm : algorithms) {
      if (manifest.lines().stream().noneMatch(line -> line.algorithm() == algorithm)) {
        throw CommandException.failure(name + ": has no line of " + algorithm.label());
      }
    }
  }

  private static void write(Output output, Path path, HashReport report) {
    if (output.isJson()) {
      write(output.json("hash"), path, report);
      return;
    }
    TextWriter text = output.text();
    for (HashReport.OfTensor of : report.tensors()) {
      of.hex()
          .forEach((algorithm, hex) ->
              line(text, algorithm, hex, of.tensor().file().path() + ":" + of.tensor().name()));
    }
    for (HashReport.OfFile of : report.files()) {
      of.hex().forEach((algorithm, hex) -> line(text, algorithm, hex, of.file().path().toString()));
    }
    if (report.files().size() > 1) {
      String name = HashCheck.setName(report.files().getFirst().file()).toString();
      report.model().forEach((algorithm, hex) -> line(text, algorithm, hex, name));
    }
  }

  private static void line(TextWriter text, HashAlgorithm algorithm, String hex, String name) {
    text.line(words(algorithm, hex, name));
  }

  private static String words(HashAlgorithm algorithm, String hex, String name) {
    String label = algorithm.label();
    return label + " ".repeat(10 - label.length()) + hex + "  " + name;
  }

  private static void write(JsonWriter json, Path path, HashReport report) {
    json.field("path", path.toString()).array("tensors");
    for (HashReport.OfTensor of : report.tensors()) {
      json.object().field("name", of.tensor().name(), of.tensor().nameBase64());
      hashes(json, of.hex());
      json.endObject();
    }
    json.endArray().array("files");
    for (HashReport.OfFile of : report.files()) {
      json.object().field("path", of.file().path().toString());
      hashes(json, of.hex());
      json.endObject();
    }
    json.endArray().object("model");
    hashes(json, report.model());
    json.endObject();
  }

  private static void hashes(JsonWriter json, Map<HashAlgorithm, String> hashes) {
    for (HashAlgorithm algorithm : HashAlgorithm.values()) {
      String hex = hashes.get(algorithm);
      if (hex != null) {
        json.field(algorithm.label(), hex);
      }
    }
  }

  /// The hashes, each with how it compares.
  private record Lines(HashCheck check) implements Judged.Detail {
    @Override
    public void write(JsonWriter json) {
      json.array("hashes");
      for (HashCheck.Line line : check.lines()) {
        json.object().field("algorithm", line.algorithm().label()).field("hash", line.hex());
        json.field("name", line.name()).field("state", line.state().label()).endObject();
      }
      json.endArray();
    }

    @Override
    public void write(TextWriter text) {
      for (HashCheck.Line line : check.lines()) {
        String words = words(line.algorithm(), line.hex(), line.name());
        text.line(words + "  -  " + line.state().label());
      }
    }
  }
}
