package dev.gguf.cli;

import dev.gguf.FileKind;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.checkpoint.Checkpoint;
import dev.gguf.mapping.checkpoint.CheckpointException;
import dev.gguf.mapping.checkpoint.WeightIndex;
import dev.gguf.mapping.compare.NameComparison;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Compares a file's names and shapes with those of a checkpoint: the one that `--index` names, or
/// the one that lies beside the file.
///
/// @param comparison of both, or null where there is nothing to compare with
/// @param from what the checkpoint's names were read from, or null
record IndexNames(@Nullable NameComparison comparison, @Nullable Path from) {
  private static final String WEIGHTS = "model.safetensors";
  private static final IndexNames NONE = new IndexNames(null, null);

  /// Compares. A checkpoint found beside the file that cannot be read is told and passed over; one
  /// that was named is an error.
  ///
  /// @param file path of the file, as given
  /// @throws CheckpointException if the checkpoint that was named cannot be read
  static IndexNames of(Call call, Path file, Inspection inspection) throws CheckpointException {
    String named = call.option("--index");
    // A checkpoint holds the language model of a projector too, so that only models are compared.
    FileKind kind = inspection.kind();
    boolean comparable = kind == FileKind.MODEL || kind == FileKind.MTP;
    Gguf gguf = comparable ? inspection.gguf().orElse(null) : null;
    NameMap map =
        gguf == null ? null : NameMap.forArchitecture(gguf.architecture().orElse("")).orElse(null);
    if (named != null) {
      Path path = OptionFiles.pathOrFolder(named);
      Map<String, long @Nullable []> names = names(path);
      return gguf == null || map == null ? NONE : of(map, gguf, names, path);
    }
    if (gguf == null || map == null) {
      return NONE;
    }
    for (String name : new String[] {WeightIndex.FILE_NAME, WEIGHTS}) {
      Path beside = file.resolveSibling(name);
      if (Files.isRegularFile(beside)) {
        try {
          IndexNames compared = of(map, gguf, names(beside), beside);
          call.output().note("using " + beside);
          return compared;
        } catch (CheckpointException e) {
          call.output().note("passing over " + e.getMessage());
        }
      }
    }
    return NONE;
  }

  private static IndexNames of(
      NameMap map, Gguf gguf, Map<String, long @Nullable []> names, Path from) {
    return new IndexNames(NameComparison.of(map, gguf.metadata(), gguf.tensors(), names), from);
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

  /// Returns what is to be said about names and shapes.
  List<Finding> findings() {
    return comparison == null ? List.of() : comparison.findings(String.valueOf(from));
  }

  /// Writes how many parameters are on both sides, if there is anything to compare with.
  void summary(TextWriter text) {
    if (comparison != null) {
      text.newline().text("beside " + from + ": ");
      text.text(Numbers.of(comparison.common(), "parameter") + " on both sides, ");
      text.text(comparison.extra().size() + " in the file only, ");
      text.text(comparison.left().size() + " in the checkpoint only, ");
      text.line(comparison.shapes().size() + " of another shape");
    }
  }
}
