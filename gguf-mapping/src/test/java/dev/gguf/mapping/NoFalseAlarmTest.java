package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Metadata;
import dev.gguf.Rule;
import dev.gguf.Severity;
import dev.gguf.TensorType;
import dev.gguf.fixture.Shared;
import dev.gguf.mapping.check.CheckOptions;
import dev.gguf.mapping.check.ModelCheck;
import dev.gguf.mapping.checkpoint.ModelConfig;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sound files get no error and no warning: published vocabularies, files of the format's own
/// converter beside their config.json, and the tensor tables of published models.
class NoFalseAlarmTest {
  @TempDir Path folder;

  private static List<Rule> alarms(Path file) throws IOException {
    CheckOptions options = CheckOptions.DEFAULT;
    Path config = file.resolveSibling(ModelConfig.FILE_NAME);
    if (Files.exists(config)) {
      options = options.withConfig(ModelConfig.read(config));
    }
    List<Rule> rules = new ArrayList<>();
    for (Finding finding : ModelCheck.check(file, options).findings()) {
      if (finding.severity() != Severity.INFO) {
        rules.add(finding.rule());
      }
    }
    return rules;
  }

  @Test
  void publishedAndConvertedFilesAreSound() throws IOException {
    for (String name : List.of("data/gguf", "data/converter")) {
      List<Path> files;
      try (Stream<Path> walk = Files.walk(Shared.require(name))) {
        files = walk.filter(file -> file.toString().endsWith(".gguf")).sorted().toList();
      }
      assertThat(files).isNotEmpty();
      for (Path file : files) {
        boolean broken = file.getParent().endsWith("broken");
        boolean bigEndian = file.toString().contains("bigendian");
        if (!broken) {
          assertThat(alarms(file))
              .as(file.toString())
              .isEqualTo(bigEndian ? List.of(FileRule.BYTE_ORDER) : List.of());
        }
      }
    }
  }

  @Test
  void tablesOfPublishedModelsAreSound() throws IOException {
    Path tables = Shared.require("data/tensor-tables");
    Path file = folder.resolve("model.gguf");
    for (TensorTables.Model model : TensorTables.models(tables)) {
      List<String> lines = Files.readAllLines(tables.resolve(model.name() + ".tsv"));
      int columns = lines.getFirst().split("\t", -1).length;
      for (int column = 2; column < columns; column++) {
        boolean fork = write(file, model.metadata(), lines, column);
        assertThat(alarms(file))
            .as(model.name() + ", column " + column)
            .isEqualTo(fork ? List.of(FileRule.TYPE_OF_FORK) : List.of());
      }
    }
  }

  /// Writes one column of a table as a sparse file, and returns whether a type in it is a fork's.
  private static boolean write(Path file, Metadata metadata, List<String> lines, int column)
      throws IOException {
    GgufWriter writer = GgufWriter.of(metadata);
    boolean fork = false;
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split("\t", -1);
      String type = cells[column].isEmpty() ? cells[2] : cells[column];
      TensorType known = TensorType.named(type.toUpperCase(Locale.ROOT)).orElseThrow();
      fork |= known.kind() == TensorType.Kind.FORK;
      writer.sparse(cells[0], known, TensorTables.numbers(cells[1]));
    }
    writer.write(file);
    return fork;
  }
}
