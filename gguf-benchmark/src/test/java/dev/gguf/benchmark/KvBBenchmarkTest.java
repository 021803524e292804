package dev.gguf.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.quant.TensorValues;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KvBBenchmarkTest {
  private final KvBBenchmark benchmark = new KvBBenchmark();

  @BeforeEach
  void open() throws Exception {
    benchmark.layers = 3;
    benchmark.open();
  }

  @AfterEach
  void close() throws Exception {
    benchmark.close();
  }

  @Test
  void whatIsMeasuredGivesTheRightAnswers() throws Exception {
    float[] joined = benchmark.oneLayer();
    float[] kB = new float[192 * 512];
    TensorValues.of(benchmark.gguf().find("blk.0.attn_k_b.weight").orElseThrow())
        .rows(63 * 512, 64 * 512, kB, 0);
    float[] vB = new float[512 * 256];
    TensorValues.of(benchmark.gguf().find("blk.0.attn_v_b.weight").orElseThrow())
        .rows(63 * 256, 64 * 256, vB, 0);

    assertThat(joined).hasSize(28672 * 512);
    for (int r = 0; r < 512; r++) {
      assertThat(joined[(63 * 448 + 5) * 512 + r]).isEqualTo(kB[5 + 192 * r]);
      assertThat(joined[(63 * 448 + 192 + 7) * 512 + r]).isEqualTo(vB[7 * 512 + r]);
    }
    assertThat(benchmark.allLayers()).isEqualTo(3.0 * joined[0]);
  }
}
