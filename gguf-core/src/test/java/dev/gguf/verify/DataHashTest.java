package dev.gguf.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.FileRule;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFormatException;
import dev.gguf.Metadata;
import dev.gguf.Severity;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.fixture.Shared;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataHashTest {
  private static final Set<HashAlgorithm> ALL = Set.of(HashAlgorithm.values());

  @TempDir Path folder;

  private Path file(String name, int tensors, int bytes) throws IOException {
    Random random = new Random(tensors);
    GgufWriter writer =
        GgufWriter.of(Metadata.builder().string("general.architecture", "llama").build());
    for (int i = 0; i < tensors; i++) {
      byte[] data = new byte[bytes];
      random.nextBytes(data);
      writer.tensor("tensor " + i, TensorType.I8, TensorData.of(data), bytes);
    }
    Path path = folder.resolve(name);
    writer.write(path);
    return path;
  }

  private static HashReport hash(Path path, int threads) throws IOException {
    try (Gguf gguf = Gguf.open(path)) {
      return DataHash.hash(gguf, ALL, true, threads, ScanProgress.NONE);
    }
  }

  private static List<String> lines(HashReport report) {
    List<String> lines = new ArrayList<>();
    for (HashReport.OfTensor of : report.tensors()) {
      of.hex().forEach((a, hex) -> lines.add(a.label() + " " + hex + " " + of.tensor().name()));
    }
    report.model().forEach((a, hex) -> lines.add(a.label() + " " + hex));
    return lines;
  }

  @Test
  void textOfThreeLetters() throws IOException {
    GgufWriter writer =
        GgufWriter.of(Metadata.builder().string("general.architecture", "llama").build());
    writer.tensor("a", TensorType.I8, TensorData.of("a".getBytes(StandardCharsets.US_ASCII)), 1);
    writer.tensor("bc", TensorType.I8, TensorData.of("bc".getBytes(StandardCharsets.US_ASCII)), 2);
    Path path = folder.resolve("abc.gguf");
    writer.write(path);
    HashReport report = hash(path, 1);
    assertThat(report.tensors().getFirst().hex())
        .containsEntry(HashAlgorithm.XXH64, "d24ec4f1a98c6e5b")
        .containsEntry(HashAlgorithm.SHA1, "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8");
    assertThat(report.model())
        .containsEntry(HashAlgorithm.XXH64, "44bc2cf5ad770999")
        .containsEntry(HashAlgorithm.SHA1, "a9993e364706816aba3e25717850c26c9cd0d89d")
        .containsEntry(
            HashAlgorithm.SHA256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void theSameForAnyNumberOfThreads() throws IOException {
    Path path = file("model.gguf", 20, 100_001);
    List<String> one = lines(hash(path, 1));
    assertThat(one).hasSize(3 * 21);
    for (int threads : new int[] {2, 3, 6, 50}) {
      assertThat(lines(hash(path, threads))).isEqualTo(one);
    }
    try (Gguf gguf = Gguf.open(path)) {
      Tensor first = gguf.tensors().getFirst();
      assertThat(DataHash.hash(first, ALL)).isEqualTo(hash(path, 2).tensors().getFirst().hex());
      assertThat(DataHash.hash(gguf, ALL, false, 2, ScanProgress.NONE).tensors()).isEmpty();
    }
  }

  @Test
  void aFileThatShrinksIsAnError() throws IOException {
    Path path = file("model.gguf", 2, 3_000_000);
    ScanProgress cutter =
        (tensor, done, total) -> {
          try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(100_000);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    try (Gguf gguf = Gguf.open(path)) {
      assertThatThrownBy(() -> DataHash.hash(gguf, ALL, true, 1, cutter))
          .isInstanceOf(GgufFormatException.class)
          .extracting(e -> ((GgufFormatException) e).rule())
          .isEqualTo(FileRule.FILE_CHANGED);
    }
  }

  @Test
  void anInterruptionEndsIt() throws IOException {
    Path path = file("model.gguf", 3, 1000);
    try (Gguf gguf = Gguf.open(path)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> DataHash.hash(gguf, ALL, true, 2, ScanProgress.NONE))
          .isInstanceOf(GgufException.class)
          .hasMessageContaining("interrupted");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void comparesWithManifests() throws IOException {
    Path path = file("model.gguf", 2, 10);
    HashReport report = hash(path, 1);
    String first = report.tensors().get(0).hex().get(HashAlgorithm.SHA1);
    String second = report.tensors().get(1).hex().get(HashAlgorithm.SHA1);
    String model = report.model().get(HashAlgorithm.SHA1);
    try (Gguf gguf = Gguf.open(path)) {
      HashReport sha1 = DataHash.hash(gguf, Set.of(HashAlgorithm.SHA1), true, 1, ScanProgress.NONE);
      assertThat(check(sha1, "sha1  " + model + "  other/model.gguf"))
          .containsExactly("info 1 hash agrees with M");
      assertThat(
              check(
                  sha1,
                  "sha1  " + first + "  C:\\x\\model.gguf:tensor 0",
                  "sha1  " + second.toUpperCase(java.util.Locale.ROOT) + "  model.gguf:tensor 1"))
          .containsExactly("info 2 hashes agree with M");
      assertThat(check(sha1, "sha1  " + first + "  model.gguf:tensor 0"))
          .containsExactly("error M has no line about 1 of 2 tensors, first tensor 1");
      assertThat(
              check(
                  sha1,
                  "sha1      " + second + "  model.gguf:tensor 0",
                  "sha1      " + model + "  model.gguf"))
          .containsExactly(
              "error mismatch: the sha1 of tensor 0 is " + first + ", M has " + second);
      assertThat(check(sha1, "sha1  " + model + "  my-model.gguf"))
          .containsExactly(
              "error M has no line about model.gguf; its first line is about my-model.gguf");
      assertThat(check(sha1, "uuid  " + model + "  model.gguf"))
          .containsExactly("error M has no line about model.gguf; its first line is about nothing");
    }
  }

  private static List<String> check(HashReport report, String... lines) {
    HashManifest manifest = HashManifest.of(List.of(lines));
    return HashCheck.of(report, manifest, Path.of("M")).findings().stream()
        .map(f -> f.severity().label() + " " + f.message())
        .toList();
  }

  @Test
  void theStrongestAlgorithmOfAManifest() {
    assertThat(HashManifest.of(List.of("xxh64 1 a", "sha256 2 a", "sha1 3 a")).strongest())
        .contains(HashAlgorithm.SHA256);
    assertThat(HashManifest.of(List.of("", "xxh3 1 a", "xxh64", "sha1 2")).strongest()).isEmpty();
  }

  @Test
  void manifestsOfLlamaGgufHash() throws IOException {
    Path models = Shared.require("data/converter");
    List<Path> manifests;
    try (var paths = Files.walk(models)) {
      manifests = paths.filter(p -> p.toString().endsWith(".gguf.manifest")).toList();
    }
    assertThat(manifests).hasSizeGreaterThanOrEqualTo(3);
    for (Path path : manifests) {
      String name = path.getFileName().toString();
      Path model = path.resolveSibling(name.substring(0, name.length() - ".manifest".length()));
      HashManifest manifest = HashManifest.read(path);
      HashReport report = hash(model, 2);
      HashCheck check = HashCheck.of(report, manifest, path);
      assertThat(check.findings()).allMatch(f -> f.severity() == Severity.INFO);
      assertThat(check.lines()).hasSize(manifest.lines().size());
      assertThat(check.lines()).allMatch(line -> line.state() == HashCheck.State.OK);
    }
  }

  @Test
  void aSplitSetHasTheHashesOfItsFilesAndOfTheMergedOne() throws IOException {
    Path folder = Shared.require("data/converter/glm_moe_dsa");
    HashManifest merged = HashManifest.read(folder.resolve("glm_moe_dsa.q8_0.gguf.manifest"));
    HashManifest files = HashManifest.read(folder.resolve("split-hashes.txt"));
    HashReport report =
        hash(folder.resolve("split-converter/glm_moe_dsa.q8_0-00002-of-00003.gguf"), 2);
    assertThat(report.model().get(HashAlgorithm.SHA256))
        .isEqualTo(merged.find(HashAlgorithm.SHA256, "glm_moe_dsa.q8_0.gguf", null).orElseThrow());
    assertThat(report.files()).hasSize(3);
    for (HashReport.OfFile of : report.files()) {
      String name = "split-converter/" + of.file().path().getFileName();
      assertThat(of.hex().get(HashAlgorithm.XXH64))
          .isEqualTo(files.find(HashAlgorithm.XXH64, name, null).orElseThrow());
    }
  }
}
