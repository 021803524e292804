package dev.gguf.cli;

import dev.gguf.mapping.checkpoint.CheckpointException;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The files of a checkpoint that lie beside a model.
final class Beside {
  private Beside() {}

  /// Returns the config.json that a command line names, else the one beside the model, or null.
  ///
  /// @param named a file or the folder that holds it, as given; null to look beside the model
  /// @throws CommandException if the named one cannot be read, or the one beside is no
  ///   configuration
  static @Nullable ModelConfig config(Path model, @Nullable String named) {
    Path path = named == null ? model.resolveSibling(ModelConfig.FILE_NAME) : Path.of(named);
    if (named != null && Files.isDirectory(path)) {
      path = path.resolve(ModelConfig.FILE_NAME);
    }
    if (named == null && !Files.isRegularFile(path)) {
      return null;
    }
    try {
      return ModelConfig.read(path);
    } catch (CheckpointException e) {
      throw CommandException.usage(e.getMessage(), e);
    }
  }
}
