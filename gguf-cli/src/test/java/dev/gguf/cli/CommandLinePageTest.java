package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The page about the command line knows every command and every field.
class CommandLinePageTest {
  private static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "command-line.md"));
  }

  @Test
  void everyCommandIsOnThePage() throws IOException {
    for (String name : Commands.NAMES) {
      assertThat(page()).containsPattern("(?m)^\\| [^|]*`" + name + "`[^|]* \\| ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "check MINI --engine llama.cpp",
        "info MINI",
        "map MINI --to vllm",
        "metadata MINI",
        "tensors MINI --patterns"
      })
  void everyFieldIsOnThePage(String line) throws IOException {
    Set<String> fields = new TreeSet<>();
    Run run = Run.gguf((line.replace("MINI", Run.MINI) + " --format json").split(" ", -1));

    collect(run.json(), fields);

    String page = page();
    assertThat(fields)
        .isNotEmpty()
        .allSatisfy(field -> assertThat(page).contains("`" + field + "`"));
  }

  private static void collect(Object value, Set<String> fields) {
    if (value instanceof Map<?, ?> object) {
      object.forEach((name, inner) -> {
        fields.add(name.toString());
        collect(inner, fields);
      });
    } else if (value instanceof Collection<?> list) {
      list.forEach(inner -> collect(inner, fields));
    }
  }
}
