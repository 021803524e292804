package dev.gguf.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.ValueType;
import dev.gguf.fixture.Llama;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRulesTest {
  @TempDir Path folder;

  private String judge(Metadata.Builder metadata) throws IOException {
    return Judged.of(folder, Llama.tensors(GgufWriter.of(metadata.build())));
  }

  @Test
  void aSoundModelHasNoFinding() throws IOException {
    assertThat(judge(Llama.metadata())).isEmpty();
  }

  @Test
  void aRepeatedKeyIsToldWithBothPlaces() throws IOException {
    Metadata.Builder metadata = Llama.metadata();
    Metadata.Entry name = metadata.build().get("general.name");
    metadata.append(name);
    assertThat(judge(metadata))
        .matches(
            "error key-duplicate general.name: general.name stands twice, at bytes \\d+ and"
                + " \\d+, with equal values; the first one counts here, readers refuse the file");
    Metadata.Builder other = Llama.metadata();
    other.append(Metadata.builder().string("general.name", "other").build().get("general.name"));
    assertThat(judge(other)).contains("with different values");
  }

  @Test
  void keysAreComparedByTheirBytes() throws IOException {
    Path path = folder.resolve("bytes.gguf");
    Llama.tensors(GgufWriter.of(Llama.metadata().uint8("odd.keyA", 1).uint8("odd.keyB", 1).build()))
        .write(path);
    byte[] bytes = Files.readAllBytes(path);
    int a = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("odd.keyA") + 7;
    int b = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("odd.keyB") + 7;
    bytes[a] = (byte) 0xff;
    bytes[b] = (byte) 0xfe;
    Files.write(path, bytes);
    assertThat(Judged.of(path)).contains("2 strings not in UTF-8").doesNotContain("twice");
    bytes[b] = (byte) 0xff;
    Files.write(path, bytes);
    assertThat(Judged.of(path)).contains("error key-duplicate odd.key");
  }

  @Test
  void everyRepeatedKeyIsToldOnce() throws IOException {
    Metadata.Builder metadata = Llama.metadata();
    Metadata.Entry other =
        Metadata.builder().uint32("llama.block_count", 2).build().get("llama.block_count");
    metadata.append(Llama.metadata().build().get("llama.block_count"));
    metadata.append(other);
    metadata.append(Llama.metadata().build().get("general.type"));
    assertThat(judge(metadata))
        .containsPattern("llama.block_count stands 3 times, at .* with different values")
        .containsPattern("general.type stands twice, at .* with equal values");
  }

  @Test
  void anEmptyKeyIsAnError() throws IOException {
    assertThat(judge(Llama.metadata().uint8("", 1)))
        .isEqualTo("error key-empty: key 21 has an empty name: readers abort");
  }

  @Test
  void oddKeysAreInformation() throws IOException {
    assertThat(judge(Llama.metadata().uint8("Some Key", 1)))
        .startsWith("info key-name Some Key: a key with characters other than");
    assertThat(judge(Llama.metadata().uint8("x".repeat(70_000), 1)))
        .contains("a key of 70000 characters, the specification allows 65535");
  }

  @Test
  void nestedArraysAreAnErrorAndDoNotMisleadTheReader() throws IOException {
    byte[] inner = {
      4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0
    };
    Metadata.Builder metadata = Llama.metadata().array("x", ValueType.ARRAY, 2, inner);
    metadata.string("general.author", "someone");
    assertThat(judge(metadata))
        .isEqualTo(
            "error array-nested x: x is an array of 2 arrays: the reference reader refuses nested"
                + " arrays");
  }

  @Test
  void emptyArraysAreInformationButForTokens() throws IOException {
    assertThat(judge(Llama.metadata().strings("llama.vision.indexes", List.of())))
        .isEqualTo(
            "info array-empty llama.vision.indexes: llama.vision.indexes is an array without"
                + " elements");
    assertThat(judge(Llama.metadata().strings("tokenizer.ggml.tokens", List.of())))
        .isEqualTo(
            "warning array-empty tokenizer.ggml.tokens: tokenizer.ggml.tokens is an array without"
                + " elements");
  }

  @Test
  void alignmentOfAnotherTypeOpensButIsAnError() throws IOException {
    assertThat(judge(Llama.metadata().int32("general.alignment", 32)))
        .isEqualTo(
            "error alignment-type general.alignment: general.alignment is of type int32, readers"
                + " accept uint32 alone; its value is 32");
    assertThat(judge(Llama.metadata().uint64("general.alignment", 64)))
        .contains("of type uint64")
        .contains("its value is 64");
  }

  @Test
  void aTinyAlignmentIsDoubtful() throws IOException {
    assertThat(judge(Llama.metadata().uint32("general.alignment", 1)))
        .startsWith("warning alignment-small general.alignment: general.alignment is 1");
    assertThat(judge(Llama.metadata().uint32("general.alignment", 8))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 24})
  void anAlignmentThatStopsTheReadingIsToldOnce(int alignment) throws IOException {
    Path path = folder.resolve("alignment.gguf");
    Llama.tensors(GgufWriter.of(Llama.metadata().uint32("general.alignment", 16).build()))
        .write(path);
    byte[] bytes = Files.readAllBytes(path);
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("general.alignment") + 21;
    bytes[at] = (byte) alignment;
    Files.write(path, bytes);
    assertThat(Judged.of(path))
        .isEqualTo(
            "error alignment-value general.alignment: general.alignment is "
                + alignment
                + ", expected a power of two above 0");
    bytes[at] = 0;
    bytes[at + 3] = 0x40;
    Files.write(path, bytes);
    assertThat(Judged.of(path))
        .startsWith("error alignment-value general.alignment: with general.alignment 1073741824")
        .doesNotContain("\n");
  }

  @Test
  void aHugeAlignmentOfAFileWithoutTensorsIsNoFault() throws IOException {
    assertThat(
            Judged.of(
                folder,
                GgufWriter.of(Llama.metadata().uint32("general.alignment", 1L << 30).build())))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "INT32, info",
    "UINT64, warning",
    "UINT16, warning",
    "INT64, warning",
  })
  void theWidthOfANumberIsNoError(ValueType type, String severity) throws IOException {
    assertThat(judge(Llama.metadata().integer("llama.context_length", type, 32)))
        .isEqualTo(
            severity
                + " key-type llama.context_length: llama.context_length is of type "
                + type.label()
                + ", converters write uint32");
  }

  @Test
  void aKindThatEnginesAbortOnIsAnError() throws IOException {
    assertThat(judge(Llama.metadata().string("llama.context_length", "32")))
        .startsWith("error key-type llama.context_length");
    assertThat(
            judge(
                Llama.metadata()
                    .integers("tokenizer.ggml.precompiled_charsmap", ValueType.INT32, 1, 2)))
        .isEqualTo(
            "error key-type tokenizer.ggml.precompiled_charsmap:"
                + " tokenizer.ggml.precompiled_charsmap is of type array of int32, converters"
                + " write array of uint8 or int8");
    assertThat(judge(Llama.metadata().integers("tokenizer.ggml.tokens", ValueType.INT32, 1, 2)))
        .startsWith("error key-type tokenizer.ggml.tokens");
    assertThat(judge(Llama.metadata().uint32("general.architecture", 5)))
        .startsWith("error key-type general.architecture");
  }

  @Test
  void whatOnlyPeopleReadIsNoError() throws IOException {
    assertThat(judge(Llama.metadata().uint32("general.name", 5)))
        .startsWith("warning key-type general.name");
  }

  @Test
  void tokenTypesAndScoresOfAnotherWidthAreAWarning() throws IOException {
    long[] types = new long[Llama.TOKENS];
    assertThat(
            judge(Llama.metadata().integers("tokenizer.ggml.token_type", ValueType.UINT32, types)))
        .startsWith("warning key-type tokenizer.ggml.token_type");
    assertThat(
            judge(
                Llama.metadata()
                    .array("tokenizer.ggml.scores", ValueType.FLOAT64, 16, new byte[16 * 8])))
        .startsWith("warning key-type tokenizer.ggml.scores");
  }

  @Test
  void perLayerKeysMayBeScalarsOrArraysOfAnyWidth() throws IOException {
    assertThat(
            judge(
                Llama.metadata()
                    .uint32("llama.block_count", 2)
                    .integers("llama.attention.head_count_kv", ValueType.INT64, 1, 0)
                    .integers("llama.feed_forward_length", ValueType.UINT16, 128, 64)
                    .integers("llama.attention.sliding_window_pattern", ValueType.BOOL, 1, 0)))
        .isEmpty();
  }

  @Test
  void aPerLayerArrayHasOneEntryForEachBlock() throws IOException {
    Metadata.Builder metadata =
        Llama.metadata()
            .uint32("llama.block_count", 5)
            .uint32("llama.nextn_predict_layers", 1)
            .integers("llama.attention.head_count_kv", ValueType.INT32, 1, 1, 1);
    assertThat(judge(metadata))
        .isEqualTo(
            "warning array-length llama.attention.head_count_kv: llama.attention.head_count_kv"
                + " has 3 entries, one for each block would be 5, or 4 without the MTP blocks");
    assertThat(
            judge(metadata.integers("llama.attention.head_count_kv", ValueType.INT32, 1, 1, 1, 1)))
        .isEmpty();
    assertThat(
            judge(metadata.integers("llama.feed_forward_length", ValueType.INT32, 1, 1, 1, 1, 1)))
        .startsWith("warning array-length")
        .contains("arrays of both lengths in one file");
  }

  @Test
  void indexerTypesAndArraysThatAreNotPerLayerStayOutOfTheComparison() throws IOException {
    assertThat(
            judge(
                Llama.metadata()
                    .uint32("llama.block_count", 5)
                    .uint32("llama.nextn_predict_layers", 1)
                    .integers("llama.attention.head_count_kv", ValueType.INT32, 1, 1, 1, 1, 1)
                    .integers("llama.attention.indexer.types", ValueType.BOOL, 1, 0, 0, 1)
                    .integers("llama.rope.dimension_sections", ValueType.INT32, 1, 2, 3, 0)
                    .integers("llama.target_layers", ValueType.INT32, 1, 2)
                    .strings("llama.classifier.output_labels", List.of("yes", "no"))))
        .isEmpty();
  }

  @Test
  void keysOfBranchesAreToldWithTheirFinalNames() throws IOException {
    assertThat(
            judge(
                Metadata.builder()
                    .string("general.architecture", "dflash-draft")
                    .integers("dflash-draft.dflash.target_layer_ids", ValueType.INT32, 1, 2)))
        .contains(
            "warning key-alias dflash-draft.dflash.target_layer_ids:"
                + " dflash-draft.dflash.target_layer_ids is the spelling of a pre-release or of"
                + " one branch, engines read dflash.target_layers");
    assertThat(judge(Llama.metadata().uint32("llama.attention.indexer.kpool", 4)))
        .contains("engines read llama.attention.indexer.block_size");
  }

  @Test
  void stringsThatAreNotUtf8AreCounted() throws IOException {
    assertThat(
            judge(
                Llama.metadata()
                    .bytes("general.author", new byte[] {(byte) 0xff, (byte) 0xfe})
                    .byteStrings(
                        "x.list",
                        List.of(
                            new byte[] {(byte) 0xa1}, "good".getBytes(StandardCharsets.UTF_8)))))
        .isEqualTo("info utf8 general.author: 2 strings not in UTF-8, first in general.author");
  }

  @Test
  void aBoolThatIsNeitherZeroNorOneIsInformation() throws IOException {
    assertThat(judge(Llama.metadata().integer("x.flag", ValueType.BOOL, 2)))
        .isEqualTo("info bool-value x.flag: a bool is stored as 2, which readers take as true");
    assertThat(
            judge(Llama.metadata().array("x.flags", ValueType.BOOL, 2, new byte[] {1, (byte) 200})))
        .isEqualTo(
            "info bool-value x.flags: an element is stored as 200, which readers take as true");
  }

  @Test
  void manyFaultsOfOneKindAreOneLine() throws IOException {
    Metadata.Builder metadata = Llama.metadata();
    for (int i = 0; i < 50; i++) {
      metadata.uint8("Key " + i, 1);
    }
    assertThat(judge(metadata))
        .startsWith("info key-name Key 0: 50 keys, first a key with characters other than");
  }

  @Test
  void versionsAndByteOrder() throws IOException {
    assertThat(Judged.of(folder, Llama.writer().version(2)))
        .isEqualTo("info version-old: format version 2, laid out like version 3");
    assertThat(Judged.of(folder, Llama.writer().version(1)))
        .isEqualTo(
            "error version-old: format version 1, with lengths of 32 bits: engines read version 2"
                + " and 3");
    assertThat(Judged.of(folder, Llama.writer().byteOrder(ByteOrder.BIG_ENDIAN)))
        .startsWith("error byte-order: the file is big-endian, this machine is little-endian");
  }

  @Test
  void aVersionThatOnlyLooksSwappedIsToldAsItStands() throws IOException {
    Path path = folder.resolve("model.gguf");
    Llama.writer().version(65_536).write(path);
    assertThat(Judged.of(path))
        .isEqualTo("error version-unsupported: the format version is 65536, known are 1, 2 and 3");
    assertThat(Files.size(path)).isPositive();
  }
}
