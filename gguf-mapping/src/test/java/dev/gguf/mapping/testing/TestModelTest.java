package dev.gguf.mapping.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.Gguf;
import dev.gguf.TensorType;
import dev.gguf.mapping.KvBProjection;
import dev.gguf.quant.TensorValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestModelTest {
  @TempDir Path folder;

  private static TestModel model() {
    return TestModel.of("llama")
        .key(".block_count", 1)
        .key("general.name", "tiny")
        .key(".rope.freq_base", 1e4f)
        .tensor("a", TensorType.F16, new float[] {1, -2}, 2)
        .tensor("b", TensorType.BF16, new float[] {1.004f, Float.NaN}, 1, 2)
        .tensor("c", TensorType.I8, new byte[] {1, 2, 3}, 3);
  }

  @Test
  void buildsAFileInMemoryAndOnDisk() throws IOException {
    Path file = model().write(folder);
    assertThat(Files.readAllBytes(file)).isEqualTo(model().bytes());
    try (Gguf gguf = model().open()) {
      assertThat(gguf.metadata().integer("llama.block_count")).isEqualTo(1);
      assertThat(gguf.metadata().string("general.name")).isEqualTo("tiny");
      assertThat(gguf.metadata().number("llama.rope.freq_base")).isEqualTo(1e4);
      float[] b = new float[2];
      TensorValues.of(gguf.find("b").orElseThrow()).rows(0, 2, b, 0);
      assertThat(b).containsExactly(1.0078125f, Float.NaN);
    }
  }

  @Test
  void buildsASplitSet() throws IOException {
    List<Path> files = model().writeSplit(folder, 3);
    try (Gguf gguf = Gguf.open(files.get(1))) {
      assertThat(gguf.files()).hasSize(3);
      assertThat(gguf.tensors()).extracting(t -> t.name()).containsExactly("a", "b", "c");
    }
  }

  @Test
  void buildsThePairOfAProjection() throws IOException {
    KvBProjection sizes = KvBProjection.of(2, 32, 3, 32);
    float[] matrix = new float[sizes.rows() * sizes.rank()];
    matrix[0] = 127;
    matrix[1] = -3.4f;
    try (Gguf gguf = TestModel.of("glm-dsa").kvB(sizes, 5, TensorType.Q8_0, matrix).open()) {
      assertThat(KvBProjection.from(gguf.metadata())).hasToString(sizes.toString());
      float[] joined = new float[matrix.length];
      sizes.join(
          gguf.find("blk.5.attn_k_b.weight").orElseThrow(),
          gguf.find("blk.5.attn_v_b.weight").orElseThrow(),
          0,
          2,
          joined);
      assertThat(joined[0]).isEqualTo(127);
      assertThat(joined[1]).isBetween(-3.5f, -3.3f);
      assertThat(joined[2]).isEqualTo(0);
    }
  }

  @Test
  void saysWhatDoesNotFit() {
    assertThatThrownBy(() -> model().tensor("x", TensorType.F32, new float[3], 2, 2))
        .hasMessage("x has dimensions for 4 elements, and 3 values");
    assertThatThrownBy(() -> model().tensor("x", TensorType.Q8_0, new float[8], 8))
        .hasMessage("x: rows of 8 elements are no whole blocks of Q8_0");
    assertThatThrownBy(() -> model().tensor("x", TensorType.Q4_K, new float[256], 256))
        .hasMessageContaining("not as Q4_K");
  }
}
