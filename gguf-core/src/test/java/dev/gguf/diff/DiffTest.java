package dev.gguf.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.fixture.GlmDsa;
import dev.gguf.fixture.Shared;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.Progress;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffTest {
  @TempDir Path folder;

  private Path write(String name, Metadata keys, List<Tensor> table) throws IOException {
    Path path = folder.resolve(name);
    GlmDsa.mini().writer(keys, table).write(path);
    return path;
  }

  private Path mini(String name) throws IOException {
    return write(name, GlmDsa.mini().metadata(), GlmDsa.mini().tensors());
  }

  private static HeaderDiff headers(Path a, Path b) throws IOException {
    try (Gguf before = Gguf.open(a);
        Gguf after = Gguf.open(b)) {
      return HeaderDiff.of(before, after);
    }
  }

  @Test
  void aSetIsTheSameAsItsWhole() throws IOException {
    Path whole = mini("whole.gguf");
    Path shard = GlmDsa.mini().writeSplit(folder, "m", 3).get(1);
    HeaderDiff diff = headers(whole, shard);
    assertThat(diff.relation()).isEqualTo(Relation.SAME);
    assertThat(diff.keys()).isEmpty();
    assertThat(diff.splitKeys())
        .extracting(change -> change.key() + " " + change.label())
        .containsExactly("split.no added", "split.count added", "split.tensors.count added");
    assertThat(diff.moved()).isZero();
    try (Gguf before = Gguf.open(whole);
        Gguf after = Gguf.open(shard)) {
      DataDiff data = DataDiff.of(HeaderDiff.of(before, after).pairs(), 1, Progress.NONE);
      assertThat(data.different()).isEmpty();
      assertThat(data.compared()).isEqualTo(before.tensors().size());
      assertThat(data.bytes()).isEqualTo(before.tensors().stream().mapToLong(Tensor::bytes).sum());
    }
  }

  @Test
  void metadataAreToldByKey() throws IOException {
    Metadata keys =
        GlmDsa.mini().metadata().toBuilder()
            .string("general.name", "Another")
            .remove("general.type")
            .uint32("a.new.key", 7)
            .build();
    HeaderDiff diff = headers(mini("a.gguf"), write("b.gguf", keys, GlmDsa.mini().tensors()));
    assertThat(diff.relation()).isEqualTo(Relation.OTHER_METADATA);
    assertThat(diff.keys())
        .extracting(change -> change.key() + " " + change.label())
        .containsExactly("general.type removed", "general.name changed", "a.new.key added");
  }

  @Test
  void anotherOrderIsToldAndChangesNothing() throws IOException {
    List<Tensor> table = GlmDsa.mini().tensors();
    HeaderDiff diff =
        headers(mini("a.gguf"), write("b.gguf", GlmDsa.mini().metadata(), table.reversed()));
    assertThat(diff.relation()).isEqualTo(Relation.SAME);
    assertThat(diff.moved()).isEqualTo(table.size());
  }

  @Test
  void absentAddedAndReshapedTensorsMakeAnotherModel() throws IOException {
    List<Tensor> table = new java.util.ArrayList<>(GlmDsa.mini().tensors());
    table.remove(3);
    table.set(0, Tensor.of(table.get(0).name(), TensorType.Q8_0, 32, 192));
    table.add(Tensor.of("extra.weight", TensorType.F32, 2));
    HeaderDiff diff = headers(mini("a.gguf"), write("b.gguf", GlmDsa.mini().metadata(), table));
    assertThat(diff.relation()).isEqualTo(Relation.DIFFERENT);
    assertThat(diff.tensors())
        .extracting(change -> change.name() + " " + change.label())
        .containsExactly(
            "token_embd.weight shape", "blk.0.attn_q_a_norm.weight removed", "extra.weight added");
  }

  @Test
  void trailingDimensionsOfOneDoNotCount() throws IOException {
    Path a = folder.resolve("a.gguf");
    Path b = folder.resolve("b.gguf");
    GgufWriter.of(Metadata.EMPTY).tensor("t", TensorType.F32, TensorData.floats(1, 2), 2).write(a);
    GgufWriter.of(Metadata.EMPTY)
        .tensor("t", TensorType.F32, TensorData.floats(1, 2), 2, 1, 1)
        .write(b);
    assertThat(headers(a, b).relation()).isEqualTo(Relation.SAME);
  }

  @Test
  void aDifferentByteIsFoundWhereItIs() throws IOException {
    Path a = mini("a.gguf");
    Path b = mini("b.gguf");
    try (Gguf before = Gguf.open(a)) {
      Tensor tensor = before.find("blk.1.ffn_up_exps.weight").orElseThrow();
      try (RandomAccessFile file = new RandomAccessFile(b.toFile(), "rw")) {
        file.seek(tensor.fileOffset() + 1234);
        int old = file.read();
        file.seek(tensor.fileOffset() + 1234);
        file.write(old ^ 1);
      }
      try (Gguf after = Gguf.open(b)) {
        DataDiff diff = DataDiff.of(HeaderDiff.of(before, after).pairs(), 1, Progress.NONE);
        assertThat(diff.different())
            .singleElement()
            .satisfies(one -> {
              assertThat(one.pair().name()).isEqualTo("blk.1.ffn_up_exps.weight");
              assertThat(one.at()).isEqualTo(1234);
            });
      }
    }
  }

  @Test
  void aSampleReadsAPartOfEveryTensor() throws IOException {
    Path a = folder.resolve("a.gguf");
    Path b = folder.resolve("b.gguf");
    byte[] bytes = new byte[10_000_000];
    GgufWriter.of(Metadata.EMPTY)
        .tensor("t", TensorType.I8, TensorData.of(bytes), bytes.length)
        .write(a);
    bytes[bytes.length - 1] = 1;
    GgufWriter.of(Metadata.EMPTY)
        .tensor("t", TensorType.I8, TensorData.of(bytes), bytes.length)
        .write(b);
    try (Gguf before = Gguf.open(a);
        Gguf after = Gguf.open(b)) {
      DataDiff same = DataDiff.of(HeaderDiff.of(before, before).pairs(), 0.1, Progress.NONE);
      assertThat(same.bytes()).isBetween(1_000_000L, 1_100_000L);
      DataDiff diff = DataDiff.of(HeaderDiff.of(before, after).pairs(), 0.001, Progress.NONE);
      assertThat(diff.different()).extracting(DataDiff.Different::at).containsExactly(9_999_999L);
      assertThatThrownBy(() -> DataDiff.of(List.of(), 0, Progress.NONE))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void valuesOfOtherTypesAreMeasured() throws IOException {
    Path a = folder.resolve("a.gguf");
    Path b = folder.resolve("b.gguf");
    GgufWriter.of(Metadata.EMPTY)
        .tensor("near", TensorType.F32, TensorData.floats(3, 4, 0, Float.NaN), 4)
        .tensor("far", TensorType.F32, TensorData.floats(1, 1), 2)
        .tensor("words", TensorType.of(999), TensorData.of(new byte[4]), 4)
        .write(a);
    byte[] bf16 = {0x40, 0x40, (byte) 0x90, 0x40, 0, 0, (byte) 0xc0, 0x7f};
    GgufWriter.of(Metadata.EMPTY)
        .tensor("near", TensorType.BF16, TensorData.of(bf16), 4)
        .tensor("far", TensorType.F32, TensorData.floats(-1, 1), 2)
        .tensor("words", TensorType.of(999), TensorData.of(new byte[4]), 4)
        .write(b);
    try (Gguf before = Gguf.open(a);
        Gguf after = Gguf.open(b)) {
      HeaderDiff headers = HeaderDiff.of(before, after);
      assertThat(headers.relation()).isEqualTo(Relation.REQUANTISED);
      List<ValueDiff> diff = ValueDiff.of(headers.pairs(), Progress.NONE);
      assertThat(diff).extracting(one -> one.pair().name()).containsExactly("far", "near");
      assertThat(diff.get(0).maxError()).isEqualTo(2);
      assertThat(diff.get(0).relativeError()).isCloseTo(Math.sqrt(2), within(1e-9));
      assertThat(diff.get(1).maxError()).isEqualTo(0.5);
      assertThat(diff.get(1).meanError()).isEqualTo(0.125);
      assertThat(diff.get(1).relativeError()).isCloseTo(0.1, within(1e-9));
      assertThat(diff.get(1).incomparable()).isZero();
    }
  }

  @Test
  void quantisedFilesOfTheConverterAreNearTheirOrigin() throws IOException {
    Path models = Shared.require("data/converter/glm_moe_dsa");
    try (Gguf before = Gguf.open(models.resolve("glm_moe_dsa.bf16.gguf"));
        Gguf after = Gguf.open(models.resolve("glm_moe_dsa.q8_0.gguf"))) {
      HeaderDiff headers = HeaderDiff.of(before, after);
      assertThat(headers.relation()).isEqualTo(Relation.REQUANTISED);
      assertThat(headers.keys()).extracting(KeyChange::key).contains("general.file_type");
      List<ValueDiff> values = ValueDiff.of(headers.pairs(), Progress.NONE);
      assertThat(values).hasSameSizeAs(before.tensors());
      assertThat(values.getFirst().relativeError()).isBetween(0.001, 0.02);
      assertThat(values.getLast().maxError()).isZero();
    }
  }

  @Test
  void bytesOfAnotherOrderAreNotCompared() throws IOException {
    Path a = folder.resolve("a.gguf");
    Path b = folder.resolve("b.gguf");
    GgufWriter.of(Metadata.EMPTY).tensor("t", TensorType.F32, TensorData.floats(1, 2), 2).write(a);
    byte[] big = {0x3f, (byte) 0x80, 0, 0, 0x40, 0, 0, 0};
    GgufWriter.of(Metadata.EMPTY)
        .byteOrder(java.nio.ByteOrder.BIG_ENDIAN)
        .tensor("t", TensorType.F32, TensorData.of(big), 2)
        .write(b);
    try (Gguf before = Gguf.open(a);
        Gguf after = Gguf.open(b)) {
      HeaderDiff headers = HeaderDiff.of(before, after);
      DataDiff data = DataDiff.of(headers.pairs(), 1, Progress.NONE);
      List<ValueDiff> values = ValueDiff.of(data.unlike(headers.pairs()), Progress.NONE);
      assertThat(data.compared()).isZero();
      assertThat(values).extracting(ValueDiff::maxError).containsExactly(0.0);
      assertThat(Relation.of(headers, data, values)).isEqualTo(Relation.REQUANTISED);
    }
  }

  @Test
  void otherWeightsAreDifferentAndNearOnesRequantised() throws IOException {
    Path a = folder.resolve("a.gguf");
    float[] floats = {1, 2, 3, 4};
    GgufWriter.of(Metadata.EMPTY)
        .tensor("t", TensorType.F32, TensorData.floats(floats), 4)
        .write(a);
    float[][] others = {{1, 2, 3, 4.1f}, {-3, 1, 1, -2}};
    Relation[] expected = {Relation.REQUANTISED, Relation.DIFFERENT};
    for (int i = 0; i < others.length; i++) {
      Path b = folder.resolve("b.gguf");
      GgufWriter.of(Metadata.EMPTY)
          .tensor("t", TensorType.F32, TensorData.floats(others[i]), 4)
          .write(b);
      try (Gguf before = Gguf.open(a);
          Gguf after = Gguf.open(b)) {
        HeaderDiff headers = HeaderDiff.of(before, after);
        DataDiff data = DataDiff.of(headers.pairs(), 1, Progress.NONE);
        List<ValueDiff> values = ValueDiff.of(data.unlike(headers.pairs()), Progress.NONE);
        assertThat(Relation.of(headers, data, null)).isEqualTo(Relation.DIFFERENT);
        assertThat(Relation.of(headers, data, values)).isEqualTo(expected[i]);
      }
    }
  }
}
