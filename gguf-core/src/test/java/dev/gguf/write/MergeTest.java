package dev.gguf.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.fixture.GlmDsa;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergeTest {
  @TempDir Path folder;

  private List<Path> shards() throws IOException {
    return GlmDsa.mini().writeSplit(folder, "m", 3);
  }

  private static Merge merge(Path shard) throws GgufException {
    try (Gguf set = Gguf.open(shard)) {
      return Merge.of(set);
    }
  }

  @Test
  void aSetBecomesTheUnsplitFile() throws IOException {
    Path whole = folder.resolve("whole.gguf");
    GlmDsa.mini().write(whole);
    for (Path shard : shards()) {
      Path merged = folder.resolve("merged.gguf");
      try (Gguf set = Gguf.open(shard)) {
        Merge merge = Merge.of(set);
        assertThat(merge.notes()).isEmpty();
        FileOutput.create().overwrite(true).write(merged, merge.file());
      }
      assertThat(merged).hasSameBinaryContentAs(whole);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"split-converter", "split-tool", "split-tool-empty-first"})
  void setsOfTheReferenceToolsBecomeTheUnsplitFile(String kind) throws IOException {
    Path models = Shared.require("data/converter/glm_moe_dsa");
    Path merged = folder.resolve("merged.gguf");
    try (Gguf set = Gguf.open(models.resolve(kind + "/glm_moe_dsa.q8_0-00002-of-00003.gguf"))) {
      FileOutput.create().verify(true).write(merged, Merge.of(set).file());
    }
    try (Gguf whole = Gguf.open(models.resolve("glm_moe_dsa.q8_0.gguf"));
        Gguf back = Gguf.open(merged)) {
      assertThat(back.metadata().entries())
          .extracting(Metadata.Entry::key)
          .containsExactlyInAnyOrderElementsOf(
              whole.metadata().entries().stream().map(Metadata.Entry::key).toList());
      assertThat(back.tensors()).hasSameSizeAs(whole.tensors());
      for (Tensor tensor : back.tensors()) {
        Tensor same = whole.find(tensor.name()).orElseThrow();
        assertThat(tensor).hasToString(same.toString());
        assertThat(tensor.data().mismatch(same.data())).as(tensor.name()).isEqualTo(-1);
      }
    }
  }

  @Test
  void aFileThatIsNoShardIsRefused() throws IOException {
    Path whole = folder.resolve("whole.gguf");
    GlmDsa.mini().write(whole);
    assertThatThrownBy(() -> merge(whole)).hasMessageContaining("is no shard");
  }

  @Test
  void swappedShardsAreRefused() throws IOException {
    List<Path> shards = shards();
    Path aside = folder.resolve("aside");
    Files.move(shards.get(1), aside);
    Files.move(shards.get(2), shards.get(1));
    Files.move(aside, shards.get(2));
    assertThatThrownBy(() -> merge(shards.get(0)))
        .hasMessage(
            shards.get(1)
                + ": split.no is 2, expected 1; it is another shard of the set under this name");
  }

  @Test
  void aShardThatIsThereTwiceIsRefused() throws IOException {
    List<Path> shards = shards();
    Files.copy(shards.get(1), shards.get(2), StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> merge(shards.get(0)))
        .hasMessageContaining(shards.get(2) + ": split.no is 1, expected 2");
  }

  @Test
  void aMissingShardIsRefused() throws IOException {
    List<Path> shards = shards();
    Files.delete(shards.get(1));
    assertThatThrownBy(() -> merge(shards.get(2))).hasMessageContaining("m-00002-of-00003.gguf");
  }

  @Test
  void aShardCutShortIsRefused() throws IOException {
    List<Path> shards = shards();
    try (RandomAccessFile file = new RandomAccessFile(shards.get(1).toFile(), "rw")) {
      file.setLength(file.length() - 1000);
    }
    assertThatThrownBy(() -> merge(shards.get(0)))
        .hasMessageContaining("m-00002-of-00003.gguf")
        .hasMessageContaining("lie outside the file");
  }

  @Test
  void aShardOfAnotherModelIsRefused() throws IOException {
    List<Path> shards = shards();
    List<Path> others = GlmDsa.mini52().writeSplit(folder, "other", 3);
    Files.copy(others.get(1), shards.get(1), StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> merge(shards.get(0)))
        .hasMessageContaining("m-00002-of-00003.gguf: split.tensors.count differs")
        .hasMessageContaining("a shard of another model");
  }

  @Test
  void aShardOfAnotherArchitectureIsRefused() throws IOException {
    shard("general.architecture", "llama", "a.weight", 0);
    shard("general.architecture", "qwen2", "b.weight", 1);
    assertThatThrownBy(() -> merge(folder.resolve("s-00001-of-00002.gguf")))
        .hasMessageContaining("s-00002-of-00002.gguf: general.architecture differs")
        .hasMessageContaining("a shard of another model");
  }

  @Test
  void aNameInTwoShardsIsRefused() throws IOException {
    shard("general.architecture", "llama", "a.weight", 0);
    shard("general.architecture", "llama", "a.weight", 1);
    assertThatThrownBy(() -> merge(folder.resolve("s-00001-of-00002.gguf")))
        .hasMessageEndingWith("a.weight is in s-00001-of-00002.gguf as well");
  }

  @Test
  void keysThatOnlyALaterShardHasAreTold() throws IOException {
    shard("general.architecture", "llama", "a.weight", 0);
    shard("general.url", "here", "b.weight", 1);
    assertThat(merge(folder.resolve("s-00001-of-00002.gguf")).notes())
        .containsExactly(
            "s-00002-of-00002.gguf has 1 keys that the first shard has not, which are left out,"
                + " first general.url");
  }

  private void shard(String key, String value, String tensor, int no) throws IOException {
    Metadata keys =
        Metadata.builder()
            .string(key, value)
            .uint16("split.no", no)
            .int32("split.tensors.count", 2)
            .uint16("split.count", 2)
            .build();
    GgufWriter.of(keys)
        .tensor(tensor, TensorType.F32, TensorData.floats(1), 1)
        .write(folder.resolve("s-0000" + (no + 1) + "-of-00002.gguf"));
  }

  @Test
  void theFullSizeSetTakesNoMoreDiskThanItsShards() throws IOException {
    List<Path> shards = GlmDsa.fullSize().writeSplit(folder, "full", 10);
    Path merged = folder.resolve("merged.gguf");
    try (Gguf set = Gguf.open(shards.getFirst())) {
      FileOutput.create().verify(true).write(merged, Merge.of(set).file());
    }
    long before = 0;
    for (Path shard : shards) {
      before += disk(shard);
    }
    assertThat(disk(merged)).isLessThanOrEqualTo(before);
    assertThat(Files.size(merged)).isGreaterThan(400L << 30);
  }

  private static long disk(Path file) throws IOException {
    try (dev.gguf.internal.Extents extents = dev.gguf.internal.Extents.of(file)) {
      return extents.dataBytes(0, extents.size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"split-converter", "split-tool", "split-tool-empty-first"})
  void mergedSetsHaveTheHashesOfTheReferenceTool(String kind) throws Exception {
    Path models = Shared.require("data/converter/glm_moe_dsa");
    Path merged = folder.resolve("merged.gguf");
    try (Gguf set = Gguf.open(models.resolve(kind + "/glm_moe_dsa.q8_0-00001-of-00003.gguf"))) {
      FileOutput.create().write(merged, Merge.of(set).file());
    }
    List<String> expected = new java.util.ArrayList<>();
    for (String line : Files.readAllLines(models.resolve("glm_moe_dsa.q8_0.gguf.manifest"))) {
      if (line.startsWith("sha256")) {
        expected.add(line.split(" +", -1)[1]);
      }
    }
    List<String> found = new java.util.ArrayList<>();
    java.security.MessageDigest all = java.security.MessageDigest.getInstance("SHA-256");
    try (Gguf model = Gguf.open(merged)) {
      for (Tensor tensor : model.tensors()) {
        byte[] bytes = tensor.data().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        found.add(hex(java.security.MessageDigest.getInstance("SHA-256").digest(bytes)));
        all.update(bytes);
      }
    }
    found.add(hex(all.digest()));
    assertThat(found).isEqualTo(expected);
    assertThat(Files.readString(models.resolve("split-hashes.txt")))
        .contains(found.getLast() + "  split-tool/glm_moe_dsa.q8_0.merged.gguf");
  }

  private static String hex(byte[] bytes) {
    return java.util.HexFormat.of().formatHex(bytes);
  }

  @Test
  void aShardThatHidesItsAlignmentIsRefused() throws IOException {
    Metadata first =
        Metadata.builder()
            .uint32("general.alignment", 256)
            .uint16("split.no", 0)
            .int32("split.tensors.count", 2)
            .uint16("split.count", 2)
            .build();
    GgufWriter.of(first)
        .tensor("a.weight", TensorType.F32, TensorData.floats(1), 1)
        .write(folder.resolve("s-00001-of-00002.gguf"));
    for (long alignment : new long[] {256, 32}) {
      Metadata later =
          Metadata.builder()
              .uint16("split.no", 1)
              .int32("split.tensors.count", 2)
              .uint16("split.count", 2)
              .build();
      GgufWriter.of(later)
          .alignment(alignment)
          .tensor("b.weight", TensorType.F32, TensorData.floats(2), 1)
          .write(folder.resolve("s-00002-of-00002.gguf"));
      if (alignment == 256) {
        assertThatThrownBy(() -> merge(folder.resolve("s-00001-of-00002.gguf")))
            .hasMessageContaining("s-00002-of-00002.gguf: has no general.alignment");
      } else {
        assertThat(merge(folder.resolve("s-00001-of-00002.gguf")).notes()).isEmpty();
      }
    }
  }
}
