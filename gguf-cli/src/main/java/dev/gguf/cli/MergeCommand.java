package dev.gguf.cli;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufFile;
import dev.gguf.Inspection;
import dev.gguf.Severity;
import dev.gguf.cli.render.Findings;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.mapping.check.CheckOptions;
import dev.gguf.mapping.check.ModelCheck;
import dev.gguf.write.FileOutput;
import dev.gguf.write.Merge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `gguf merge`: one file of a split set.
final class MergeCommand extends Command {
  @Override
  String summary() {
    return "One file of a split set, after checking every shard";
  }

  @Override
  List<String> description() {
    return List.of(
        "All of gguf check is run first; a finding that is an error, or says that the shards look"
            + " like parts of different models, stops the merge unless --accept-findings is given."
            + " Numbers, names and sizes of the shards have to be right in any case.",
        "The file is written beside its place under another name and renamed when it is right. The"
            + " keys split.* are left out, holes stay holes.");
  }

  @Override
  void describe(Syntax syntax) {
    syntax.positional("SHARD", "Any file of the split set.", 1, 1);
    syntax.positional("OUT", "The file to write.", 1, 1);
    NewFile.describe(syntax);
    syntax.flag("Merge in spite of what check says about the model.", "--accept-findings");
  }

  @Override
  int run(Call call) throws IOException {
    String name = call.positional(0);
    Path out = NewFile.path(call, call.positional(1), name);
    if (Merge.isShardName(out)) {
      throw CommandException.usage(
          out
              + ": is the name of a shard, readers would look for the others; name the whole"
              + " otherwise");
    }
    try (Inspection inspection = Inputs.inspect(name)) {
      List<Finding> findings = ModelCheck.check(inspection, CheckOptions.DEFAULT).findings();
      List<Finding> stopping = stopping(findings);
      boolean opens = inspection.findings().isEmpty();
      if (!opens || !stopping.isEmpty() && !call.has("--accept-findings")) {
        if (opens) {
          call.output().note("--accept-findings merges in spite of what check says");
        }
        return refuse(call, name, stopping);
      }
      Gguf set = inspection.gguf().orElseThrow();
      Merge merge = call.has("--accept-findings") ? Merge.uncounted(set) : Merge.of(set);
      FileOutput.Space space = NewFile.write(call, out, merge.file());
      if (call.output().isJson()) {
        json(call, name, out, set, merge, findings, space);
      } else {
        text(call, out, set, merge);
      }
      return Exit.OK;
    }
  }

  private static List<Finding> stopping(List<Finding> findings) {
    List<Finding> stopping = new ArrayList<>();
    for (Finding finding : findings) {
      if (finding.severity() == Severity.ERROR || finding.rule() == FileRule.SHARD_MIXED) {
        stopping.add(finding);
      }
    }
    return stopping;
  }

  private static int refuse(Call call, String name, List<Finding> stopping) {
    if (call.output().isJson()) {
      JsonWriter json = call.output().json("merge").field("path", name);
      json.field("out", (String) null).name("findings");
      Findings.write(json, stopping);
    } else {
      call.output().text().line(name + ": not merged; nothing was written");
      Findings.write(call.output().text(), stopping, Path.of(name));
    }
    return Exit.FOUND;
  }

  private static void json(
      Call call,
      String name,
      Path out,
      Gguf set,
      Merge merge,
      List<Finding> findings,
      FileOutput.Space space) {
    JsonWriter json = call.output().json("merge").field("path", name).field("out", out.toString());
    json.field("tensors", set.tensors().size()).field("bytes", space.size());
    json.field("diskBytes", space.needed()).field("verified", call.has("--verify"));
    json.array("shards");
    for (GgufFile file : set.files()) {
      json.object().field("path", file.path().toString()).field("bytes", file.size());
      json.field("tensors", file.tensors().size()).endObject();
    }
    json.endArray().field("notes", merge.notes()).name("findings");
    Findings.write(json, findings);
  }

  private static void text(Call call, Path out, Gguf set, Merge merge) {
    TextWriter text = call.output().text();
    text.line(
        out
            + ": "
            + Numbers.of(set.tensors().size(), "tensor")
            + ", "
            + Numbers.sizeAndBytes(out.toFile().length())
            + ", of "
            + Numbers.of(set.files().size(), "shard")
            + (call.has("--verify") ? "; every byte read back and compared" : ""));
    merge.notes().forEach(note -> text.line("  " + note));
  }
}
