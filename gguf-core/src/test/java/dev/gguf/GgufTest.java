package dev.gguf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.fixture.GlmDsa;
import dev.gguf.fixture.Shared;
import dev.gguf.fixture.Values;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GgufTest {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @TempDir Path folder;

  @Test
  void aModelShowsItsPairsAndTensors() throws IOException {
    try (Gguf gguf = Gguf.open(Shared.testdata("glm-dsa-mini.gguf"))) {
      assertThat(gguf.architecture()).contains("glm-dsa");
      assertThat(gguf.kind()).isEqualTo(FileKind.MODEL);
      assertThat(gguf.metadata().integer("glm-dsa.block_count")).isEqualTo(4);
      assertThat(gguf.metadata().number("glm-dsa.expert_weights_scale")).isEqualTo(2.5);
      assertThat(gguf.metadata().bool("glm-dsa.expert_weights_norm")).isTrue();
      assertThat(gguf.metadata().strings("tokenizer.ggml.tokens"))
          .hasSize(96)
          .startsWith("a", "Ġb", "c");
      assertThat(gguf.tensors()).hasSize(94);
      Tensor keys = gguf.find("blk.1.attn_k_b.weight").orElseThrow();
      assertThat(keys.type()).isEqualTo(TensorType.Q8_0);
      assertThat(keys.ne()).containsExactly(32, 64, 4);
      assertThat(keys.shape()).containsExactly(4, 64, 32);
      assertThat(keys.ne(3)).isEqualTo(1);
      assertThat(keys.bytes()).isEqualTo(4 * 64 * 34);
      assertThat(keys.layer()).hasValue(1);
    }
  }

  @Test
  void tensorDataIsTheBytesOfTheFile() throws IOException {
    Path path = Shared.testdata("glm-dsa-mini.gguf");
    byte[] file = Files.readAllBytes(path);
    try (Gguf gguf = Gguf.open(path)) {
      for (Tensor tensor : gguf.tensors()) {
        MemorySegment data = tensor.data();
        assertThat(data.isReadOnly()).isTrue();
        assertThat(data.byteSize()).isEqualTo(tensor.bytes());
        assertThat(
                data.mismatch(
                    MemorySegment.ofArray(file).asSlice(tensor.fileOffset(), tensor.bytes())))
            .isEqualTo(-1);
      }
      Tensor norm = gguf.find("output_norm.weight").orElseThrow();
      assertThat(norm.data().getAtIndex(FLOAT, 5)).isEqualTo(Values.value("output_norm.weight", 5));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void anyShardOpensTheWholeSet(int number) throws IOException {
    Path shard = Shared.testdata("glm-dsa-mini-split-0000" + number + "-of-00003.gguf");
    try (Gguf set = Gguf.open(shard);
        Gguf whole = Gguf.open(Shared.testdata("glm-dsa-mini.gguf"))) {
      assertThat(set.files()).hasSize(3);
      assertThat(set.metadata().string("general.name")).isEqualTo("GLM DSA miniature");
      assertThat(set.tensors())
          .extracting(Tensor::name)
          .containsExactlyElementsOf(whole.tensors().stream().map(Tensor::name).toList());
      for (Tensor tensor : set.tensors()) {
        assertThat(tensor.data().mismatch(whole.find(tensor.name()).orElseThrow().data()))
            .isEqualTo(-1);
      }
    }
  }

  @Test
  void aMissingShardIsNamed() throws IOException {
    List<Path> shards = GlmDsa.mini().writeSplit(folder, "m", 3);
    Files.delete(shards.get(1));
    assertThatThrownBy(() -> Gguf.open(shards.get(2)).close())
        .isInstanceOf(GgufFormatException.class)
        .hasMessageContaining("1 of 3 shards are missing: m-00002-of-00003.gguf")
        .hasMessageContaining("of 94 tensors are there")
        .hasMessageEndingWith("[shard-missing]");
    try (Inspection inspection = Gguf.inspect(shards.get(0))) {
      assertThat(inspection.gguf().orElseThrow().files()).hasSize(2);
      assertThat(inspection.findings())
          .extracting(Finding::rule)
          .containsExactly(FileRule.SHARD_MISSING);
    }
  }

  @ParameterizedTest
  @CsvSource({"1,LITTLE_ENDIAN", "1,BIG_ENDIAN", "2,LITTLE_ENDIAN", "2,BIG_ENDIAN", "3,BIG_ENDIAN"})
  void everyVersionAndByteOrderIsRead(int version, String order) throws IOException {
    Metadata keys = everyValueType();
    ByteOrder byteOrder =
        order.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    Path path = folder.resolve("odd.gguf");
    GgufWriter.of(keys)
        .version(version)
        .byteOrder(byteOrder)
        .tensor("t", TensorType.F32, TensorData.floats(1, 2, 3, 4, 5, 6), 3, 2)
        .write(path);
    try (Gguf gguf = Gguf.open(path)) {
      GgufFile file = gguf.files().getFirst();
      assertThat(file.version()).isEqualTo(version);
      assertThat(file.byteOrder()).isEqualTo(byteOrder);
      assertThat(file.alignment()).isEqualTo(64);
      assertThat(file.dataStart() % 64).isZero();
      assertThat(describe(gguf.metadata())).isEqualTo(describe(keys));
      assertThat(gguf.tensors().getFirst().ne()).containsExactly(3, 2);
    }
  }

  private static Metadata everyValueType() {
    byte[] nested = {
      4, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
      0, 2, 0, 0, 0, 0, 0, 0, 0, 'h', 'i',
    };
    return Metadata.builder()
        .uint32("general.alignment", 64)
        .uint8("u8", 200)
        .integer("i8", ValueType.INT8, -3)
        .uint16("u16", 60_000)
        .integer("i16", ValueType.INT16, -300)
        .uint32("u32", 4_000_000_000L)
        .int32("i32", -5)
        .float32("f32", 0.1f)
        .bool("yes", true)
        .string("s", "grüß")
        .bytes("raw", new byte[] {(byte) 0xff, 0})
        .string("empty", "")
        .uint64("u64", -1L)
        .int64("i64", Long.MIN_VALUE)
        .float64("f64", Math.PI)
        .strings("words", List.of("a", "", "ccc"))
        .strings("none", List.of())
        .integers("u8s", ValueType.UINT8, 1, 255)
        .integers("i16s", ValueType.INT16, -1, 300)
        .integers("bools", ValueType.BOOL, 1, 0, 1)
        .integers("u64s", ValueType.UINT64, -1, 1)
        .floats("floats", 1.5f, Float.NaN)
        .array("nested", ValueType.ARRAY, 2, nested)
        .string("long", "x".repeat(100_000))
        .build();
  }

  private static String describe(Metadata metadata) {
    StringBuilder text = new StringBuilder();
    for (Metadata.Entry entry : metadata) {
      text.append(entry).append(" = ");
      switch (entry.type()) {
        case STRING -> text.append(entry.string());
        case ARRAY -> describe(entry.array(), text);
        case FLOAT32, FLOAT64 -> text.append(entry.number());
        default -> text.append(entry.bits());
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static void describe(MetadataArray array, StringBuilder text) {
    text.append(array.elementType()).append(" x ").append(array.count()).append(':');
    for (long i = 0; i < array.count(); i++) {
      text.append(' ');
      switch (array.elementType()) {
        case STRING -> text.append(array.stringAt(i));
        case ARRAY -> describe(array.arrayAt(i), text);
        case FLOAT32, FLOAT64 -> text.append(array.numberAt(i));
        default -> text.append(array.integerAt(i));
      }
    }
  }

  @Test
  void anUnknownTypeSpansUpToTheNextTensor() throws IOException {
    Path path = folder.resolve("unknown.gguf");
    GgufWriter.of(Metadata.EMPTY)
        .tensor("a", TensorType.of(999), TensorData.of(new byte[40]), 10)
        .tensor("b", TensorType.F32, TensorData.floats(1), 1)
        .tensor("c", TensorType.of(5), TensorData.of(new byte[32]), 10)
        .write(path);
    try (Gguf gguf = Gguf.open(path)) {
      assertThat(gguf.tensors()).extracting(Tensor::bytes).containsExactly(64L, 4L, 32L);
      assertThat(gguf.tensors())
          .extracting(Tensor::hasExactSize)
          .containsExactly(false, true, false);
      assertThat(gguf.tensors().getFirst().type().kind()).isEqualTo(TensorType.Kind.UNKNOWN);
      assertThat(gguf.tensors().getFirst().type().id()).isEqualTo(999);
      assertThat(gguf.tensors().getLast().type().kind()).isEqualTo(TensorType.Kind.REMOVED);
    }
  }

  @Test
  void aTensorBehindTheEndStopsOpeningButIsShown() throws IOException {
    Path path = folder.resolve("short.gguf");
    GgufWriter.of(Metadata.EMPTY)
        .tensor("a", TensorType.F32, TensorData.floats(1, 2), 2)
        .tensor("b", TensorType.F32, TensorData.of(new byte[12]), 8)
        .finalPadding(false)
        .write(path);
    assertThatThrownBy(() -> Gguf.open(path).close())
        .isInstanceOf(GgufFormatException.class)
        .hasMessageContaining("1 of 2 tensors")
        .hasMessageContaining("first b")
        .hasMessageContaining("20 bytes are missing");
    try (Inspection inspection = Gguf.inspect(path)) {
      Gguf gguf = inspection.gguf().orElseThrow();
      assertThat(gguf.tensors()).extracting(Tensor::bytesOutside).containsExactly(0L, 20L);
      assertThatThrownBy(() -> gguf.find("b").orElseThrow().data())
          .hasMessageContaining("20 of the 32 bytes of b");
    }
  }

  @Test
  void wrongAccessNamesTheKeyAndBothTypes() {
    Metadata keys = everyValueType();
    assertThatThrownBy(() -> keys.integer("s"))
        .isInstanceOf(MetadataException.class)
        .hasMessage("s is of type string, not an integer");
    assertThatThrownBy(() -> keys.string("words"))
        .hasMessage("words is of type array of string, not a string");
    assertThatThrownBy(() -> keys.integer("u64"))
        .hasMessage("u64 is 18446744073709551615, above 2^63-1");
    assertThatThrownBy(() -> keys.bool("nowhere")).hasMessage("the key nowhere is absent");
    assertThat(keys.number("u64")).isEqualTo(0x1p64);
    assertThat(keys.perLayer("u32", 2)).containsExactly(4_000_000_000L, 4_000_000_000L);
    assertThat(keys.perLayer("i16s", 9)).containsExactly(-1, 300);
  }

  @Test
  void aClosedModelGivesNoData() throws IOException {
    Gguf gguf = Gguf.open(Shared.testdata("glm-dsa-mini.gguf"));
    MemorySegment data = gguf.tensors().getFirst().data();
    gguf.close();
    gguf.close();
    assertThatThrownBy(() -> data.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> gguf.tensors().getFirst().data())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatIsNoFileIsSaid() {
    assertThatThrownBy(() -> Gguf.open(folder).close())
        .isInstanceOf(GgufException.class)
        .hasMessageContaining("is a folder");
    assertThatThrownBy(() -> Gguf.open(folder.resolve("absent.gguf")).close())
        .hasMessage(folder.resolve("absent.gguf") + ": there is no such file");
  }

  @Test
  void anInterruptedThreadLeavesTheModelToTheOthers() throws IOException {
    try (Gguf gguf = Gguf.open(Shared.testdata("glm-dsa-mini.gguf"))) {
      GgufFile file = gguf.files().getFirst();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> file.read(0, java.nio.ByteBuffer.allocate(4)))
          .isInstanceOf(GgufException.class);
      assertThat(file.data().byteSize()).isEqualTo(file.size());
      assertThat(Thread.interrupted()).isTrue();
      assertThat(file.read(0, java.nio.ByteBuffer.allocate(4))).isEqualTo(4);
    }
  }
}
