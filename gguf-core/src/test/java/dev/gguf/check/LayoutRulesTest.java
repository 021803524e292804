package dev.gguf.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.Metadata;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import dev.gguf.fixture.Llama;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayoutRulesTest {
  @TempDir Path folder;

  private String judge(GgufWriter writer) throws IOException {
    return Judged.of(folder, writer);
  }

  private static GgufWriter two(long first, long second) {
    return two(first, second, 128);
  }

  private static GgufWriter two(long first, long second, int bytes) {
    TensorData data = TensorData.of(new byte[bytes]);
    return GgufWriter.of(Llama.metadata().build())
        .tensor("a", 0, data, OptionalLong.of(first), bytes / 4)
        .tensor("b", 0, data, OptionalLong.of(second), bytes / 4);
  }

  @Test
  void tensorsInOrderWithoutGapsAreFine() throws IOException {
    assertThat(judge(two(0, 128))).isEmpty();
  }

  @Test
  void oddOffsets() throws IOException {
    assertThat(judge(two(0, 132)))
        .isEqualTo(
            "error tensor-misaligned b: b lies at data offset 132, which is no multiple of the"
                + " alignment 32\n"
                + "warning tensor-gap b: 4 bytes that belong to no tensor lie before b, after a");
    assertThat(judge(two(0, 96)))
        .isEqualTo(
            "error tensor-overlap b: b starts at data offset 96, inside a, which ends at 128");
    assertThat(judge(two(0, 0)))
        .isEqualTo(
            "error tensor-overlap b: b starts at data offset 0, inside a, which ends at 128");
    assertThat(judge(two(128, 0)))
        .startsWith("warning tensor-order b: b lies at data offset 0, before the tensor");
    assertThat(judge(two(0, 256)))
        .isEqualTo(
            "warning tensor-gap b: 128 bytes that belong to no tensor lie before b, after a");
    assertThat(judge(two(64, 192)))
        .isEqualTo(
            "warning tensor-gap a: 64 bytes that belong to no tensor lie before a, the first one");
  }

  @Test
  void anOffsetThatWrapsIsOutsideTheFile() throws IOException {
    // A hole, since bytes written at such an offset would land in the header.
    GgufWriter writer =
        GgufWriter.of(Llama.metadata().build())
            .tensor("a", 0, TensorData.hole(128), OptionalLong.of(0), 32)
            .tensor("b", 0, TensorData.hole(128), OptionalLong.of(-64), 32);
    String said = judge(writer);
    assertThat(said)
        .startsWith("error tensor-outside-file b: 1 of 2 tensors lie outside the file, first b")
        .contains("18446744073709551552")
        .doesNotContain("-64");
  }

  @Test
  void paddingAtTheEndMayBeLeftOut() throws IOException {
    assertThat(judge(two(0, 128, 100).finalPadding(false)))
        .isEqualTo(
            "info final-padding: the file ends with its last tensor: 28 bytes of padding after it"
                + " are left out, which engines do not need");
  }

  @Test
  void paddingThatIsNotZeroIsInformation() throws IOException {
    Path path = folder.resolve("model.gguf");
    two(0, 128, 100).write(path);
    byte[] bytes = Files.readAllBytes(path);
    bytes[bytes.length - 1] = 1;
    Files.write(path, bytes);
    assertThat(Judged.of(path))
        .matches(
            "info padding-nonzero: the 28 bytes of padding at byte \\d+ are not all zero; readers"
                + " skip them");
  }

  private Path write(byte[]... parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    Path path = folder.resolve("glued.gguf");
    Files.write(path, all.toByteArray());
    return path;
  }

  private byte[] bytes(GgufWriter writer) throws IOException {
    Path path = folder.resolve("part.gguf");
    writer.write(path);
    return Files.readAllBytes(path);
  }

  @Test
  void bytesAfterTheLastTensorAreCounted() throws IOException {
    byte[] whole = bytes(Llama.writer());
    assertThat(Judged.of(write(whole, new byte[64])))
        .isEqualTo(
            "warning trailing-bytes: 64 bytes follow the end of the last tensor's padding at byte "
                + whole.length
                + " and belong to nothing");
  }

  @Test
  void paddingOfAFileWithoutTensorsIsNoTrailingByte() throws IOException {
    byte[] header = bytes(GgufWriter.of(Llama.metadata().build()));
    int padding = -header.length & 31;
    assertThat(Judged.of(write(header, new byte[padding]))).isEmpty();
    assertThat(Judged.of(write(header, new byte[padding + 1]))).contains("trailing-bytes");
    assertThat(Judged.of(write(header, new byte[] {1}))).contains("trailing-bytes");
  }

  @Test
  void aRestartedDownloadIsRecognised() throws IOException {
    byte[] whole = bytes(Llama.writer());
    int part = whole.length * 6 / 10;
    Path path = write(Arrays.copyOf(whole, part), whole);
    assertThat(Judged.of(path))
        .startsWith("error trailing-bytes: ")
        .contains("another GGUF header starts at byte " + part + ", with the same header")
        .contains("a download was restarted");
    assertThat(Judged.hints(path))
        .isEqualTo("tail -c +" + (part + 1) + " 'glued.gguf' > whole.gguf");
  }

  @Test
  void twoFilesInARow() throws IOException {
    byte[] whole = bytes(Llama.writer());
    assertThat(Judged.of(write(whole, whole))).contains("the same file follows once more");
    byte[] other =
        bytes(Llama.tensors(GgufWriter.of(Llama.metadata().string("general.name", "b").build())));
    assertThat(Judged.of(write(whole, other)))
        .startsWith("error trailing-bytes")
        .contains("another file was appended with cat");
  }

  @Test
  void shardsJoinedWithCatAreToldAsSuch() throws IOException {
    GgufWriter first =
        Llama.tensors(
            GgufWriter.of(
                Llama.metadata()
                    .integer("split.no", ValueType.UINT16, 0)
                    .integer("split.count", ValueType.UINT16, 2)
                    .int32("split.tensors.count", 13)
                    .build()));
    byte[] one = bytes(first);
    byte[] two =
        bytes(
            Llama.tensor(
                GgufWriter.of(
                    Metadata.builder()
                        .integer("split.no", ValueType.UINT16, 1)
                        .integer("split.count", ValueType.UINT16, 2)
                        .int32("split.tensors.count", 13)
                        .build()),
                "more",
                8));
    assertThat(Judged.of(write(one, two)))
        .startsWith("error trailing-bytes: ")
        .endsWith("split.count is 2, so shards were joined with cat instead of being merged")
        .contains("another GGUF header starts at byte " + one.length);
  }

  @Test
  void aCutFileSaysHowManyBytesAreMissingAndWhichTensors() throws IOException {
    byte[] whole = bytes(Llama.writer());
    Path path = folder.resolve("cut.gguf");
    Files.write(path, Arrays.copyOf(whole, whole.length - 80_000));
    assertThat(Judged.of(path))
        .isEqualTo(
            "error tensor-outside-file blk.0.ffn_gate.weight: 5 of 12 tensors lie outside the"
                + " file, first blk.0.ffn_gate.weight (32768 bytes at data offset 53760): at least "
                + whole.length
                + " bytes are needed, "
                + (whole.length - 80_000)
                + " are there, 80000 bytes (78.1 KiB) are missing");
  }

  @Test
  void aFileCutInItsHeaderShowsTheKeysBeforeTheCut() throws IOException {
    byte[] whole = bytes(Llama.writer());
    Path path = folder.resolve("cut.gguf");
    Files.write(path, Arrays.copyOf(whole, 300));
    assertThat(Judged.of(path))
        .startsWith("error count-exceeds-file: the header declares 12 tensors");
    try (Inspection inspection = Gguf.inspect(path)) {
      assertThat(inspection.gguf().orElseThrow().architecture()).contains("llama");
      assertThat(inspection.gguf().orElseThrow().metadata().size()).isBetween(5, 12);
    }
  }

  @Test
  void sumsThatOverflowAreOutsideTheFile() throws IOException {
    long huge = (1L << 63) - 64;
    TensorData none = TensorData.of(new byte[64]);
    GgufWriter writer =
        GgufWriter.of(Llama.metadata().build())
            .tensor("a", (int) TensorType.I8.id(), none, OptionalLong.of(0), huge)
            .tensor("b", (int) TensorType.I8.id(), none, OptionalLong.of(64), huge);
    assertThat(judge(writer))
        .contains("2 of 2 tensors lie outside the file")
        .contains("an end above 2^63-1");
  }
}
