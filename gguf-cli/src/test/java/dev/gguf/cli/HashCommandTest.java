package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HashCommandTest {
  private static final String SHARD = Run.TESTDATA + "glm-dsa-mini-split-00002-of-00003.gguf";

  @TempDir private Path folder;

  @Test
  void linesThatCanBeChecked() throws IOException {
    Run run = Run.gguf("hash", Run.MINI, "--algorithm", "xxh64", "--algorithm", "sha256");
    assertThat(run.status()).isEqualTo(0);
    List<String> lines = run.out().lines().toList();
    assertThat(lines.getFirst()).matches("xxh64     [0-9a-f]{16}  " + Run.MINI + ":.*");
    assertThat(lines.getLast()).matches("sha256    [0-9a-f]{64}  " + Run.MINI);
    Path manifest = folder.resolve("manifest");
    Files.writeString(manifest, run.out());
    Run check = Run.gguf("hash", Run.MINI, "--check", manifest.toString());
    assertThat(check.status()).isEqualTo(0);
    assertThat(check.out()).contains(lines.getLast() + "  -  Ok").doesNotContain("xxh64");
    Files.writeString(manifest, run.out().replace("sha256    ", "sha256    0"));
    Run differs = Run.gguf("hash", Run.MINI, "--check", manifest.toString());
    assertThat(differs.status()).isEqualTo(1);
    assertThat(differs.out()).contains(lines.getLast() + "  -  Mismatch", "[digest]");
    assertThat(Run.gguf("hash", SHARD, "--check", manifest.toString()).out()).contains("Not Found");
  }

  @Test
  @SuppressWarnings("unchecked")
  void documents() throws IOException {
    Map<String, Object> document = Run.gguf("hash", Run.MINI, "--format", "json").json();
    assertThat(document).containsEntry("schema", "gguf/hash/1");
    Map<String, Object> model = (Map<String, Object>) document.get("model");
    assertThat(model).containsOnlyKeys("xxh64");
    Path manifest = folder.resolve("manifest");
    Files.writeString(manifest, "xxh64  " + model.get("xxh64") + "  x/glm-dsa-mini.gguf\n");
    Map<String, Object> check =
        Run.gguf("hash", Run.MINI, "--check", manifest.toString(), "--format", "json").json();
    Map<String, Object> judged = ((List<Map<String, Object>>) check.get("models")).getFirst();
    assertThat(judged).containsEntry("verdict", "info");
    List<Map<String, Object>> hashes = (List<Map<String, Object>>) judged.get("hashes");
    assertThat(hashes.getLast()).containsEntry("state", "Ok");
    assertThat(hashes.getFirst()).containsEntry("state", "Not Found");
  }

  @Test
  void aSplitSetAsAWholeHasTheHashOfTheMergedFile() {
    List<String> set = Run.gguf("hash", SHARD, "--no-tensors").out().lines().toList();
    List<String> merged = Run.gguf("hash", Run.MINI, "--no-tensors").out().lines().toList();
    assertThat(set).hasSize(4);
    assertThat(set.getLast()).endsWith("glm-dsa-mini-split.gguf");
    assertThat(set.getLast().substring(0, 26)).isEqualTo(merged.getLast().substring(0, 26));
  }

  @Test
  void wrongUsage() throws IOException {
    assertThat(Run.gguf("hash", Run.MINI, "--algorithm", "md5").status()).isEqualTo(2);
    assertThat(Run.gguf("hash", Run.MINI, "-q").status()).isEqualTo(2);
    assertThat(Run.gguf("hash", Run.MINI, "--check", "nothing").status()).isEqualTo(2);
    Path manifest = folder.resolve("manifest");
    Files.writeString(manifest, "md5 0 x\n");
    assertThat(Run.gguf("hash", Run.MINI, "--check", manifest.toString()).status()).isEqualTo(1);
  }
}
