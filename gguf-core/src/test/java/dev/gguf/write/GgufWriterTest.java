package dev.gguf.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GgufWriterTest {
  @TempDir Path folder;

  private static GgufWriter small() {
    Metadata keys =
        Metadata.builder().uint8("a", 255).strings("b", java.util.List.of("x", "yz")).build();
    return GgufWriter.of(keys).tensor("t", TensorType.F32, TensorData.floats(1), 1);
  }

  private static String hex(GgufWriter writer) {
    return HexFormat.of().formatHex(writer.header());
  }

  @Test
  void laysTheHeaderOutAsTheFormatSays() {
    assertThat(hex(small()))
        .isEqualTo(
            "47475546"
                + "03000000"
                + "0100000000000000"
                + "0200000000000000"
                + "0100000000000000"
                + "61"
                + "00000000"
                + "ff"
                + "0100000000000000"
                + "62"
                + "09000000"
                + "08000000"
                + "0200000000000000"
                + "0100000000000000"
                + "78"
                + "0200000000000000"
                + "797a"
                + "0100000000000000"
                + "74"
                + "01000000"
                + "0100000000000000"
                + "00000000"
                + "0000000000000000");
  }

  @Test
  void versionOneHasShortLengths() {
    assertThat(hex(small().version(1)))
        .isEqualTo(
            "47475546"
                + "01000000"
                + "01000000"
                + "02000000"
                + "01000000"
                + "61"
                + "00000000"
                + "ff"
                + "01000000"
                + "62"
                + "09000000"
                + "08000000"
                + "02000000"
                + "01000000"
                + "78"
                + "02000000"
                + "797a"
                + "01000000"
                + "74"
                + "01000000"
                + "01000000"
                + "00000000"
                + "0000000000000000");
  }

  @Test
  void everyNumberButTheMagicIsSwappedInBigEndianFiles() {
    assertThat(hex(small().byteOrder(ByteOrder.BIG_ENDIAN)))
        .startsWith("47475546" + "00000003" + "0000000000000001" + "0000000000000002")
        .endsWith(
            "0000000000000001"
                + "74"
                + "00000001"
                + "0000000000000001"
                + "00000000"
                + "0000000000000000");
  }

  @Test
  void padsToTheAlignmentUnlessToldOtherwise() throws IOException {
    Path file = folder.resolve("a.gguf");
    for (long alignment : new long[] {1, 8, 32, 4096}) {
      for (boolean padding : new boolean[] {false, true}) {
        GgufWriter writer =
            GgufWriter.of(Metadata.builder().uint32("general.alignment", alignment).build())
                .finalPadding(padding)
                .tensor("a", TensorType.I8, TensorData.of(new byte[] {1, 2, 3}), 3)
                .tensor("b", TensorType.I8, TensorData.of(new byte[] {4, 5, 6, 7, 8}), 5);
        writer.write(file);
        assertThat(Files.size(file)).isEqualTo(writer.size());
        try (Gguf model = Gguf.open(file)) {
          GgufFile only = model.files().getFirst();
          Tensor last = model.tensors().get(1);
          assertThat(only.dataStart() % alignment).isZero();
          assertThat(last.offset()).isEqualTo(Math.max(3, alignment));
          long end = last.fileOffset() + 5;
          assertThat(only.size())
              .isEqualTo(padding ? (end + alignment - 1) / alignment * alignment : end);
          assertThat(last.data().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 4))
              .isEqualTo((byte) 8);
        }
      }
    }
  }

  @Test
  void writesWhereItIsTold() throws IOException {
    Path file = folder.resolve("a.gguf");
    GgufWriter writer =
        GgufWriter.of(Metadata.EMPTY)
            .tensor("far", 24, TensorData.of(new byte[] {9}), OptionalLong.of(640), 1)
            .tensor("near", 24, TensorData.of(new byte[] {7}), OptionalLong.of(32), 1);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      writer.writeTo(channel);
    }
    try (Gguf model = Gguf.open(file)) {
      assertThat(model.tensors()).extracting(Tensor::offset).containsExactly(640L, 32L);
      assertThat(
              model
                  .find("far")
                  .orElseThrow()
                  .data()
                  .get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0))
          .isEqualTo((byte) 9);
      assertThat(Files.size(file)).isEqualTo(writer.size());
    }
  }

  @Test
  void keepsBitsThatFloatingPointWouldChange() throws IOException {
    Path file = folder.resolve("a.gguf");
    // A signalling NaN, which becomes a quiet one when it is converted.
    GgufWriter.of(
            Metadata.builder()
                .float32("f", Float.intBitsToFloat(0x7f800001))
                .integer("b", ValueType.BOOL, 7)
                .build())
        .write(file);
    byte[] before = Files.readAllBytes(file);
    try (Gguf model = Gguf.open(file)) {
      assertThat(model.metadata().get("f").floatBits()).isEqualTo(0x7f800001L);
      GgufWriter.of(model.metadata()).write(folder.resolve("b.gguf"));
    }
    assertThat(folder.resolve("b.gguf")).hasBinaryContent(before);
  }

  @Test
  void aShorterFileReplacesALongerOne() throws IOException {
    Path file = Files.write(folder.resolve("a.gguf"), new byte[10_000]);
    small().write(file);
    assertThat(Files.size(file)).isEqualTo(small().size());
  }
}
