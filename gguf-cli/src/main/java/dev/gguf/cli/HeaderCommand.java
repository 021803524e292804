package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.GgufFile;
import dev.gguf.Inspection;
import dev.gguf.Metadata;
import dev.gguf.cli.render.Numbers;
import dev.gguf.write.Edit;
import dev.gguf.write.FileOutput;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// `gguf header`: the header alone.
final class HeaderCommand extends Command {
  @Override
  String summary() {
    return "The header alone, for a bug report; data that is not there takes no space";
  }

  @Override
  List<String> description() {
    return List.of(
        "OUT is as large as the model but sparse: its data are holes, which take no disk space and"
            + " read as zeros. Where OUT ends in .gz it is the header alone, compressed, to be"
            + " attached as it is; info, metadata, tensors, map and check read it.",
        "Of a file whose header cannot be read to the end, its first 16 MiB are taken as they are.");
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.positional("OUT", "The file to write.", 1, 1);
    syntax.flag("Leave the lists of the tokenizer out.", "--without-vocabulary");
    syntax.flag("Replace what is there, once the new file is right.", "--force");
  }

  @Override
  int run(Call call) throws IOException {
    String name = call.positional(0);
    Path out = NewFile.path(call, call.positional(1), name);
    FileOutput output = FileOutput.create().overwrite(call.has("--force"));
    boolean compressed = out.toString().endsWith(".gz");
    try (Inspection inspection = Inputs.inspect(name)) {
      Gguf model = inspection.gguf().orElse(null);
      if (model == null || !isComplete(model)) {
        output.writeStart(Path.of(name), out, compressed);
      } else {
        Metadata metadata =
            call.has("--without-vocabulary")
                ? Edit.withoutVocabulary(model.metadata())
                : model.metadata();
        GgufWriter header = Edit.header(model, metadata);
        if (compressed) {
          output.writeCompressed(out, header);
        } else {
          output.write(out, header);
        }
      }
    }
    show(call, name, out);
    return Exit.OK;
  }

  private static boolean isComplete(Gguf model) {
    for (GgufFile file : model.files()) {
      if (!file.isHeaderComplete()) {
        return false;
      }
    }
    return true;
  }

  private static void show(Call call, String name, Path out) {
    long bytes = out.toFile().length();
    if (call.output().isJson()) {
      call.output()
          .json("header")
          .field("path", name)
          .field("out", out.toString())
          .field("bytes", bytes);
    } else {
      call.output().text().line(out + ": " + Numbers.sizeAndBytes(bytes));
    }
  }
}
