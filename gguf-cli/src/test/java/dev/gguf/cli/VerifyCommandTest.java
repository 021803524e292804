package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {
  @TempDir private Path folder;

  /// Returns a copy of the small model with some bytes changed.
  private Path damaged(long at, int... bytes) throws IOException {
    byte[] model = Files.readAllBytes(Path.of(Run.MINI));
    for (int i = 0; i < bytes.length; i++) {
      model[Math.toIntExact(at + i)] = (byte) bytes[i];
    }
    Path path = folder.resolve("damaged.gguf");
    Files.write(path, model);
    return path;
  }

  @Test
  void aSoundModel() {
    Run run = Run.gguf("verify", Run.MINI, "--threads", "2");
    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out()).contains("glm-dsa model", "read ").doesNotContain("error");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains(": nothing wrong\n");
    assertThat(Run.gguf("verify", Run.MINI, "--sample", "0.5", "-q").status()).isEqualTo(0);
    assertThat(Run.gguf("verify", Run.MINI, "--sample", "0.5").out())
        .contains(": nothing wrong in what was read\n");
  }

  @Test
  void aScaleThatIsNoNumber() throws IOException {
    // blk.0.attn_q_b.weight, its third block.
    Path path = damaged(18_880 + 2 * 34, 0, 0x7E);
    Run run = Run.gguf("verify", path.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains(
            "error    blk.0.attn_q_b.weight (Q8_0): 1 of 192 blocks with a scale that is NaN, first"
                + " block 2 (row 2, block 0 of the row)  [value-nan]",
            "at byte " + (18_880 + 2 * 34),
            "ggml's data check refuses it too");
    assertThat(Run.gguf("verify", path.toString(), "-q").out())
        .isEqualTo("error    " + path + "\n");
    assertThat(Run.gguf("verify", path.toString(), "--fail-on", "never").status()).isEqualTo(0);
  }

  @Test
  void aManifestIsHeldAgainstTheData() throws IOException {
    Path manifest = folder.resolve("SUMS");
    Files.writeString(manifest, Run.gguf("hash", Run.MINI, "--algorithm", "sha1").out());
    Run run = Run.gguf("verify", Run.MINI, "--manifest", manifest.toString());
    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out()).contains("hashes agree with " + manifest);
    Path other = damaged(18_880 + 2 * 34 + 5, 1);
    Files.writeString(
        manifest, Files.readString(manifest).replace("glm-dsa-mini.gguf", "damaged.gguf"));
    Run differs = Run.gguf("verify", other.toString(), "--manifest", manifest.toString());
    assertThat(differs.status()).isEqualTo(1);
    assertThat(differs.out()).contains("the sha1 of blk.0.attn_q_b.weight is");
    Run wrong = Run.gguf("verify", Run.MINI, "--manifest", "SUMS", "--sample", "0.1");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(Run.gguf("verify", Run.MINI, "--manifest", "no such").status()).isEqualTo(2);
  }

  @Test
  @SuppressWarnings("unchecked")
  void theDocumentHasThePlacesInNumbers() throws IOException {
    Path path = damaged(18_880 + 2 * 34, 0, 0x7C);
    Run run = Run.gguf("verify", path.toString(), "--format", "json", "--as-ggml");
    Map<String, Object> model = ((List<Map<String, Object>>) run.json().get("models")).getFirst();
    assertThat(model).containsEntry("verdict", "error");
    Map<String, Object> data = (Map<String, Object>) model.get("data");
    assertThat(data).containsEntry("complete", true);
    List<Map<String, Object>> findings = (List<Map<String, Object>>) data.get("findings");
    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst())
        .containsEntry("rule", "value-inf")
        .containsEntry("tensor", "blk.0.attn_q_b.weight")
        .containsEntry("refusedByGgml", true)
        .containsEntry("expert", null);
    assertThat(String.valueOf(findings.getFirst().get("block"))).isEqualTo("2");
  }

  @Test
  void aFileThatLacksBytesIsAnErrorAndTheRestIsScanned() throws IOException {
    byte[] model = Files.readAllBytes(Path.of(Run.MINI));
    Path path = folder.resolve("cut.gguf");
    Files.write(path, java.util.Arrays.copyOf(model, model.length - 10_000));
    Run run = Run.gguf("verify", path.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("tensor-outside-file", "read ");
  }

  @Test
  void wrongUsage() {
    assertThat(Run.gguf("verify", Run.MINI, "--sample", "2").err())
        .isEqualTo("gguf: --sample 2: expected a share above 0 and at most 1, such as 0.01\n");
    assertThat(Run.gguf("verify", Run.MINI, "--threads", "0").status()).isEqualTo(2);
    assertThat(Run.gguf("verify", "nothing.gguf").status()).isEqualTo(2);
  }

  @Test
  void progressIsALineWithRateAndTimeLeft() {
    assertThat(ProgressLine.line("a.weight", 3L << 30, 9L << 30, 2_000_000_000L))
        .isEqualTo("3.00 GiB of 9.00 GiB, 33.3 %, 1.50 GiB/s, 4 s left  a.weight");
    assertThat(ProgressLine.duration(185)).isEqualTo("3 min 5 s");
    assertThat(ProgressLine.duration(7_800)).isEqualTo("2 h 10 min");
  }
}
