package dev.gguf.cli;

import dev.gguf.FileKind;
import dev.gguf.mapping.checkpoint.CheckpointException;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Finds the `config.json` that belongs to a model: the one named by `--config`, else the one
/// beside the file.
final class Configs {
  private Configs() {}

  /// Returns the config, or null where there is none. One that cannot be read is told and passed
  /// over, unless it was asked for.
  ///
  /// @throws CommandException if the one that was asked for cannot be read
  static @Nullable ModelConfig of(Call call, Models.Given model) {
    FileKind kind = model.inspection().kind();
    if (kind != FileKind.MODEL && kind != FileKind.MTP) {
      return null;
    }
    String named = call.option("--config");
    if (named != null) {
      try {
        return ModelConfig.read(OptionFiles.path(named));
      } catch (CheckpointException e) {
        throw CommandException.usage(e.getMessage(), e);
      }
    }
    Path beside = model.path().resolveSibling(ModelConfig.FILE_NAME);
    if (!Files.isRegularFile(beside)) {
      return null;
    }
    try {
      ModelConfig config = ModelConfig.read(beside);
      call.output().note("using " + beside);
      return config;
    } catch (CheckpointException e) {
      call.output().note("passing over " + e.getMessage());
      return null;
    }
  }
}
