package dev.gguf.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.TensorType;
import dev.gguf.fixture.Llama;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableRulesTest {
  @TempDir Path folder;

  private String judge(GgufWriter writer) throws IOException {
    return Judged.of(folder, writer);
  }

  private static TensorData bytes(int count) {
    return TensorData.of(new byte[count]);
  }

  @Test
  void theLimitOfNamesCountsBytes() throws IOException {
    assertThat(judge(Llama.tensor(Llama.writer(), "n".repeat(63), 8))).isEmpty();
    assertThat(judge(Llama.tensor(Llama.writer(), "n".repeat(64), 8)))
        .contains("error tensor-name-long")
        .endsWith("has a name of 64 bytes, readers take at most 63");
    assertThat(judge(Llama.tensor(Llama.writer(), "ü".repeat(32), 8)))
        .endsWith("has a name of 64 bytes, readers take at most 63");
  }

  @Test
  void namesWithAZeroByteOrNone() throws IOException {
    assertThat(judge(Llama.tensor(Llama.writer(), "a\0b", 8)))
        .startsWith("error tensor-name-zero a\0b");
    assertThat(judge(Llama.tensor(Llama.writer(), "", 8)))
        .startsWith("warning tensor-name-empty: a tensor [8] without a name, at byte ");
  }

  @Test
  void equalNamesAreComparedByBytes() throws IOException {
    GgufWriter same = Llama.tensor(Llama.tensor(Llama.writer(), "a", 32), "a", 32);
    assertThat(judge(same))
        .isEqualTo(
            "error tensor-name-duplicate a: a stands twice, as tensor 12 at data offset 156416"
                + " and as tensor 13 at data offset 156544; their bytes are equal");
    assertThat(judge(Llama.tensor(Llama.tensor(Llama.writer(), "", 32), "", 32)))
        .startsWith("error tensor-name-duplicate: the empty name stands twice, as tensor 12");
    GgufWriter differ =
        Llama.tensor(Llama.writer(), "a", 32)
            .tensor("a", TensorType.F32, TensorData.floats(new float[32]), 32);
    assertThat(judge(differ)).endsWith("; their bytes differ");
    GgufWriter type =
        Llama.tensor(Llama.writer(), "a", 32).tensor("a", TensorType.F16, bytes(64), 32);
    assertThat(judge(type)).endsWith("; they differ in type or size");
  }

  @Test
  void namesThatLookAlikeAsTextAreTwo() throws IOException {
    Path path = folder.resolve("bytes.gguf");
    Llama.tensor(Llama.tensor(Llama.writer(), "odd.nameA", 8), "odd.nameB", 8).write(path);
    byte[] bytes = Files.readAllBytes(path);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    bytes[text.indexOf("odd.nameA") + 8] = (byte) 0xff;
    bytes[text.indexOf("odd.nameB") + 8] = (byte) 0xfe;
    Files.write(path, bytes);
    assertThat(Judged.of(path)).contains("2 strings not in UTF-8").doesNotContain("duplicate");
  }

  @Test
  void aDimensionOfZeroIsDoubtful() throws IOException {
    assertThat(judge(Llama.writer().tensor("t", TensorType.F32, bytes(0), 4, 0)))
        .startsWith("warning tensor-empty t: t has the dimensions [4, 0] and so no elements");
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 31, 32, 33, 36, 37, 38})
  void removedTypesAreNamed(int id) throws IOException {
    String said = judge(Llama.writer().tensor("t", id, bytes(64), OptionalLong.empty(), 128, 2));
    assertThat(said)
        .isEqualTo(
            "error type-removed t: t is of type "
                + id
                + ", "
                + TensorType.of(id)
                + ", which ggml has removed"
                + (id == 36 ? "; bitnet.cpp uses the same number for I2_S" : ""));
  }

  @Test
  void typesOfForksAreNamedAndTheirSizeIsChecked() throws IOException {
    assertThat(judge(Llama.writer().tensor("t", 138, bytes(220), OptionalLong.empty(), 256, 2)))
        .isEqualTo(
            "warning type-of-fork t: t is of type IQ3_K (138), which belongs to ik_llama.cpp");
    assertThat(judge(Llama.writer().tensor("t", 138, bytes(128), OptionalLong.empty(), 256, 2)))
        .contains("error tensor-outside-file t")
        .contains("warning type-of-fork t");
    assertThat(judge(Llama.writer().tensor("t", 212, bytes(864), OptionalLong.empty(), 256, 6)))
        .contains("error row-size t: t has 6 rows, which is no multiple of the 4");
  }

  @Test
  void aTypeInNoListKeepsItsSpan() throws IOException {
    assertThat(judge(Llama.writer().tensor("t", 4711, bytes(96), OptionalLong.empty(), 128, 2)))
        .isEqualTo(
            "error type-unknown t: t is of type 4711, which neither ggml nor a known fork"
                + " defines; 96 bytes lie before the next tensor");
  }

  @Test
  void rowsAreWholeBlocks() throws IOException {
    assertThat(judge(Llama.writer().tensor("t", TensorType.Q6_K, bytes(420), 8, 64)))
        .isEqualTo(
            "error row-size t: t has rows of 8 elements, which is no multiple of the 256 of a Q6_K"
                + " block");
  }

  @Test
  void typesOfTodayAreFine() throws IOException {
    GgufWriter writer = Llama.writer();
    for (TensorType type : TensorType.current()) {
      int rows = 2;
      writer.tensor(
          "t." + type.id(), type, bytes(rows * type.blockBytes()), type.blockElements(), rows);
    }
    assertThat(judge(writer)).isEmpty();
  }
}
