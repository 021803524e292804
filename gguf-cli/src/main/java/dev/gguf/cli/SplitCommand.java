package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Inspection;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.OutputPath;
import dev.gguf.write.Split;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SequencedMap;

/// `gguf split`: a split set of one model.
final class SplitCommand extends Command {
  @Override
  String summary() {
    return "A split set of one model, as other tools load and merge it";
  }

  @Override
  List<String> description() {
    return List.of(
        "The shards are PREFIX-00001-of-0000N.gguf and so on. SIZE is a number of bytes, or a number"
            + " with K, M, G or T for powers of 1000, or with KiB, MiB, GiB or TiB for powers of"
            + " 1024; no shard is larger, unless a single tensor is.");
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.positional("OUT_PREFIX", "Folder and start of the names of the shards.", 1, 1);
    syntax.value("--max-size", "SIZE", "The most that a shard may have, such as 50G.");
    syntax.value("--max-tensors", "N", "The most tensors that a shard may have.");
    syntax.flag("The first shard has the metadata and no tensor.", "--empty-first");
    NewFile.describe(syntax);
  }

  @Override
  int run(Call call) throws IOException {
    String size = call.option("--max-size");
    if ((size == null) == !call.has("--max-tensors")) {
      throw CommandException.usage("give either --max-size or --max-tensors");
    }
    String name = call.positional(0);
    Path prefix = prefix(call.positional(1));
    long tensors = call.number("--max-tensors", 1, 1, Integer.MAX_VALUE);
    long bytes = size == null ? 1 : Sizes.parse("--max-size", size);
    try (Inspection inspection = Inputs.inspect(name)) {
      Gguf model = NewFile.whole(inspection, name);
      boolean emptyFirst = call.has("--empty-first");
      Split split =
          size == null
              ? Split.byTensors(model, (int) tensors, emptyFirst)
              : Split.bySize(model, bytes, emptyFirst);
      SequencedMap<Path, GgufWriter> shards = split.named(prefix);
      NewFile.write(call, shards);
      if (call.output().isJson()) {
        json(call, name, shards, split);
      } else {
        text(call, shards, split);
      }
      return Exit.OK;
    }
  }

  private static Path prefix(String name) {
    Path prefix = NewFile.parse(name);
    if (prefix.getFileName() == null
        || name.isEmpty()
        || name.endsWith("/")
        || name.endsWith("\\")) {
      throw CommandException.usage(
          name + ": is a folder; add the start of the shards' names, such as " + name + "model");
    }
    try {
      OutputPath.requireFolder(prefix);
    } catch (GgufException e) {
      throw CommandException.usage(e.getMessage(), e);
    }
    return prefix;
  }

  private static void json(
      Call call, String name, SequencedMap<Path, GgufWriter> shards, Split split) {
    JsonWriter json = call.output().json("split").field("path", name);
    json.field("verified", call.has("--verify")).array("files");
    for (Path shard : shards.keySet()) {
      json.object().field("path", shard.toString()).field("bytes", shard.toFile().length());
      json.endObject();
    }
    json.endArray().field("notes", split.notes());
  }

  private static void text(Call call, SequencedMap<Path, GgufWriter> shards, Split split) {
    TextWriter text = call.output().text();
    for (Path shard : shards.keySet()) {
      text.line(shard + ": " + Numbers.sizeAndBytes(shard.toFile().length()));
    }
    split.notes().forEach(note -> text.line("  " + note));
  }
}
