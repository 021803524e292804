package dev.gguf.mapping.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.mapping.testing.TestCheckpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("model.safetensors");
  }

  private CheckpointException refused(String header, int dataBytes) throws IOException {
    Files.write(file(), TestCheckpoint.file(header, new byte[dataBytes]));
    return refused();
  }

  private CheckpointException refused() {
    try (Checkpoint checkpoint = Checkpoint.open(file())) {
      throw new AssertionError("opened with " + checkpoint.parameters());
    } catch (CheckpointException e) {
      assertThat(e.getMessage()).startsWith(file() + ": ").doesNotContain("\n");
      return e;
    }
  }

  @Test
  void readsEveryFloatFormat() throws IOException {
    TestCheckpoint.create()
        .f32("f32", new float[] {1, -2.5f, Float.MAX_VALUE, Float.NaN}, 2, 2)
        .bf16("bf16", new float[] {1, -0.5f}, 2)
        .bytes("f16", "F16", new byte[] {0, 0x3c, 1, 0}, 2)
        .bytes("e4m3", "F8_E4M3", new byte[] {0x38, (byte) 0xfe, 0x7f, 1, 0x08}, 5)
        .bytes("e5m2", "F8_E5M2", new byte[] {0x3c, 0x7c, 1}, 3)
        .bytes("scalar", "I64", new byte[] {3, 0, 0, 0, 0, 0, 0, 0})
        .write(file());
    try (Checkpoint checkpoint = Checkpoint.open(folder)) {
      assertThat(read(checkpoint, "f32")).containsExactly(1, -2.5f, Float.MAX_VALUE, Float.NaN);
      assertThat(read(checkpoint, "bf16")).containsExactly(1, -0.5f);
      assertThat(read(checkpoint, "f16")).containsExactly(1, 0x1p-24f);
      assertThat(read(checkpoint, "e4m3")).containsExactly(1, -448, Float.NaN, 0x1p-9f, 0x1p-6f);
      assertThat(read(checkpoint, "e5m2")).containsExactly(1, Float.POSITIVE_INFINITY, 0x1p-16f);
      assertThat(read(checkpoint, "scalar")).containsExactly(3);
      float[] part = new float[4];
      checkpoint.read(checkpoint.find("f32").orElseThrow(), 1, 2, part, 1);
      assertThat(part).containsExactly(0, -2.5f, Float.MAX_VALUE, 0);
    }
  }

  private static float[] read(Checkpoint checkpoint, String name) throws CheckpointException {
    return checkpoint.read(checkpoint.find(name).orElseThrow());
  }

  @Test
  void multipliesEightBitFloatsWithTheirScales() throws IOException {
    int rows = 130;
    int columns = 260;
    byte[] ones = new byte[rows * columns];
    Arrays.fill(ones, (byte) 0x38);
    TestCheckpoint.create()
        .bytes("a.weight", "F8_E4M3", ones, rows, columns)
        .f32("a.weight_scale_inv", new float[] {1, 2, 3, 4, 5, 6}, 2, 3)
        .bytes("b.weight", "F8_E5M2", new byte[] {0x3c, 0x3c, 0x3c, 0x3c}, 2, 2)
        .f32("b.weight_scale", new float[] {7, 8}, 2, 1)
        .bytes("c.weight", "F8_E4M3", new byte[] {0x38, 0x40}, 1, 2)
        .bytes("c.weight_scale_inv", "F8_E8M0", new byte[] {126}, 1)
        .bytes("d.weight", "F8_E4M3", new byte[] {0x38, 0x38, 0x38, 0x38}, 2, 1, 2)
        .f32("d.weight_scale_inv", new float[] {2, 3}, 2, 1, 1)
        .write(file());
    try (Checkpoint checkpoint = Checkpoint.open(file())) {
      assertThat(checkpoint.parameters())
          .extracting(CheckpointParameter::name)
          .containsExactly("a.weight", "b.weight", "c.weight", "d.weight");
      float[] a = read(checkpoint, "a.weight");
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
          assertThat(a[row * columns + column]).isEqualTo(1 + 3 * (row / 128) + column / 128);
        }
      }
      float[] part = new float[columns];
      checkpoint.read(
          checkpoint.find("a.weight").orElseThrow(), 127 * columns + 100, columns, part, 0);
      assertThat(part).isEqualTo(Arrays.copyOfRange(a, 127 * columns + 100, 128 * columns + 100));
      assertThat(read(checkpoint, "b.weight")).containsExactly(7, 7, 8, 8);
      assertThat(read(checkpoint, "c.weight")).containsExactly(0.5f, 1);
      assertThat(read(checkpoint, "d.weight")).containsExactly(2, 2, 3, 3);
    }
  }

  @Test
  void takesTheBlockSizeFromTheConfig() throws IOException {
    byte[] ones = new byte[16];
    Arrays.fill(ones, (byte) 0x38);
    TestCheckpoint.create()
        .bytes("a.weight", "F8_E4M3", ones, 4, 4)
        .f32("a.weight_scale_inv", new float[] {1, 2, 3, 4}, 2, 2)
        .write(file());
    Files.writeString(
        folder.resolve("config.json"),
        "{\"quantization_config\": {\"weight_block_size\": [2, 2]}}");
    try (Checkpoint checkpoint = Checkpoint.open(file())) {
      assertThat(read(checkpoint, "a.weight"))
          .containsExactly(1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4);
    }
    Files.delete(folder.resolve("config.json"));
    assertThat(refused()).hasMessageContaining("a.weight_scale_inv has the shape [2, 2]");
  }

  @Test
  void opensTheFilesOfAnIndex() throws IOException {
    TestCheckpoint.create().f32("a", new float[] {1}, 1).write(folder.resolve("m-1.safetensors"));
    TestCheckpoint.create().f32("b", new float[] {2}, 1).write(folder.resolve("m-2.safetensors"));
    Path index = folder.resolve(WeightIndex.FILE_NAME);
    Files.writeString(
        index,
        """
        {"metadata": {"total_size": 12}, "weight_map":
          {"a": "m-1.safetensors", "b": "m-2.safetensors", "c": "m-3.safetensors"}}
        """);
    for (Path path : new Path[] {folder, index}) {
      try (Checkpoint checkpoint = Checkpoint.open(path)) {
        assertThat(checkpoint.absentFiles()).containsExactly("m-3.safetensors");
        assertThat(checkpoint.index().orElseThrow().parameters()).containsExactly("a", "b", "c");
        assertThat(checkpoint.index().orElseThrow().totalSize()).hasValue(12);
        assertThat(read(checkpoint, "b")).containsExactly(2);
      }
    }
    Files.writeString(index, "{\"weight_map\": {\"z\": \"m-1.safetensors\"}}");
    assertThatThrownBy(() -> Checkpoint.open(folder)).hasMessageContaining("which lacks it");
    Files.writeString(index, "{\"weight_map\": {\"z\": \"../m-1.safetensors\"}}");
    assertThatThrownBy(() -> Checkpoint.open(folder))
        .hasMessageContaining("the name of a file in the same folder is expected");
    Files.writeString(index, "{\"weight_map\": {\"z\": \"m-9.safetensors\"}}");
    assertThatThrownBy(() -> Checkpoint.open(folder)).hasMessageContaining("none of the 1 files");
  }

  @Test
  void refusesHeadersThatTheFileDoesNotBear() throws IOException {
    String one = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}";
    Files.write(file(), TestCheckpoint.file(one, new byte[8]));
    Checkpoint.open(file()).close();

    assertThat(refused(one, 7)).hasMessageContaining("the data offsets 0 to 8; the file has 7");
    assertThat(refused(one, 9)).hasMessageContaining("end at byte 8 of the data, which has 9");
    assertThat(refused(one.replace("[2]", "[3]"), 8)).hasMessageContaining("3 elements of F32");
    assertThat(refused(one.replace("[2]", "[-2]"), 8)).hasMessageContaining("the number -2");
    assertThat(refused(one.replace("[2]", "[4611686018427387904,4]"), 8))
        .hasMessageContaining("more than 2^63-1");
    assertThat(refused(one.replace("[2]", "[99999999999999999999]"), 8))
        .hasMessageContaining("not readable JSON");
    assertThat(refused(one.replace("[2]", "[1.5]"), 8)).hasMessageContaining("whole numbers");
    assertThat(refused(one.replace("[0,8]", "[8,0]"), 8)).hasMessageContaining("offsets 8 to 0");
    assertThat(refused(one.replace("}}", "},\"a\":{}}"), 8)).hasMessageContaining("lacks one of");
    assertThat(refused("[]", 0)).hasMessageContaining("not readable JSON");
    assertThat(refused("{\"a\":" + "[".repeat(5000), 0)).hasMessageContaining("not readable JSON");
    String second = ",\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}";
    assertThat(refused(one.replace("}}", "}" + second), 8)).hasMessageContaining("they overlap");
    String later = ",\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[12,16]}}";
    assertThat(refused(one.replace("}}", "}" + later), 16)).hasMessageContaining("there is a gap");
    assertThat(refused(one.replace("}}", "}," + one.substring(1)), 8))
        .hasMessageContaining("a comes twice");
  }

  @Test
  void refusesLengthsOfHeadersBeyondTheFile() throws IOException {
    for (long length : new long[] {-1, Long.MAX_VALUE, 0, 3, 1L << 40}) {
      Files.write(
          file(),
          ByteBuffer.allocate(10)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putLong(length)
              .put((byte) '{')
              .put((byte) '}')
              .array());
      assertThat(refused())
          .hasMessageContaining("declare a header of " + Long.toUnsignedString(length) + " bytes");
    }
    Files.write(file(), new byte[3]);
    assertThat(refused()).hasMessageContaining("has 3 bytes");
  }

  @Test
  void keepsDtypesItDoesNotKnow() throws IOException {
    TestCheckpoint.create().bytes("a", "F128", new byte[32], 2).write(file());
    try (Checkpoint checkpoint = Checkpoint.open(file())) {
      CheckpointParameter parameter = checkpoint.find("a").orElseThrow();
      assertThat(parameter.dtypeName()).isEqualTo("F128");
      assertThatThrownBy(() -> checkpoint.read(parameter))
          .hasMessageContaining("a is F128, whose values are not read here");
    }
  }
}
