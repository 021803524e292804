package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.TensorType;
import dev.gguf.mapping.testing.TestModel;
import dev.gguf.quant.TensorValues;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// MXFP4 experts of gpt-oss: 2 experts, width 64, 3 rows each of gate and up.
class RepackedTest {
  private static final int EXPERTS = 2;
  private static final int WIDTH = 64;
  private static final int ROWS = 3;
  private static final float[] FP4 = {0, .5f, 1, 1.5f, 2, 3, 4, 6};

  private static byte[] blocks(int seed) {
    byte[] bytes = new byte[EXPERTS * ROWS * WIDTH / 32 * 17];
    new Random(seed).nextBytes(bytes);
    for (int i = 0; i < bytes.length; i += 17) {
      bytes[i] = (byte) (120 + i / 17);
    }
    return bytes;
  }

  private static Gguf model() throws IOException {
    return TestModel.of("gpt-oss")
        .key(".block_count", 1)
        .key(".expert_count", EXPERTS)
        .key(".embedding_length", WIDTH)
        .key(".expert_feed_forward_length", ROWS)
        .tensor("blk.0.ffn_gate_exps.weight", TensorType.MXFP4, blocks(1), WIDTH, ROWS, EXPERTS)
        .tensor("blk.0.ffn_up_exps.weight", TensorType.MXFP4, blocks(2), WIDTH, ROWS, EXPERTS)
        .open();
  }

  /// Decodes a checkpoint's block as transformers does: neighbours share a byte, lower half first.
  private static float value(float[] blocks, float[] scales, int block, int element) {
    int bits = (int) blocks[block * 16 + element / 2] >> 4 * (element % 2) & 15;
    float size = FP4[bits & 7] * (float) Math.scalb(1.0, (int) scales[block] - 127);
    return (bits & 8) == 0 ? size : -size;
  }

  @Test
  void packsBlocksAsTheCheckpointHasThem() throws IOException {
    try (Gguf gguf = model()) {
      Mapping mapping = NameMap.forArchitecture("gpt-oss").orElseThrow().map(gguf, Target.HF);
      String name = "model.layers.0.mlp.experts.gate_up_proj";
      ParameterValues blocks = ParameterValues.find(gguf, mapping, name + "_blocks").orElseThrow();
      ParameterValues scales = ParameterValues.find(gguf, mapping, name + "_scales").orElseThrow();
      assertThat(blocks.shape()).containsExactly(EXPERTS, 2 * ROWS, WIDTH / 32, 16);
      assertThat(scales.shape()).containsExactly(EXPERTS, 2 * ROWS, WIDTH / 32);
      ParameterValues decoded = ParameterValues.find(gguf, mapping, name).orElseThrow();
      assertThat(decoded.shape()).containsExactly(EXPERTS, WIDTH, 2 * ROWS);

      float[] packed = blocks.all();
      float[] powers = scales.all();
      float[] all = decoded.all();
      for (int row = 0; row < EXPERTS * 2 * ROWS; row++) {
        String half = row % 2 == 0 ? "gate" : "up";
        float[] wanted = new float[WIDTH];
        TensorValues.of(gguf.find("blk.0.ffn_" + half + "_exps.weight").orElseThrow())
            .rows(row / 2, row / 2 + 1, wanted, 0);
        for (int i = 0; i < WIDTH; i++) {
          int block = row * WIDTH / 32 + i / 32;
          assertThat(value(packed, powers, block, i % 32)).isEqualTo(wanted[i]);
          int expert = row / (2 * ROWS);
          assertThat(all[(expert * WIDTH + i) * 2 * ROWS + row % (2 * ROWS)]).isEqualTo(wanted[i]);
        }
      }
    }
  }
}
