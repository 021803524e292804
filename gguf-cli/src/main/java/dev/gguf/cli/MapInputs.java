package dev.gguf.cli;

import dev.gguf.mapping.checkpoint.Checkpoint;
import dev.gguf.mapping.checkpoint.CheckpointException;
import dev.gguf.mapping.checkpoint.ModelConfig;
import dev.gguf.mapping.checkpoint.WeightIndex;
import dev.gguf.mapping.compare.NameComparison;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What of a checkpoint `gguf map` uses besides FILE: named by an option, or lying beside the file.
///
/// @param config `config.json`, or null
/// @param names names of the checkpoint's parameters with their shapes, null where not known; or
///   null
/// @param namesFrom what the names were read from, or null
record MapInputs(
    @Nullable ModelConfig config,
    @Nullable Map<String, long @Nullable []> names,
    @Nullable Path namesFrom) {
  private static final String WEIGHTS = "model.safetensors";

  /// Returns what the options `--config` and `--index` name, or what lies beside the file. A file
  /// found there that cannot be read is told and left out; one that was named is an error.
  static MapInputs of(Call call, Path file) throws CheckpointException {
    Path folder = file.toAbsolutePath().getParent();
    String config = call.option("--config");
    String index = call.option("--index");
    ModelConfig read = config == null ? null : ModelConfig.read(configPath(config));
    Path from = index == null ? null : Checkpoints.path(index);
    Map<String, long @Nullable []> names = from == null ? null : names(from);
    if (folder != null && read == null) {
      read = config(call, folder.resolve(ModelConfig.FILE_NAME));
    }
    for (String name : new String[] {WeightIndex.FILE_NAME, WEIGHTS}) {
      if (folder != null && names == null) {
        from = folder.resolve(name);
        names = names(call, from);
      }
    }
    return new MapInputs(read, names, names == null ? null : from);
  }

  private static Path configPath(String name) {
    Path path = Checkpoints.path(name);
    return Files.isDirectory(path) ? path.resolve(ModelConfig.FILE_NAME) : path;
  }

  private static @Nullable ModelConfig config(Call call, Path path) {
    if (!Files.isRegularFile(path)) {
      return null;
    }
    try {
      ModelConfig config = ModelConfig.read(path);
      call.output().note("using " + path);
      return config;
    } catch (CheckpointException e) {
      call.output().note("passing over " + e.getMessage());
      return null;
    }
  }

  private static @Nullable Map<String, long @Nullable []> names(Call call, Path path) {
    if (!Files.isRegularFile(path)) {
      return null;
    }
    try {
      Map<String, long @Nullable []> names = names(path);
      call.output().note("using " + path);
      return names;
    } catch (CheckpointException e) {
      call.output().note("passing over " + e.getMessage());
      return null;
    }
  }

  /// Reads names and, where the weights themselves are there, shapes.
  private static Map<String, long @Nullable []> names(Path path) throws CheckpointException {
    if (path.toString().endsWith(".json")) {
      WeightIndex index = WeightIndex.read(path);
      boolean weights = false;
      for (String file : index.files()) {
        weights |= Files.exists(path.resolveSibling(file));
      }
      if (!weights) {
        return NameComparison.names(index);
      }
    }
    try (Checkpoint checkpoint = Checkpoint.open(path)) {
      return NameComparison.names(checkpoint);
    }
  }
}
