package dev.gguf.mapping.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Severity;
import dev.gguf.TensorType;
import dev.gguf.fixture.Shared;
import dev.gguf.mapping.Tolerance;
import dev.gguf.mapping.checkpoint.Checkpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Files that the format's own converter made beside their checkpoints, and copies of them with one
/// thing wrong.
class ModelComparisonTest {
  @TempDir Path folder;

  static Stream<String> files() throws IOException {
    if (!Shared.isThere()) {
      return Stream.of("none");
    }
    Path home = Shared.require("data/converter");
    try (Stream<Path> all = Files.walk(home)) {
      return all
          .map(p -> home.relativize(p).toString())
          .filter(p -> p.endsWith(".gguf") && !p.contains("broken") && !p.matches(".*-0000[23]-.*"))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static ModelComparison.Result compare(Path file, Path home, double sample)
      throws IOException {
    try (Gguf gguf = Gguf.open(file);
        Checkpoint checkpoint = Checkpoint.open(home)) {
      return ModelComparison.compare(
          gguf,
          checkpoint,
          new ModelComparison.Options(sample, ModelComparison.Options.ALL.tensors(), 2),
          (_, _, _) -> {});
    }
  }

  private static List<String> errors(ModelComparison.Result result) {
    return result.report().findings().stream()
        .filter(f -> f.severity() == Severity.ERROR)
        .map(Finding::message)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyTensorIsEqualOrClose(String name) throws IOException {
    Path file = Shared.require("data/converter/" + name);
    Path home = Shared.require("data/converter/" + name.substring(0, name.indexOf('/')));
    for (double sample : new double[] {1, 0.1}) {
      ModelComparison.Result result = compare(file, home, sample);
      assertThat(errors(result)).isEmpty();
      assertThat(result.parameters()).isNotEmpty();
      for (ParameterComparison parameter : result.parameters()) {
        boolean quantised = parameter.tolerance().type().isQuantized();
        assertThat(parameter.state())
            .as(parameter.toString())
            .isIn(
                quantised
                    ? List.of(ParameterComparison.State.CLOSE, ParameterComparison.State.EQUAL)
                    : List.of(ParameterComparison.State.EQUAL));
        if (quantised) {
          assertThat(parameter.relativeError()).as(parameter.toString()).isLessThan(0.8);
        }
      }
      assertThat(result.report().findings())
          .as(result.report().findings().toString())
          .allMatch(f -> f.severity() == Severity.INFO);
    }
  }

  private interface Copying {
    void apply(Copy copy) throws IOException;
  }

  private List<String> wrong(String model, String file, Copying change) throws IOException {
    Path home = Shared.require("data/converter/" + model);
    Path copy = folder.resolve("copy.gguf");
    try (Gguf gguf = Gguf.open(home.resolve(file))) {
      Copy of = new Copy(gguf);
      change.apply(of);
      of.write(copy);
    }
    return errors(compare(copy, home, 1)).stream().sorted().toList();
  }

  private static byte[] swapped(byte[] bytes, int parts, int one, int other) {
    byte[] copy = bytes.clone();
    int length = bytes.length / parts;
    System.arraycopy(bytes, one * length, copy, other * length, length);
    System.arraycopy(bytes, other * length, copy, one * length, length);
    return copy;
  }

  @Test
  void namesExpertsThatAreExchanged() throws IOException {
    for (String file : List.of("glm_moe_dsa.f32.gguf", "glm_moe_dsa.q8_0.gguf")) {
      String tensor = "blk.2.ffn_up_exps.weight";
      assertThat(
              wrong(
                  "glm_moe_dsa",
                  file,
                  copy -> copy.replace(tensor, swapped(copy.bytes(tensor), 8, 3, 5))))
          .singleElement()
          .asString()
          .startsWith(
              "blk.2.ffn_up_exps.weight -> model.layers.2.mlp.experts.{0..7}.up_proj.weight: 2 of 8"
                  + " experts differ, first expert 3: experts exchanged: expert 5 instead of 3; it"
                  + " holds model.layers.2.mlp.experts.5.up_proj.weight");
    }
  }

  @Test
  void namesTensorsOfAnotherLayer() throws IOException {
    for (String file :
        List.of("glm_moe_dsa.f32.gguf", "glm_moe_dsa.bf16.gguf", "glm_moe_dsa.q8_0.gguf")) {
      assertThat(
              wrong(
                  "glm_moe_dsa",
                  file,
                  copy -> copy.swap("blk.1.attn_q_a.weight", "blk.3.attn_q_a.weight")))
          .satisfiesExactly(
              m ->
                  assertThat(m)
                      .startsWith("blk.1.attn_q_a.weight")
                      .contains("tensor of another layer: layer 3 instead of layer 1"),
              m ->
                  assertThat(m)
                      .startsWith("blk.3.attn_q_a.weight")
                      .contains("tensor of another layer: layer 1 instead of layer 3"));
      assertThat(
              wrong(
                  "glm_moe_dsa",
                  file,
                  copy -> copy.swap("blk.1.attn_k_b.weight", "blk.3.attn_k_b.weight")))
          .anyMatch(m ->
              m.contains(
                  "kv_b_proj.weight: wrong layer: attn_k_b is that of layer 3, attn_v_b is"
                      + " right"))
          .hasSize(2);
      assertThat(
              wrong(
                  "glm_moe_dsa",
                  file,
                  copy -> copy.swap("blk.0.ffn_gate.weight", "blk.0.ffn_up.weight")))
          .anyMatch(m -> m.contains("another tensor of the same layer; it holds"))
          .hasSize(2);
    }
  }

  @Test
  void namesNormsThatAreOffByOne() throws IOException {
    assertThat(
            wrong(
                "glm_moe_dsa",
                "glm_moe_dsa.f32.gguf",
                copy -> copy.floats("blk.1.attn_norm.weight", v -> plus(v, 1))))
        .singleElement()
        .asString()
        .contains("off by one: the values are the checkpoint's plus 1");
    assertThat(
            wrong(
                "gemma2",
                "gemma2.f32.gguf",
                copy -> copy.floats("blk.1.attn_norm.weight", v -> plus(v, -1))))
        .singleElement()
        .asString()
        .contains("off by one: the values are the checkpoint's less 1");
  }

  private static float[] plus(float[] values, float what) {
    for (int i = 0; i < values.length; i++) {
      values[i] += what;
    }
    return values;
  }

  @Test
  void namesRowsThatAreNotPermuted() throws IOException {
    for (String file : List.of("llama.bf16.gguf", "llama.q8_0.gguf")) {
      assertThat(
              wrong(
                  "llama",
                  file,
                  copy -> {
                    // The converter puts row i / 2 + i % 2 * 8 of a head of 16 at i.
                    byte[] stored = copy.bytes("blk.0.attn_q.weight");
                    byte[] plain = stored.clone();
                    int row = stored.length / 64;
                    for (int i = 0; i < 64; i++) {
                      int to = i / 16 * 16 + i % 16 / 2 + i % 2 * 8;
                      System.arraycopy(stored, i * row, plain, to * row, row);
                    }
                    copy.replace("blk.0.attn_q.weight", plain);
                  }))
          .singleElement()
          .asString()
          .contains("rows stand in another order: row ")
          .contains("the heads have not been permuted by the converter, or twice");
    }
  }

  @Test
  void namesMatricesThatAreTransposed() throws IOException {
    assertThat(
            wrong(
                "gpt2",
                "gpt2.f32.gguf",
                copy ->
                    copy.floats(
                        "blk.1.attn_output.weight",
                        v -> {
                          float[] turned = new float[v.length];
                          for (int i = 0; i < v.length; i++) {
                            turned[i % 64 * 64 + i / 64] = v[i];
                          }
                          return turned;
                        })))
        .singleElement()
        .asString()
        .contains("transposed: rows and columns are exchanged");
  }

  @Test
  void findsOneWrongPartOfALargeTensor() throws IOException {
    assertThat(
            wrong(
                "glm_moe_dsa",
                "glm_moe_dsa.q8_0.gguf",
                copy -> {
                  byte[] bytes = copy.bytes("token_embd.weight");
                  // Rows 0 to 63 of 288 in the place of the next ones.
                  System.arraycopy(bytes, 0, bytes, 64 * 68, 64 * 68);
                  copy.replace("token_embd.weight", bytes);
                }))
        .singleElement()
        .asString()
        .contains("parts of 4096 values differ, first in row 64");
    assertThat(
            wrong(
                "glm_moe_dsa",
                "glm_moe_dsa.f32.gguf",
                copy -> copy.floats("output.weight", ModelComparisonTest::oneWrong)))
        .singleElement()
        .asString()
        .contains("output.weight -> lm_head.weight");
  }

  private static float[] oneWrong(float[] values) {
    values[12_345] += 0.01f;
    return values;
  }

  @Test
  void namesZerosSignsAndFactors() throws IOException {
    assertThat(
            wrong(
                "glm_moe_dsa",
                "glm_moe_dsa.f32.gguf",
                copy ->
                    copy.floats("blk.1.attn_q_a.weight", v -> new float[v.length])
                        .floats("blk.2.attn_q_a.weight", v -> times(v, -1))
                        .floats("blk.3.attn_q_a.weight", v -> times(v, 2.5f))))
        .satisfiesExactly(
            m -> assertThat(m).contains("all values looked at are zero"),
            m -> assertThat(m).contains("the signs are turned"),
            m -> assertThat(m).contains("the values are 2.5 times the checkpoint's"));
  }

  private static float[] times(float[] values, float what) {
    for (int i = 0; i < values.length; i++) {
      values[i] *= what;
    }
    return values;
  }

  @Test
  void tellsShapesAndNamesThatDiffer() throws IOException {
    Path file = Shared.require("data/converter/glm_moe_dsa/glm_moe_dsa.f32.gguf");
    ModelComparison.Result other =
        compare(file, Shared.require("data/converter/glm_moe_dsa_f32"), 1);
    assertThat(other.report().verdict()).isEqualTo("error");
    NameComparison names = other.names().orElseThrow();
    assertThat(names.extra()).anyMatch(n -> n.startsWith("model.layers.4."));
    assertThat(names.shapes()).isNotEmpty();
  }

  @Test
  void toleranceNeverLetsUnrelatedValuesPass() {
    assertThat(TensorType.current())
        .allMatch(type -> Tolerance.of(type).times(1000).limit() <= 0.95);
  }

  @Test
  void theCheckpointOfAnotherModelIsAnError() throws IOException {
    Path file = Shared.require("data/converter/llama/llama.q8_0.gguf");
    Path other = Shared.require("data/converter/gpt2");
    assertThat(errors(compare(file, other, 1)))
        .containsExactly(
            "nothing was compared with "
                + other
                + ": the checkpoint has no parameter that the file feeds");
  }
}
