package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.TensorType;
import dev.gguf.mapping.testing.TestCheckpoint;
import dev.gguf.mapping.testing.TestModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  @TempDir private Path folder;

  private static float[] values(int from, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) Math.sin(from + i);
    }
    return values;
  }

  private String model() throws IOException {
    return TestModel.of("glm-dsa")
        .key(".block_count", 2)
        .key(".embedding_length", 32)
        .key(".leading_dense_block_count", 2)
        .tensor("token_embd.weight", TensorType.Q8_0, values(0, 3200), 32, 100)
        .tensor("blk.0.attn_norm.weight", TensorType.F32, values(7, 32), 32)
        .tensor("blk.1.attn_norm.weight", TensorType.F32, values(99, 32), 32)
        .write(folder)
        .toString();
  }

  private String checkpoint(int norm, float plus) throws IOException {
    float[] other = values(norm, 32);
    for (int i = 0; i < 32; i++) {
      other[i] += plus;
    }
    return TestCheckpoint.create()
        .f32("model.embed_tokens.weight", values(0, 3200), 100, 32)
        .f32("model.layers.0.input_layernorm.weight", values(7, 32), 32)
        .f32("model.layers.1.input_layernorm.weight", other, 32)
        .write(folder)
        .toString();
  }

  @Test
  void findsEqualAndCloseValues() throws IOException {
    Run run = Run.gguf("compare", model(), checkpoint(99, 0), "--format", "json");

    assertThat(run.status()).isEqualTo(0);
    Map<?, ?> entry = (Map<?, ?>) ((List<?>) run.json().get("models")).getFirst();
    List<?> tensors = (List<?>) entry.get("tensors");
    assertThat(tensors).hasSize(3);
    Map<?, ?> worst = (Map<?, ?>) tensors.getFirst();
    assertThat(worst.get("parameter")).isEqualTo("model.embed_tokens.weight");
    assertThat(worst.get("sources")).isEqualTo(List.of("token_embd.weight"));
    assertThat(worst.get("transform")).isEqualTo("none");
    assertThat(worst.get("state")).isEqualTo("close");
    assertThat(((Number) worst.get("relativeError")).doubleValue()).isBetween(0.05, 0.5);
    assertThat(((Map<?, ?>) tensors.getLast()).get("state")).isEqualTo("equal");
  }

  @Test
  void namesWhatIsWrongAndFails() throws IOException {
    Run offByOne = Run.gguf("compare", model(), checkpoint(99, 1));
    assertThat(offByOne.status()).isEqualTo(1);
    assertThat(offByOne.out())
        .contains(
            "blk.1.attn_norm.weight -> model.layers.1.input_layernorm.weight: off by one: the"
                + " values are the checkpoint's less 1 (largest error 1.0");
    assertThat(Run.gguf("compare", model(), checkpoint(99, 1), "--filter", "*embd*").status())
        .isEqualTo(0);
    assertThat(Run.gguf("compare", model(), checkpoint(99, 1), "--fail-on", "never").status())
        .isEqualTo(0);
  }

  @Test
  void refusesWrongUsage() throws IOException {
    assertThat(Run.gguf("compare", model()).status()).isEqualTo(2);
    Run sample = Run.gguf("compare", model(), checkpoint(1, 0), "--sample", "2");
    assertThat(sample.status()).isEqualTo(2);
    assertThat(sample.err()).contains("--sample 2: expected a share above 0");
    Run none = Run.gguf("compare", model(), checkpoint(1, 0), "--filter", "x*");
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err()).contains("no tensor that fits x* feeds a parameter");
  }
}
