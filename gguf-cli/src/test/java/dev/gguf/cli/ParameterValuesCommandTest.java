package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.fixture.Shared;
import dev.gguf.mapping.KvBProjection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// `gguf values --parameter`.
class ParameterValuesCommandTest {
  private static final String KV_B = "model.layers.2.self_attn.kv_b_proj.weight";

  private static float[] raw(String... args) {
    String[] line = new String[args.length + 4];
    line[0] = "values";
    line[1] = Run.MINI;
    System.arraycopy(args, 0, line, 2, args.length);
    line[args.length + 2] = "--format";
    line[args.length + 3] = "raw";
    byte[] bytes = Run.gguf(line).bytes();
    float[] values = new float[bytes.length / 4];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
    return values;
  }

  @Test
  void writesWhatTheLibraryRebuilds() throws IOException {
    float[] joined;
    try (Gguf gguf = Gguf.open(Path.of(Run.MINI))) {
      KvBProjection sizes = KvBProjection.from(gguf.metadata());
      joined = new float[sizes.elements(0, sizes.heads())];
      sizes.join(
          gguf.find("blk.2.attn_k_b.weight").orElseThrow(),
          gguf.find("blk.2.attn_v_b.weight").orElseThrow(),
          0,
          sizes.heads(),
          joined);
    }
    assertThat(raw("--parameter", KV_B)).isEqualTo(joined);
    assertThat(raw("--parameter", KV_B, "--rows", "3..4"))
        .isEqualTo(Arrays.copyOfRange(joined, 3 * 64, 5 * 64));
    byte[] npy = Run.gguf("values", Run.MINI, "--parameter", KV_B, "--format", "npy").bytes();
    assertThat(new String(npy, 0, 128, StandardCharsets.ISO_8859_1)).contains("(256, 64)");
    Map<String, Object> document =
        Run.gguf("values", Run.MINI, "--parameter", KV_B, "--format", "json").json();
    assertThat(document.get("tensor")).isEqualTo(KV_B);
    assertThat(document.get("transform")).isEqualTo("join-kv-b");
    assertThat(document.get("sources"))
        .isEqualTo(List.of("blk.2.attn_k_b.weight", "blk.2.attn_v_b.weight"));
    assertThat(Run.gguf("values", Run.MINI, "--parameter", KV_B).out())
        .contains("from          blk.2.attn_k_b.weight + blk.2.attn_v_b.weight (join-kv-b)");
  }

  @Test
  void takesExpertsApart() {
    String experts = "model.layers.1.mlp.experts.";
    float[] stack = raw("blk.1.ffn_up_exps.weight", "--expert", "3");
    assertThat(raw("--parameter", experts + "3.up_proj.weight")).isEqualTo(stack);
    assertThat(raw("--parameter", experts + "{0..3}.up_proj.weight", "--expert", "3"))
        .isEqualTo(stack);
    assertThat(raw("--parameter", experts + "gate_up_proj", "--expert", "3", "--rows", "32..63"))
        .isEqualTo(stack);
  }

  @Test
  void refusesWhatIsNotThere() {
    Run none = Run.gguf("values", Run.MINI, "--parameter", KV_B.replace("kv_b", "kv_c"));
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err()).contains("no tensor feeds a parameter", "; did you mean ");
    Run range = Run.gguf("values", Run.MINI, "--parameter", KV_B, "--rows", "256");
    assertThat(range.status()).isEqualTo(1);
    assertThat(range.err()).contains("has the rows 0 to 255, not 256");
    assertThat(Run.gguf("values", Run.MINI, "--parameter", KV_B, "--expert", "0").err())
        .contains("is one matrix");
    assertThat(Run.gguf("values", Run.MINI, "output.weight", "--parameter", KV_B).status())
        .isEqualTo(2);
    assertThat(Run.gguf("values", Run.MINI).status()).isEqualTo(2);
  }

  @Test
  void givesTheBytesThatTheHashesWereTakenOf() throws Exception {
    Path file = Shared.require("data/converter/llama/llama.q8_0.gguf");
    List<String> lines =
        Files.readAllLines(Shared.require("data/converter/llama/llama.q8_0.parameters.tsv"));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split("\t", -1);
      byte[] bytes =
          Run.gguf("values", file.toString(), "--parameter", cells[0], "--format", "raw").bytes();
      assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)))
          .as(cells[0])
          .isEqualTo(cells[6]);
    }
  }
}
