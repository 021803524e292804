package dev.gguf.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.TensorType;
import dev.gguf.quant.Dequantizer;
import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// The answers that are measured are right.
class DataBenchmarkTest {
  @Test
  void everyWayReadsAllData() throws IOException, NoSuchAlgorithmException {
    DataBenchmark benchmark = new DataBenchmark();
    benchmark.type = "Q8_0";
    benchmark.write();
    try {
      long blocks = (64L << 20) / 34 / 8 * 8;
      assertThat(benchmark.scanOnOneThread()).isEqualTo(4 * blocks * 34);
      assertThat(benchmark.scanOnTwoThreads()).isEqualTo(4 * blocks * 34);
      assertThat(benchmark.sumOfLongs()).isNotZero();
      assertThat(benchmark.sha256()).isEqualTo(HexFormat.of().formatHex(benchmark.sha256OfArray()));
      assertThat(benchmark.modelOnOneThread()).isEqualTo(benchmark.modelOnTwoThreads());
      assertThat(benchmark.xxh64()).hasSize(16);
      assertThat(benchmark.allHashes()).hasSize(40);
    } finally {
      benchmark.delete();
    }
  }

  @Test
  void blocksTogetherDecodeLikeBlocksAlone() {
    for (String name : new String[] {"F16", "BF16", "Q4_0", "Q8_0", "Q4_K", "Q6_K", "IQ3_S"}) {
      DecodeBenchmark benchmark = new DecodeBenchmark();
      benchmark.type = name;
      benchmark.fill();
      float[] all = benchmark.decode(1 << 20);
      TensorType type = TensorType.named(name).orElseThrow();
      Dequantizer dequantizer = Dequantizer.of(type).orElseThrow();
      float[] one = new float[type.blockElements()];
      for (int block = 0; block < (1 << 16) / one.length; block += 7) {
        long from = ((1 << 20) / one.length + block) * (long) type.blockBytes();
        dequantizer.decode(benchmark.blocks(), from, 1, one, 0);
        for (int i = 0; i < one.length; i++) {
          assertThat(all[block * one.length + i]).isEqualTo(one[i]);
        }
      }
      benchmark.free();
    }
  }
}
