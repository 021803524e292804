package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.TensorType;
import dev.gguf.mapping.KvBProjection;
import dev.gguf.mapping.testing.TestCheckpoint;
import dev.gguf.mapping.testing.TestModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KvbCommandTest {
  private static final KvBProjection SIZES = KvBProjection.of(2, 32, 4, 32);

  @TempDir private Path folder;
  private String file = "";
  private String checkpoint = "";

  @BeforeEach
  void write() throws IOException {
    file =
        TestModel.of("glm-dsa")
            .kvB(SIZES, 0, TensorType.F32, matrix(0))
            .kvB(SIZES, 1, TensorType.Q8_0, matrix(1))
            .write(folder)
            .toString();
    checkpoint =
        TestCheckpoint.create()
            .f32("model.layers.0.self_attn.kv_b_proj.weight", matrix(0), SIZES.shape())
            .f32("model.layers.1.self_attn.kv_b_proj.weight", matrix(1), SIZES.shape())
            .write(folder)
            .toString();
  }

  private static float[] matrix(int layer) {
    float[] matrix = new float[SIZES.rows() * SIZES.rank()];
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = (float) Math.sin(i + 1000.0 * layer);
    }
    return matrix;
  }

  @Test
  void looksAtNamesAndDimensionsAlone() {
    Run run = Run.gguf("kvb", file);

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out())
        .startsWith("ok ")
        .containsPattern(" 0 +F32 \\[32, 32, 2\\] +F32 \\[32, 4, 2\\] +right\n")
        .containsPattern(" 1 +Q8_0 \\[32, 32, 2\\] +Q8_0 \\[32, 4, 2\\] +right\n");
  }

  @Test
  void comparesWithTheCheckpoint() {
    Run run = Run.gguf("kvb", file, "--reference", checkpoint, "--format", "json");

    assertThat(run.status()).isEqualTo(0);
    Map<?, ?> model = (Map<?, ?>) ((List<?>) run.json().get("models")).getFirst();
    assertThat(model.get("verdict")).isEqualTo("ok");
    List<?> layers = (List<?>) model.get("layers");
    assertThat(layers).hasSize(2);
    Map<?, ?> first = (Map<?, ?>) layers.getFirst();
    assertThat(first.get("layer")).isEqualTo(0);
    assertThat(first.get("state")).isEqualTo("right");
    assertThat(first.get("diagnosis")).isNull();
    assertThat(((Number) first.get("maxError")).doubleValue()).isEqualTo(0);
    assertThat(((Map<?, ?>) first.get("kB")).get("ne")).isEqualTo(List.of(32, 32, 2));
    Map<?, ?> second = (Map<?, ?>) layers.getLast();
    assertThat(((Number) second.get("maxError")).doubleValue()).isBetween(1e-5, 0.005);
    assertThat(Run.gguf("kvb", file, "--reference", folder.toString(), "-q").out())
        .isEqualTo("ok       " + file + "\n");
  }

  @Test
  void namesWhatIsWrong() throws IOException {
    TestCheckpoint.create()
        .f32("model.layers.0.self_attn.kv_b_proj.weight", matrix(1), SIZES.shape())
        .f32("model.layers.1.self_attn.kv_b_proj.weight", matrix(0), SIZES.shape())
        .write(folder);

    Run run = Run.gguf("kvb", file, "--reference", checkpoint, "--layer", "1");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("error    layer 1: wrong layer: both halves are those of layer 0")
        .doesNotContain("layer 0: wrong");
    assertThat(Run.gguf("kvb", file, "--reference", checkpoint, "--fail-on", "never").status())
        .isEqualTo(0);
  }

  @Test
  void refusesWhatIsNotThere() throws IOException {
    Run layer = Run.gguf("kvb", file, "--layer", "7");
    assertThat(layer.status()).isEqualTo(1);
    assertThat(layer.err())
        .isEqualTo("gguf: " + file + ": layer 7 has no attn_k_b, attn_v_b or attn_kv_b\n");
    Run none = Run.gguf("kvb", file, "--reference", folder.resolve("none").toString());
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).contains("there is no such file or folder; a checkpoint is");
    Files.writeString(Path.of(checkpoint), "no safetensors");
    Run broken = Run.gguf("kvb", file, "--reference", checkpoint);
    assertThat(broken.status()).isEqualTo(1);
    assertThat(broken.err()).contains("is no safetensors file").hasLineCount(1);
  }
}
