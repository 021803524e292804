package dev.gguf.mapping.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.mapping.testing.TestCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class CheckpointProperties {
  private static Path file = Path.of("unset");

  @BeforeContainer
  static void create() throws IOException {
    file = Files.createTempFile("hostile", ".safetensors");
  }

  @AfterContainer
  static void delete() throws IOException {
    Files.delete(file);
  }

  /// Whatever the bytes are, the file is read or refused in one line.
  @Property(tries = 400)
  void bytesNeverEscapeTheReader(
      @ForAll @Size(min = 1, max = 6) int[] places,
      @ForAll byte[] values,
      @ForAll @IntRange(max = 9) int cut)
      throws IOException {
    byte[] bytes =
        TestCheckpoint.create()
            .f32("a.weight", new float[] {1, 2, 3, 4}, 2, 2)
            .bytes("b.weight", "F8_E4M3", new byte[] {1, 2}, 2)
            .f32("b.weight_scale_inv", new float[] {2}, 1)
            .bytes();
    for (int i = 0; i < places.length && values.length > 0; i++) {
      bytes[Math.floorMod(places[i], bytes.length)] = values[i % values.length];
    }
    Files.write(file, Arrays.copyOf(bytes, bytes.length - cut));
    try (Checkpoint checkpoint = Checkpoint.open(file)) {
      for (CheckpointParameter parameter : checkpoint.parameters()) {
        if (parameter.dtype().isReadable()) {
          assertThat(checkpoint.read(parameter)).hasSize((int) parameter.elements());
        }
      }
    } catch (CheckpointException e) {
      assertThat(e.getMessage()).startsWith(file.toString()).doesNotContain("\n");
    }
  }
}
