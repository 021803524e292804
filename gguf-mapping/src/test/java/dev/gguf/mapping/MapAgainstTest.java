package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gguf.Gguf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Holds one map against one model, both given on the command line; CONTRIBUTING has the line. The
/// model is a GGUF file, with what its converter did beside it as `NAME.tensors.tsv` if that is
/// known, or a tensor table with its keys in `keys.json` beside it.
final class MapAgainstTest {
  @Test
  void givenMapAndModelAgree() throws IOException {
    String file = System.getProperty("map");
    String against = System.getProperty("against");
    assumeTrue(file != null && against != null, "needs -Dmap=FILE.map -Dagainst=MODEL");
    Path path = Path.of(file);
    String architecture = path.getFileName().toString().replace(".map", "");
    NameMap map = NameMap.parse(architecture, Files.readString(path), name -> text(path, name));
    assertThat(MapOverlap.find(map)).as("rules that claim the same").isEmpty();
    assertThat(differences(map, Path.of(against))).as("differences").isEmpty();
  }

  private static List<String> differences(NameMap map, Path model) throws IOException {
    String name = model.getFileName().toString();
    MapHarness harness = new MapHarness(map);
    if (name.endsWith(".tsv")) {
      TensorTables.Model table =
          TensorTables.model(
              model.toAbsolutePath().getParent(), name.substring(0, name.length() - 4));
      return harness.table(table.metadata(), table.tensors());
    }
    Path made = model.resolveSibling(name.replace(".gguf", ".tensors.tsv"));
    if (Files.exists(made)) {
      return harness.converted(model, made);
    }
    try (Gguf gguf = Gguf.open(model)) {
      return harness.table(gguf.metadata(), gguf.tensors());
    }
  }

  private static String text(Path map, String name) {
    try {
      Path included = map.resolveSibling(name + ".map");
      return Files.exists(included) ? Files.readString(included) : NameMap.text(name);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
