package dev.gguf.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import dev.gguf.fixture.Llama;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SplitRulesTest {
  private static final String FIRST = "m-00001-of-00002.gguf";
  private static final String SECOND = "m-00002-of-00002.gguf";

  @TempDir Path folder;

  @BeforeEach
  void writeASoundSet() throws IOException {
    first(keys(Llama.metadata(), 0, 2, 13));
    second(keys(Metadata.builder(), 1, 2, 13));
  }

  private static Metadata.Builder keys(Metadata.Builder metadata, int no, int count, int total) {
    return metadata
        .integer("split.no", ValueType.UINT16, no)
        .integer("split.count", ValueType.UINT16, count)
        .int32("split.tensors.count", total);
  }

  private void first(Metadata.Builder metadata) throws IOException {
    Llama.tensors(GgufWriter.of(metadata.build())).write(folder.resolve(FIRST));
  }

  private void second(Metadata.Builder metadata) throws IOException {
    Llama.tensor(GgufWriter.of(metadata.build()), "blk.0.extra.weight", 8)
        .write(folder.resolve(SECOND));
  }

  private String judge(String name) throws IOException {
    return Judged.of(folder.resolve(name));
  }

  @Test
  void aSoundSetHasNoFinding() throws IOException {
    assertThat(judge(FIRST)).isEmpty();
    assertThat(judge(SECOND))
        .isEqualTo(
            "info split-first "
                + FIRST
                + ": "
                + SECOND
                + " is file 2 of 2: engines want the first one, "
                + FIRST);
  }

  @Test
  void aMissingShardIsNamed() throws IOException {
    Files.delete(folder.resolve(SECOND));
    assertThat(judge(FIRST))
        .isEqualTo(
            "error shard-missing "
                + SECOND
                + ": 1 of 2 shards are missing: "
                + SECOND
                + "; 12 of 13 tensors are there");
  }

  @Test
  void numbersFollowNames() throws IOException {
    second(keys(Metadata.builder(), 0, 2, 13));
    assertThat(judge(FIRST))
        .isEqualTo(
            "error shard-order "
                + SECOND
                + ": "
                + SECOND
                + " is file 2 by its name, but split.no says file 1 (split.no 0)");
    second(Metadata.builder());
    assertThat(judge(FIRST)).contains("has no split.no").contains("has no split.count");
  }

  @Test
  void countsAgree() throws IOException {
    second(keys(Metadata.builder(), 1, 3, 13));
    assertThat(judge(FIRST))
        .startsWith("error shard-count " + SECOND)
        .endsWith("has split.count 3, the set has 2 files by its names");
    second(keys(Metadata.builder(), 1, 2, 15));
    assertThat(judge(FIRST))
        .isEqualTo(
            "error tensors-count split.tensors.count: "
                + SECOND
                + " has split.tensors.count 15, "
                + FIRST
                + " has 13");
    first(keys(Llama.metadata(), 0, 2, 15));
    assertThat(judge(FIRST))
        .isEqualTo(
            "error tensors-count split.tensors.count: split.tensors.count is 15, but the 2 files"
                + " of the set hold 13 tensors: 2 fewer");
  }

  @Test
  void aTensorInTwoShardsIsADuplicate() throws IOException {
    Llama.tensor(
            GgufWriter.of(keys(Metadata.builder(), 1, 2, 13).build()), "output_norm.weight", 64)
        .write(folder.resolve(SECOND));
    assertThat(judge(FIRST))
        .isEqualTo(
            "error tensor-name-duplicate output_norm.weight: output_norm.weight stands twice, in "
                + FIRST
                + " and in "
                + SECOND
                + "; their bytes are equal");
  }

  @Test
  void keysOfOtherTypes() throws IOException {
    first(keys(Llama.metadata(), 0, 2, 13).uint32("split.count", 2));
    assertThat(judge(FIRST))
        .isEqualTo(
            "info split-key split.count: split.count is of type uint32, splitters write uint16");
    first(keys(Llama.metadata(), 0, 2, 13).string("split.count", "2"));
    assertThat(judge(FIRST))
        .isEqualTo(
            "error split-key split.count: split.count is of type string, readers want an integer"
                + " and abort");
  }

  @Test
  void oldKeysAreAWarning() throws IOException {
    first(Llama.metadata().uint32("general.split", 0).uint32("general.split_count", 2));
    Files.delete(folder.resolve(SECOND));
    assertThat(judge(FIRST)).contains("warning split-key general.split: 2 keys, first");
  }

  @Test
  void oldKeysSayWhichFileIsWhich() throws IOException {
    first(Llama.metadata().uint32("general.split", 0).uint32("general.split_count", 2));
    second(Metadata.builder().uint32("general.split", 1).uint32("general.split_count", 2));
    assertThat(judge(FIRST))
        .startsWith("warning split-key general.split: 4 keys, first")
        .doesNotContain("\n");
    second(Metadata.builder().uint32("general.split", 0).uint32("general.split_count", 2));
    assertThat(judge(FIRST)).contains("error shard-order " + SECOND);
  }

  @Test
  void aShardThatCannotBeReadIsToldOnce() throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve(SECOND));
    bytes[4] = 7;
    Files.write(folder.resolve(SECOND), bytes);
    assertThat(judge(FIRST))
        .isEqualTo("error version-unsupported: the format version is 7, known are 1, 2 and 3");
  }

  @Test
  void aNameAloneMakesNoShard() throws IOException {
    assertThat(Judged.of(folder, "K2-00001-of-00013.gguf", Llama.writer()))
        .isEqualTo(
            "warning split-name K2-00001-of-00013.gguf: K2-00001-of-00013.gguf is named like file"
                + " 1 of 13 of a split set, but has no split.count key; engines may take the name"
                + " for a shard's");
    assertThat(Judged.of(folder, "K2-00000-of-00013.gguf", Llama.writer()))
        .contains("has the number 0 of 13 in its name");
    assertThat(Judged.of(folder, "K2-00001-of-00001.gguf", Llama.writer())).isEmpty();
  }

  @Test
  void staleKeysAreToldApartFromARenamedShard() throws IOException {
    GgufWriter stale = Llama.tensors(GgufWriter.of(keys(Llama.metadata(), 0, 3, 12).build()));
    assertThat(Judged.of(folder, "model.gguf", stale))
        .isEqualTo(
            "error split-name split.count: split.count is 3, but all 12 tensors of"
                + " split.tensors.count are in model.gguf: the split keys are stale, and llama.cpp"
                + " refuses the file");
    assertThat(Judged.hints(folder.resolve("model.gguf")))
        .isEqualTo("gguf edit 'model.gguf' OUT --set split.count=0");
    GgufWriter renamed = Llama.tensors(GgufWriter.of(keys(Llama.metadata(), 0, 3, 20).build()));
    assertThat(Judged.of(folder, "model.gguf", renamed))
        .isEqualTo(
            "error split-name split.count: split.count is 3 and model.gguf is file 1 of the set,"
                + " with 12 of 20 tensors; its name does not lead to the other 2 files");
  }

  @Test
  void leftoversOfAMergeAreFineUnlessTheyContradict() throws IOException {
    GgufWriter merged = Llama.tensors(GgufWriter.of(keys(Llama.metadata(), 0, 0, 12).build()));
    assertThat(Judged.of(folder, "model.gguf", merged))
        .isEqualTo(
            "info split-leftover split.count: split keys of a merge are still here; the file is"
                + " whole, with all 12 tensors");
    GgufWriter lost = Llama.tensors(GgufWriter.of(keys(Llama.metadata(), 0, 0, 14).build()));
    assertThat(Judged.of(folder, "model.gguf", lost))
        .startsWith("error split-leftover split.tensors.count: split.tensors.count is 14, but the");
  }

  @Test
  void aFirstShardWithoutTensorsIsNormal() throws IOException {
    GgufWriter.of(keys(Llama.metadata(), 0, 2, 12).build()).write(folder.resolve(FIRST));
    Llama.tensors(GgufWriter.of(keys(Metadata.builder(), 1, 2, 12).build()))
        .write(folder.resolve(SECOND));
    assertThat(judge(FIRST))
        .isEqualTo(
            "info split-first "
                + FIRST
                + ": "
                + FIRST
                + " holds the metadata alone, all 12 tensors are in the other files");
  }

  @Test
  void aShardOfAnotherQuantisationIsFound() throws IOException {
    GgufWriter one = GgufWriter.of(keys(Llama.metadata(), 0, 2, 8).build());
    GgufWriter two = GgufWriter.of(keys(Metadata.builder(), 1, 2, 8).build());
    for (int i = 0; i < 4; i++) {
      GgufWriter file = i < 2 ? one : two;
      TensorType type = i < 2 ? TensorType.Q4_0 : TensorType.Q8_0;
      TensorData data = TensorData.of(new byte[64 * 2 * type.blockBytes()]);
      file.tensor("blk." + i + ".ffn_up.weight", type, data, 64, 64);
      file.tensor("blk." + i + ".ffn_gate.weight", type, data, 64, 64);
    }
    one.write(folder.resolve(FIRST));
    two.write(folder.resolve(SECOND));
    assertThat(judge(FIRST)).startsWith("warning shard-mixed " + FIRST);
  }

  @Test
  void aShardOfAnotherWidthIsFound() throws IOException {
    Llama.tensor(
            GgufWriter.of(keys(Metadata.builder(), 1, 2, 13).build()), "blk.1.attn_norm.weight", 96)
        .write(folder.resolve(SECOND));
    assertThat(judge(FIRST))
        .isEqualTo(
            "warning shard-mixed "
                + SECOND
                + ": "
                + SECOND
                + " looks like a shard of another model: blk.1.attn_norm.weight has 96 elements,"
                + " llama.embedding_length of the first shard is 64");
  }

  @Test
  void aMixThatChangesOneRoleAtTheBorderOfAFileIsNormal() throws IOException {
    GgufWriter one = GgufWriter.of(keys(Llama.metadata(), 0, 2, 8).build());
    GgufWriter two = GgufWriter.of(keys(Metadata.builder(), 1, 2, 8).build());
    for (int i = 0; i < 4; i++) {
      GgufWriter file = i < 2 ? one : two;
      TensorType down = i < 2 ? TensorType.Q6_K : TensorType.Q4_K;
      file.tensor(
          "blk." + i + ".ffn_down.weight",
          down,
          TensorData.of(new byte[down.blockBytes()]),
          256,
          1);
      file.tensor(
          "blk." + i + ".ffn_up.weight",
          TensorType.Q4_K,
          TensorData.of(new byte[TensorType.Q4_K.blockBytes()]),
          256,
          1);
    }
    one.write(folder.resolve(FIRST));
    two.write(folder.resolve(SECOND));
    assertThat(judge(FIRST)).isEmpty();
  }
}
