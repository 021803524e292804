package dev.gguf.mapping.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EngineDocsTest {
  @Test
  void thePageAboutEnginesIsCurrent() throws IOException {
    Path page = Shared.root().resolve("docs/engines.md");
    if ("write".equals(System.getProperty("gguf.docs"))) {
      Files.writeString(page, EngineDocs.page());
    }
    assertThat(Files.readString(page))
        .as("docs/engines.md; its head says how to write it anew")
        .isEqualTo(EngineDocs.page());
  }

  @Test
  void everyFactOfEveryGenerationIsOnThePage() {
    String page = EngineDocs.page();
    for (String engine : EngineProfiles.engines()) {
      for (String id : EngineProfiles.generations(engine)) {
        for (Fact fact : EngineProfiles.named(id).facts()) {
          assertThat(page).contains("| `" + fact.key() + "` |");
        }
      }
    }
  }
}
