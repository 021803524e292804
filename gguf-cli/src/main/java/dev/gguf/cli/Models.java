package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Inspection;
import dev.gguf.cli.render.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The models that the FILEs of a command line stand for: a split set is there once, however many
/// of its shards are named. Closing it closes all of them.
final class Models implements AutoCloseable {
  /// A model as the command line names it.
  ///
  /// @param path as given; of several shards the one named first
  /// @param inspection what can be read of it
  record Given(Path path, Inspection inspection) {}

  private final List<Given> given = new ArrayList<>();

  private Models() {}

  /// Opens all.
  ///
  /// @throws CommandException if one of them cannot be opened
  static Models open(List<String> names) throws GgufException {
    Models models = new Models();
    try {
      for (String name : names) {
        if (!models.holds(Inputs.file(Inputs.isArchive(name) ? Archives.archive(name) : name))) {
          models.given.add(new Given(Path.of(name), Inputs.inspect(name)));
        }
      }
      return models;
    } catch (CommandException e) {
      models.close();
      throw e;
    }
  }

  /// Tells which of the models were judged by their header alone.
  void noteHeaderOnly(Output output) {
    for (Given model : given) {
      Gguf gguf = model.inspection().gguf().orElse(null);
      if (gguf == null || !gguf.files().getFirst().isHeaderOnly()) {
        continue;
      }
      output.note(
          "gguf: "
              + model.path()
              + ": only the header was unpacked; whether the data is complete is not judged");
      if (gguf.files().size() == 1 && gguf.files().getFirst().shardNumber().isPresent()) {
        output.note(
            "gguf: "
                + model.path()
                + ": other shards may lie behind this one, where they are not looked for; unpack it"
                + " to have the set judged");
      }
    }
  }

  List<Given> given() {
    return given;
  }

  private boolean holds(Path path) {
    for (Given model : given) {
      if (isSame(model.path(), path)) {
        return true;
      }
      if (model.inspection().gguf().isPresent()) {
        for (GgufFile file : model.inspection().gguf().get().files()) {
          if (isSame(file.path(), path)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean isSame(Path a, Path b) {
    try {
      return a.equals(b) || Files.isSameFile(a, b);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws GgufException {
    for (Given model : given) {
      model.inspection().close();
    }
  }
}
