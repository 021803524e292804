package dev.gguf.cli;

import dev.gguf.mapping.checkpoint.Checkpoint;
import dev.gguf.mapping.checkpoint.CheckpointException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// The rules for CHECKPOINT on a command line.
final class Checkpoints {
  private Checkpoints() {}

  /// Opens a checkpoint.
  ///
  /// @throws CommandException if the path does not exist
  /// @throws CheckpointException if it holds no checkpoint
  static Checkpoint open(String name) throws CheckpointException {
    return Checkpoint.open(path(name));
  }

  /// Returns a path that exists.
  ///
  /// @throws CommandException if it does not
  static Path path(String name) {
    Path path;
    try {
      path = Path.of(name);
    } catch (InvalidPathException e) {
      throw CommandException.usage(name + ": is no path: " + e.getReason(), e);
    }
    if (!Files.exists(path)) {
      Inputs.requireReachable(name, path);
      throw CommandException.usage(
          name
              + ": there is no such file or folder; a checkpoint is a folder with safetensors files,"
              + " or one such file");
    }
    return path;
  }
}
