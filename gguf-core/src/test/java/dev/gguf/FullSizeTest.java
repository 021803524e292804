package dev.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.gguf.fixture.GlmDsa;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The model that the project was made for, as a sparse file.
class FullSizeTest {
  @TempDir Path folder;

  @Test
  void theWholeModelOpensInLittleMemory() throws IOException {
    Path path = folder.resolve("GLM-5.1.gguf");
    GlmDsa.fullSize().write(path);
    assertThat(Files.size(path)).isGreaterThan(425L << 30);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try (Gguf gguf = Gguf.open(path)) {
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated).isLessThan(6_000_000);
      assertThat(gguf.tensors()).hasSize(1809);
      assertThat(gguf.tensors().stream().mapToLong(Tensor::elements).sum())
          .isEqualTo(753_864_139_008L);
      assertThat(bytesOf(gguf, -1)).isEqualTo(456_439_993_344L);
      assertThat(bytesOf(gguf, 78)).isEqualTo(6_455_648_256L);
      assertThat(gguf.metadata().strings("tokenizer.ggml.tokens")).hasSize(154_880);
      assertThat(gguf.metadata().get("tokenizer.ggml.merges").array().count()).isEqualTo(321_649);
      Tensor last = gguf.tensors().getLast();
      assertThat(last.data().byteSize()).isEqualTo(last.bytes());
      assertThat(last.data().get(java.lang.foreign.ValueLayout.JAVA_BYTE, last.bytes() - 1))
          .isZero();
    }
  }

  @Test
  void anyOfTenShardsOpensTheSet() throws IOException {
    List<Path> shards = GlmDsa.fullSize().writeSplit(folder, "GLM-5.1", 10);
    for (Path shard : List.of(shards.get(0), shards.get(6), shards.get(9))) {
      try (Gguf gguf = Gguf.open(shard)) {
        assertThat(gguf.tensors()).hasSize(1809);
        assertThat(bytesOf(gguf, -1)).isEqualTo(456_439_993_344L);
      }
    }
  }

  private static long bytesOf(Gguf gguf, int layer) {
    return gguf.tensors().stream()
        .filter(tensor -> layer < 0 || tensor.layer().orElse(-1) == layer)
        .mapToLong(Tensor::bytes)
        .sum();
  }
}
