package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The example of docs/kv-b.md is the test that runs.
class KvBPageTest {
  @Test
  void showsTheTestThatRuns() throws IOException {
    Path root = Shared.root();
    String page = Files.readString(root.resolve("docs/kv-b.md"));
    String source =
        Files.readString(root.resolve("gguf-mapping/src/test/java/example/KvBSplitTest.java"));

    assertThat(page).contains("```java\n" + source + "```\n");
  }
}
