package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.fixture.Shared;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a newcomer reads first is true.
class ReadmeTest {
  private final String text = Files.readString(Shared.root().resolve("README.md"));

  ReadmeTest() throws IOException {}

  @Test
  void twoCommandsDoAllTheSetUp() {
    assertThat(text.lines().filter(line -> line.startsWith("./gguf "))).hasSize(1);
    assertThat(text.lines().filter(line -> line.startsWith("./mvnw "))).hasSize(1);
  }

  @Test
  void theCommandPrintsWhatTheReadmeShows() {
    String command =
        text.lines().filter(line -> line.startsWith("./gguf ")).findFirst().orElseThrow();
    String[] args = command.substring("./gguf ".length()).split(" ", -1);
    Path file = Shared.root().resolve(args[1]);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int status =
        Main.run(
            new String[] {args[0], file.toString()},
            new PrintStream(out, true, StandardCharsets.UTF_8),
            System.err);
    assertThat(status).isZero();
    String printed = out.toString(StandardCharsets.UTF_8).replace(file.toString(), args[1]);
    assertThat(text).contains("\n```\n" + printed.strip() + "\n```\n");
  }

  @Test
  void theExampleIsTheOneThatIsCompiled() throws IOException {
    List<String> source =
        Files.readAllLines(
            Shared.root().resolve("gguf-cli/src/test/java/dev/gguf/cli/ReadmeExample.java"));
    int from = source.indexOf("    // example") + 1;
    int to = source.indexOf("      // end");
    StringBuilder example = new StringBuilder("```java\n");
    for (String line : source.subList(from, to)) {
      example.append(line.substring(4)).append('\n');
    }
    assertThat(text).contains(example.append("}\n```"));
    assertThat(to - from).isLessThan(10);
    assertThat(ReadmeExample.run(Shared.testdata("glm-dsa-mini-split-00002-of-00003.gguf")))
        .isEqualTo("4 8704 model.layers.0.self_attn.kv_b_proj.weight true");
  }

  @Test
  void everyLinkLeadsToAFile() {
    var links = java.util.regex.Pattern.compile("\\]\\(([^)]+)\\)").matcher(text);
    while (links.find()) {
      assertThat(Shared.root().resolve(links.group(1))).exists();
    }
  }
}
