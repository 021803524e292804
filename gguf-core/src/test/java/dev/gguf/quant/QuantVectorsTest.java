package dev.gguf.quant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.TensorType;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every type's blocks decode to the very bits that ggml decodes them to.
class QuantVectorsTest {
  @Test
  void everyVectorBitForBit() throws IOException {
    Path folder = Shared.require("data/quant-vectors");
    List<String> judged = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("index.tsv"))) {
      String name = line.substring(0, line.indexOf('\t'));
      Path blocks = folder.resolve(name + ".blocks");
      if (!Files.exists(blocks)) {
        continue;
      }
      TensorType type = TensorType.named(name).orElseThrow();
      assertSameBits(
          type, Files.readAllBytes(blocks), Files.readAllBytes(folder.resolve(name + ".f32")));
      judged.add(name);
    }
    assertThat(judged).hasSizeGreaterThanOrEqualTo(28).contains("q4_K", "iq1_m", "nvfp4", "f16");
  }

  private static void assertSameBits(TensorType type, byte[] blocks, byte[] expected) {
    int count = blocks.length / type.blockBytes();
    float[] values = new float[count * type.blockElements()];
    Dequantizer.of(type).orElseThrow().decode(MemorySegment.ofArray(blocks), 0, count, values, 0);
    ByteBuffer want = ByteBuffer.wrap(expected).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(expected).hasSize(4 * values.length);
    for (int i = 0; i < values.length; i++) {
      int bits = Float.floatToRawIntBits(values[i]);
      int place = i;
      assertThat(bits)
          .as(() -> type + " element " + place + " of block " + place / type.blockElements())
          .isEqualTo(want.getInt(4 * i));
    }
  }
}
