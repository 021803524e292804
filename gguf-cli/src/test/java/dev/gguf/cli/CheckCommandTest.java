package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.TensorType;
import dev.gguf.fixture.GlmDsa;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
  @TempDir private Path folder;

  @Test
  void tellsWhatTheMainModelTakes() {
    Run run = Run.gguf("check", Run.MINI);

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            info     ../testdata/glm-dsa-mini.gguf: nothing wrong, 3 notes
                     glm-dsa model, 94 tensors, 330.4 KiB (338336 bytes)
                     67 of 94 tensors mapped, 27 left out (target hf)

            info     27 tensors of blk.3 are the MTP layer, which the main model skips: 87.3 KiB of 320.8 KiB (89424 bytes); all 67 others are mapped  [tensor-mtp]
            info     blk.3.nextn.embed_tokens.weight is left out: the layer uses token_embd.weight  [tensor-shared]
            info     blk.3.nextn.shared_head_head.weight is left out: the layer uses output.weight  [tensor-shared]
            """);
  }

  @Test
  void tellsOnTheFirstScreenWhatTheFullSizeModelHolds() throws IOException {
    Path file = folder.resolve("full.gguf");
    GlmDsa.fullSize().write(file);

    Run run = Run.gguf("check", file.toString());

    assertThat(run.status()).isEqualTo(0);
    String screen = String.join("\n", run.out().lines().limit(15).toList());
    assertThat(screen)
        .contains("1809 tensors, 425.1 GiB")
        .contains("27 tensors of blk.78 are the MTP layer, which the main model skips")
        .contains("6.01 GiB of 425.1 GiB")
        .contains("all 1782 others are mapped");
  }

  @Test
  @SuppressWarnings("unchecked")
  void countsASetOnceHoweverManyShardsAreNamed() {
    String set = Run.TESTDATA + "glm-dsa-mini-split-0000";
    Run run =
        Run.gguf(
            "check",
            set + "2-of-00003.gguf",
            set + "1-of-00003.gguf",
            set + "2-of-00003.gguf",
            Run.MINI,
            "--format",
            "json");

    List<Map<String, Object>> models = (List<Map<String, Object>>) run.json().get("models");
    assertThat(models).hasSize(2);
    assertThat(models.getFirst())
        .containsEntry("path", set + "2-of-00003.gguf")
        .containsEntry("engines", List.of());
    assertThat((List<Object>) models.getFirst().get("files")).hasSize(3);
    assertThat(models.getFirst().get("mapping"))
        .hasToString("{target=hf, tensors=94, mapped=67, unmapped=27, missing=0}");
  }

  @Test
  void tellsTheVerdictAloneWhenQuiet() {
    assertThat(Run.gguf("check", "-q", Run.MINI).out()).isEqualTo("info     " + Run.MINI + "\n");
    assertThat(Run.gguf("check", "--quiet", "--format", "json", Run.MINI).json())
        .containsKey("models");
  }

  @Test
  void statusFollowsFailOn() throws IOException {
    Path file = folder.resolve("unknown.gguf");
    GgufWriter.of(Metadata.builder().string("general.architecture", "no-such-thing").build())
        .tensor("x", TensorType.F32, TensorData.of(new byte[4]), 1)
        .write(file);
    Path page = folder.resolve("page.gguf");
    Files.writeString(page, "<!DOCTYPE html>");

    assertThat(Run.gguf("check", file.toString(), "-q").out()).startsWith("warning ");
    assertThat(Run.gguf("check", file.toString()).status()).isEqualTo(0);
    assertThat(Run.gguf("check", file.toString(), "--fail-on", "warning").status()).isEqualTo(1);
    assertThat(Run.gguf("check", page.toString()).status()).isEqualTo(1);
    assertThat(Run.gguf("check", page.toString(), "--fail-on", "never").status()).isEqualTo(0);
  }

  @Test
  void coloursOnlyTerminalsAndObeysNoColor() {
    assertThat(Run.onTerminal(true, "check", Run.MINI).out()).contains("\u001b[36minfo\u001b[0m");
    assertThat(Run.onTerminal(false, "check", Run.MINI).out()).doesNotContain("\u001b");
    assertThat(Run.gguf("check", Run.MINI).out()).doesNotContain("\u001b");
    assertThat(Run.gguf("check", "--color", "always", Run.MINI).out()).contains("\u001b[36m");
    assertThat(Run.onTerminal(true, "check", "--color=never", Run.MINI).out())
        .doesNotContain("\u001b");
    assertThat(Run.onTerminal(true, "check", "--format", "json", Run.MINI).out())
        .doesNotContain("\u001b");
  }
}
