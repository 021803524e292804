package dev.gguf.cli;

import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Inspection;
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
