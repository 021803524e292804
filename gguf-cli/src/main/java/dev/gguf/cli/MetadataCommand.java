package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.Metadata;
import dev.gguf.ValueType;
import dev.gguf.cli.render.Findings;
import dev.gguf.cli.render.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `gguf metadata`: every key with type and value.
final class MetadataCommand extends Command {
  @Override
  String summary() {
    return "Every key of the file with its type and value";
  }

  @Override
  List<String> description() {
    return List.of(
        "One --key into a pipe or a file writes the value alone, a string byte for byte as the file"
            + " holds it, a list one element a line.");
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.values(
        "--key", "K", "Only this key; can be repeated, * and ? stand for any characters.");
    syntax.flag("Lists and long strings in full.", "--full");
  }

  @Override
  int run(Call call) throws IOException {
    String name = call.positional(0);
    List<String> asked = call.options("--key");
    try (Inspection inspection = Inputs.inspect(name)) {
      Gguf gguf = inspection.gguf().orElse(null);
      Metadata metadata = gguf == null ? Metadata.EMPTY : gguf.metadata();
      List<String> absent = new ArrayList<>();
      List<Metadata.Entry> entries = chosen(metadata, asked, absent);
      show(call, Path.of(name), entries, inspection.findings());
      for (String key : absent) {
        call.output().note("gguf: " + name + " has no key " + key + suggestion(key, metadata));
      }
      return absent.isEmpty() ? call.status(Findings.worst(inspection.findings())) : Exit.FOUND;
    }
  }

  private static List<Metadata.Entry> chosen(
      Metadata metadata, List<String> asked, List<String> absent) {
    if (asked.isEmpty()) {
      return metadata.entries();
    }
    List<Metadata.Entry> chosen = new ArrayList<>();
    for (String key : asked) {
      int before = chosen.size();
      Glob glob = Glob.isPattern(key) && !metadata.has(key) ? new Glob(key) : null;
      for (Metadata.Entry entry : metadata) {
        if (glob == null ? entry.key().equals(key) : glob.matches(entry.key())) {
          chosen.add(entry);
        }
      }
      if (chosen.size() == before) {
        absent.add(key);
      }
    }
    return chosen;
  }

  private static void show(
      Call call, Path path, List<Metadata.Entry> entries, List<Finding> findings)
      throws IOException {
    Output output = call.output();
    boolean full = call.has("--full");
    List<String> asked = call.options("--key");
    boolean one = asked.size() == 1 && !Glob.isPattern(asked.getFirst());
    if (output.isJson()) {
      MetadataView.json(output.json("metadata"), path, entries, findings, full);
    } else if (one && output.isTerminal()) {
      for (Metadata.Entry entry : entries) {
        MetadataView.whole(output.text(), entry);
      }
    } else if (one && !entries.isEmpty()) {
      MetadataView.raw(output.bytes(), entries.getFirst());
      findings.forEach(finding -> output.note("gguf: " + path + ": " + finding.message()));
    } else {
      MetadataView.text(output.text(), path, entries, findings, full);
    }
  }

  private static String suggestion(String key, Metadata metadata) {
    List<String> keys = new ArrayList<>();
    for (Metadata.Entry entry : metadata) {
      if (entry.key().endsWith("." + key) && entry.type() != ValueType.ARRAY) {
        return "; did you mean " + entry.key() + "?";
      }
      keys.add(entry.key());
    }
    String near = Nearest.to(key, keys);
    return near == null ? "" : "; did you mean " + near + "?";
  }
}
