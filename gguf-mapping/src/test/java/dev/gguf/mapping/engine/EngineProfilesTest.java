package dev.gguf.mapping.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.FileKind;
import dev.gguf.Metadata;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class EngineProfilesTest {
  @TempDir Path folder;

  static List<String> everyProfile() {
    List<String> all = new ArrayList<>();
    for (String engine : EngineProfiles.engines()) {
      all.addAll(EngineProfiles.generations(engine));
    }
    all.addAll(EngineProfiles.generations("gguf-py"));
    return all;
  }

  @ParameterizedTest
  @MethodSource("everyProfile")
  void everyFactHasASourceAndVersions(String id) {
    EngineProfile profile = EngineProfiles.named(id);
    assertThat(profile.id()).isEqualTo(id);
    assertThat(profile.facts())
        .isNotEmpty()
        .allSatisfy(fact -> {
          assertThat(fact.value()).as(fact.key()).isNotBlank().doesNotContain("|");
          assertThat(fact.source()).as(fact.key()).isNotBlank().doesNotContain("|");
          assertThat(fact.versions()).as(fact.key()).isNotBlank().doesNotContain("|");
        });
  }

  @ParameterizedTest
  @MethodSource("everyProfile")
  void everyStepExistsAndEveryStatementCanBeRead(String id) {
    EngineProfile profile = EngineProfiles.named(id);
    if (profile.engine().equals("gguf-py")) {
      return;
    }
    assertThat(profile.words("steps")).isNotEmpty();
    Candidate nothing =
        new Candidate(
            "x.gguf", 1, FileKind.MODEL, Metadata.EMPTY, List.of(), List.of(), Optional.empty());
    Prediction prediction = Preflight.predict(nothing, profile, Launch.DEFAULT);
    assertThat(prediction.engine()).isEqualTo(profile.engine());
    Attempt attempt =
        new Attempt(
            nothing, profile, Launch.DEFAULT, new EngineNames.Libraries("5.17.0", "0.19.0"));
    List<String> effects = List.of("finding", "kind", "partial", "reported", "companions");
    for (Fact fact : profile.facts()) {
      String word =
          fact.key().contains(".") ? fact.key().substring(0, fact.key().indexOf('.')) : fact.key();
      if (effects.contains(word) && !fact.value().equals("allowed")) {
        attempt.stated(EngineRule.ENGINE_NOTE, fact, "x", null);
      }
    }
    for (Fact fact : profile.under("sparse")) {
      assertThat(SparseBackend.of(fact).dtypes()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "vllm,0.8.5,vllm-0.8",
    "vllm,0.9.2,vllm-0.8",
    "vllm,0.10.2,vllm-0.10",
    "vllm,0.16.0rc2.dev313,vllm-0.16",
    "vllm,0.18.1,vllm-0.17",
    "vllm,0.23.0,vllm-0.21",
    "vllm,0.24.0,vllm-0.24",
    "vllm,'',vllm-0.33",
    "vllm,v0.16.0,",
    "vllm-plugin,'',vllm-plugin-0.0.5",
    "vllm-plugin,main,vllm-plugin-main",
    "transformers,5.1.0,transformers-5.0.0",
    "transformers,5.24.0,transformers-5.20.0",
    "gguf-py,0.17.0,gguf-py-0.16.3",
    "llama.cpp,2026-03,llama.cpp",
    "nobody,1,",
  })
  void aReleaseBelongsToTheGenerationAtOrBelowIt(String engine, String version, String profile) {
    assertThat(EngineProfiles.find(engine, version).map(EngineProfile::id))
        .isEqualTo(Optional.ofNullable(profile));
  }

  @Test
  void noOneMapsGlmMoeDsa() {
    for (String id : everyProfile()) {
      assertThat(EngineProfiles.named(id).fact("alias.glm_moe_dsa")).as(id).isEmpty();
    }
  }

  @Test
  void aProfileOfTheUserAddsToAKnownOne() throws Exception {
    Path file = folder.resolve("mine.profile");
    Files.writeString(
        file,
        """
        # a comment
        profile mine
        engine vllm
        versions 0.16.0 mine
        extends vllm-0.16
        source my patch

        - probe
        alias.glm_moe_dsa = glm-dsa experts exp_probs_b
        unmapped = tolerated | seen in the log | 0.16.0
        """);
    EngineProfile mine = EngineProfile.read(file);
    assertThat(mine.fact("probe")).isEmpty();
    assertThat(mine.fact("alias.glm_moe_dsa"))
        .contains(
            new Fact(
                "alias.glm_moe_dsa", "glm-dsa experts exp_probs_b", "my patch", "0.16.0 mine"));
    assertThat(mine.fact("unmapped"))
        .contains(new Fact("unmapped", "tolerated", "seen in the log", "0.16.0"));
    assertThat(mine.fact("rename")).isEqualTo(EngineProfiles.named("vllm-0.16").fact("rename"));
  }

  @Test
  void aLineThatIsNoFactIsNamed() throws Exception {
    Path file = folder.resolve("bad.profile");
    Files.writeString(file, "profile x\nengine vllm\nversions 1\nnonsense here\n");
    assertThatThrownBy(() -> EngineProfile.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(file + ":4: expected `key = value`, found `nonsense here`");
    Files.writeString(file, "profile x\nengine vllm\nversions 1\nextends vllm-9\n");
    assertThatThrownBy(() -> EngineProfile.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(file + ":4: no profile vllm-9");
    Files.writeString(file, "engine vllm\n");
    assertThatThrownBy(() -> EngineProfile.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("states its profile");
  }
}
