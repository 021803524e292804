package dev.gguf.mapping.check;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Inspection;
import dev.gguf.Metadata;
import dev.gguf.fixture.Llama;
import dev.gguf.mapping.checkpoint.CheckpointException;
import dev.gguf.mapping.checkpoint.ModelConfig;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the rules about models say about a file, one line for each finding: severity, rule,
/// subject, message.
final class Said {
  private Said() {}

  /// Writes a llama model with these pairs and judges it by the rules that need no map.
  static String about(Path folder, Metadata.Builder metadata) throws IOException {
    return about(folder, "model.gguf", Llama.tensors(GgufWriter.of(metadata.build())));
  }

  static String about(Path folder, GgufWriter writer) throws IOException {
    return about(folder, "model.gguf", writer);
  }

  static String about(Path folder, String name, GgufWriter writer) throws IOException {
    Path path = folder.resolve(name);
    writer.write(path);
    return lines(findings(path, null));
  }

  static String about(Path folder, GgufWriter writer, String config) throws IOException {
    Path path = folder.resolve("model.gguf");
    writer.write(path);
    return lines(findings(path, config(config)));
  }

  private static ModelConfig config(String json) throws CheckpointException {
    return ModelConfig.parse("config.json", json);
  }

  static List<Finding> findings(Path path, @Nullable ModelConfig config) throws GgufException {
    List<Finding> findings = new ArrayList<>();
    try (Inspection inspection = Gguf.inspect(path)) {
      OwnRules.check(inspection.gguf().orElseThrow(), config, findings);
    }
    return findings;
  }

  static String lines(List<Finding> findings) {
    StringBuilder lines = new StringBuilder();
    for (Finding finding : findings) {
      lines
          .append(finding.severity().label())
          .append(' ')
          .append(finding.rule().id())
          .append(finding.subject() == null ? "" : " " + finding.subject().name())
          .append(": ")
          .append(finding.message())
          .append('\n');
    }
    return lines.toString().stripTrailing();
  }
}
