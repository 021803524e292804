package dev.gguf.mapping.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Tensor;
import dev.gguf.fixture.Shared;
import dev.gguf.mapping.KvBProjection;
import dev.gguf.mapping.checkpoint.Checkpoint;
import dev.gguf.mapping.checkpoint.CheckpointParameter;
import dev.gguf.quant.TensorValues;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The pairs of files that the format's own converter made, and of copies with one thing wrong.
class KvBCheckTest {
  private static final String F32 = "data/converter/glm_moe_dsa/glm_moe_dsa.f32.gguf";

  @TempDir Path folder;

  private static KvBCheck.Result check(Path file, Checkpoint checkpoint) throws IOException {
    try (Gguf gguf = Gguf.open(file)) {
      return KvBCheck.check(gguf, checkpoint, OptionalInt.empty(), (_, _) -> {});
    }
  }

  private static List<String> messages(KvBCheck.Result result) {
    return result.report().findings().stream().map(Finding::message).toList();
  }

  private static String bits(float[] values) {
    StringBuilder text = new StringBuilder();
    for (float value : values) {
      text.append(Integer.toHexString(Float.floatToRawIntBits(value))).append(' ');
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "glm_moe_dsa,glm_moe_dsa.f32.gguf,5",
    "glm_moe_dsa,glm_moe_dsa.bf16.gguf,5",
    "glm_moe_dsa,glm_moe_dsa.mtp-only.bf16.gguf,1",
    "glm_moe_dsa_f32,glm_moe_dsa_f32.f32.gguf,3",
    "glm_moe_dsa_shared,glm_moe_dsa_shared.bf16.gguf,7",
    "deepseek_v3,deepseek_v3.bf16.gguf,3",
    "deepseek_v3,legacy/deepseek_v3.legacy_kv_b.bf16.gguf,3",
    "deepseek_v32,deepseek_v32.bf16.gguf,4"
  })
  void floatHalvesMakeTheCheckpointsMatrixBitForBit(String model, String file, int layers)
      throws IOException {
    Path home = Shared.require("data/converter/" + model);
    try (Checkpoint checkpoint = Checkpoint.open(home);
        Gguf gguf = Gguf.open(home.resolve(file))) {
      KvBCheck.Result result = check(home.resolve(file), checkpoint);
      assertThat(result.layers()).hasSize(layers).allMatch(l -> l.state() == KvBLayer.State.RIGHT);
      assertThat(result.layers()).allMatch(l -> l.comparison().isEqual());
      assertThat(result.layers()).allMatch(l -> l.maxError().orElseThrow() == 0);
      assertThat(result.report().verdict()).isIn("ok", "info");

      KvBProjection sizes = KvBProjection.from(gguf.metadata());
      float[] joined = new float[sizes.rows() * sizes.rank()];
      for (KvBLayer layer : result.layers()) {
        if (layer.kB() == null) {
          sizes.copy(gguf.find(layer.kvB().name()).orElseThrow(), 0, sizes.heads(), joined);
        } else {
          Tensor kB = gguf.find(layer.kB().name()).orElseThrow();
          Tensor vB = gguf.find(layer.vB().name()).orElseThrow();
          sizes.join(kB, vB, 0, sizes.heads(), joined);
          assertThat(segment(sizes, kB, vB)).isEqualTo(joined);
          assertThat(sizes.valueRows(vB, 1).byteSize() * sizes.heads()).isEqualTo(vB.bytes());
        }
        float[] wanted = checkpoint.read(reference(checkpoint, layer.layer()));
        assertThat(bits(joined)).isEqualTo(bits(wanted));
      }
    }
  }

  private static float[] segment(KvBProjection sizes, Tensor kB, Tensor vB) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(4L * sizes.rows() * sizes.rank());
      sizes.join(kB, vB, 0, sizes.heads(), target);
      return target.toArray(ValueLayout.JAVA_FLOAT);
    }
  }

  private static CheckpointParameter reference(Checkpoint checkpoint, int layer) {
    return checkpoint.find("model.layers." + layer + ".self_attn.kv_b_proj.weight").orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "glm_moe_dsa/glm_moe_dsa.q8_0.gguf",
        "glm_moe_dsa/glm_moe_dsa.no-mtp.q8_0.gguf",
        "glm_moe_dsa/split-tool/glm_moe_dsa.q8_0-00002-of-00003.gguf",
        "glm_moe_dsa/split-converter/glm_moe_dsa.q8_0-00001-of-00003.gguf",
        "glm_moe_dsa_f32/glm_moe_dsa_f32.q8_0.gguf"
      })
  void errorsOfQ8AreBelowHalfAStepOfTheirBlock(String name) throws IOException {
    Path file = Shared.require("data/converter/" + name);
    Path home = Shared.require("data/converter/" + name.substring(0, name.indexOf('/')));
    try (Checkpoint checkpoint = Checkpoint.open(home);
        Gguf gguf = Gguf.open(file)) {
      KvBCheck.Result result = check(file, checkpoint);
      assertThat(result.layers()).isNotEmpty().allMatch(l -> l.state() == KvBLayer.State.RIGHT);
      KvBProjection sizes = KvBProjection.from(gguf.metadata());
      for (KvBLayer layer : result.layers()) {
        float[] wanted = checkpoint.read(reference(checkpoint, layer.layer()));
        float[] kB = new float[sizes.heads() * sizes.nope() * sizes.rank()];
        float[] vB = new float[sizes.heads() * sizes.value() * sizes.rank()];
        sizes.split(wanted, kB, vB);
        within(gguf.find(layer.kB().name()).orElseThrow(), kB);
        within(gguf.find(layer.vB().name()).orElseThrow(), vB);
      }
    }
  }

  private static void within(Tensor tensor, float[] wanted) throws IOException {
    float[] values = new float[wanted.length];
    TensorValues.of(tensor).rows(0, tensor.rows(), values, 0);
    for (int i = 0; i < values.length; i++) {
      short scale = tensor.data().get(ValueLayout.JAVA_SHORT_UNALIGNED, i / 32 * 34L);
      float d = Math.abs(Float.float16ToFloat(scale));
      assertThat((double) Math.abs(values[i] - wanted[i]))
          .isLessThanOrEqualTo(d * (0.5 + 127 / 2048.0));
    }
  }

  @Test
  void halvesOfDifferentTypesAreCompared() throws IOException {
    Path home = Shared.require("data/converter/glm_moe_dsa_k");
    try (Checkpoint checkpoint = Checkpoint.open(home)) {
      KvBCheck.Result result = check(home.resolve("glm_moe_dsa_k.q4_k_m.gguf"), checkpoint);
      assertThat(result.layers()).hasSize(3).allMatch(l -> l.state() == KvBLayer.State.RIGHT);
      assertThat(result.layers().getFirst().maxError().orElseThrow())
          .isEqualTo(0.00993907, Offset.offset(1e-8));
      assertThat(messages(result)).contains("layer 0: attn_k_b is Q5_0, attn_v_b Q4_K").hasSize(3);
      assertThat(result.report().verdict()).isEqualTo("info");
    }
  }

  @Test
  void halvesInDifferentShardsAreFound() throws IOException {
    Path home = Shared.require("data/converter/glm_moe_dsa");
    List<String> apart = new ArrayList<>();
    for (String split : List.of("split-tool", "split-converter", "split-tool-empty-first")) {
      Path file = home.resolve(split + "/glm_moe_dsa.q8_0-00003-of-00003.gguf");
      KvBCheck.Result result = check(file, null);
      assertThat(result.layers()).hasSize(5).allMatch(l -> l.state() == KvBLayer.State.RIGHT);
      apart.addAll(messages(result));
    }
    assertThat(apart).allMatch(m -> m.contains("attn_k_b is in glm_moe_dsa.q8_0-0000"));
  }

  @Test
  void namesTheHalvesThatAreAbsentAndShapesThatAreWrong() throws IOException {
    Path home = Shared.require("data/converter/glm_moe_dsa_f32/broken");
    KvBCheck.Result absent = check(home.resolve("missing_k_b_layer_1.gguf"), null);
    assertThat(absent.layers())
        .extracting(l -> l.state().label())
        .containsExactly("right", "incomplete", "right");
    assertThat(messages(absent)).containsExactly("layer 1: blk.1.attn_k_b.weight is absent");

    KvBCheck.Result turned = check(home.resolve("k_b_not_transposed.gguf"), null);
    assertThat(turned.layers()).anyMatch(l -> l.state() == KvBLayer.State.WRONG);
    assertThat(messages(turned)).anyMatch(m -> m.contains("is expected: it is not transposed"));

    KvBCheck.Result legacy = check(home.resolve("legacy_kv_b_only.gguf"), null);
    assertThat(legacy.report().findings())
        .allMatch(f -> f.rule() == CompareRule.KVB_UNDIVIDED)
        .isNotEmpty();

    KvBCheck.Result flat = check(home.resolve("k_b_two_dims.gguf"), null);
    assertThat(flat.report().findings())
        .anyMatch(f -> f.rule() == CompareRule.KVB_FORM && f.message().contains("two dimensions"));
    try (Checkpoint checkpoint = Checkpoint.open(home.getParent())) {
      assertThat(check(home.resolve("k_b_two_dims.gguf"), checkpoint).layers())
          .allMatch(l -> l.state() == KvBLayer.State.RIGHT);
      assertThat(check(home.resolve("legacy_kv_b_only.gguf"), checkpoint).layers())
          .allMatch(l -> l.state() == KvBLayer.State.RIGHT);
    }
  }

  private List<String> wrong(Copying change) throws IOException {
    Path copy = folder.resolve("copy.gguf");
    try (Gguf gguf = Gguf.open(Shared.require(F32))) {
      Copy of = new Copy(gguf);
      change.apply(of, KvBProjection.from(gguf.metadata()));
      of.write(copy);
    }
    try (Checkpoint checkpoint = Checkpoint.open(Shared.require("data/converter/glm_moe_dsa"))) {
      return messages(check(copy, checkpoint)).stream().sorted().toList();
    }
  }

  private interface Copying {
    void apply(Copy copy, KvBProjection sizes) throws IOException;
  }

  /// Divides the right matrix in a wrong way.
  private static Copying divided(Division division) {
    return (copy, sizes) -> {
      float[] kB = copy.values("blk.2.attn_k_b.weight");
      float[] vB = copy.values("blk.2.attn_v_b.weight");
      float[] right = new float[sizes.rows() * sizes.rank()];
      sizes.join(kB, vB, right);
      division.divide(sizes, right, kB, vB);
      copy.replace("blk.2.attn_k_b.weight", Copy.little(kB));
      copy.replace("blk.2.attn_v_b.weight", Copy.little(vB));
    };
  }

  private interface Division {
    void divide(KvBProjection sizes, float[] right, float[] kB, float[] vB);
  }

  @Test
  void copiesWithOneThingWrongAreNamed() throws IOException {
    assertThat(wrong((copy, _) -> copy.reversed())).isEmpty();
    assertThat(wrong((copy, _) -> copy.swap("blk.1.attn_k_b.weight", "blk.2.attn_k_b.weight")))
        .satisfiesExactly(
            m ->
                assertThat(m)
                    .startsWith(
                        "layer 1: wrong layer: attn_k_b is that of layer 2, attn_v_b is right"),
            m ->
                assertThat(m)
                    .startsWith(
                        "layer 2: wrong layer: attn_k_b is that of layer 1, attn_v_b is right"));
    assertThat(
            wrong((copy, _) ->
                copy.swap("blk.0.attn_k_b.weight", "blk.4.attn_k_b.weight")
                    .swap("blk.0.attn_v_b.weight", "blk.4.attn_v_b.weight")))
        .anyMatch(m -> m.startsWith("layer 0: wrong layer: both halves are those of layer 4"))
        .hasSize(2);
    assertThat(
            wrong(
                divided((sizes, right, kB, _) -> {
                  int head = sizes.nope() * sizes.rank();
                  for (int h = 0; h < sizes.heads(); h++) {
                    System.arraycopy(right, sizes.elements(0, h), kB, h * head, head);
                  }
                })))
        .singleElement()
        .asString()
        .startsWith("layer 2: attn_k_b is not transposed");
    assertThat(
            wrong(
                divided((sizes, right, kB, vB) -> {
                  int n = sizes.nope();
                  for (int h = 0; h < sizes.heads(); h++) {
                    turn(right, h * n, sizes, kB, h);
                  }
                  System.arraycopy(right, kB.length, vB, 0, vB.length);
                })))
        .singleElement()
        .asString()
        .startsWith("layer 2: rows are grouped by kind");
    assertThat(
            wrong(
                divided((sizes, right, kB, vB) -> {
                  int rows = sizes.nope() + sizes.value();
                  int value = sizes.value() * sizes.rank();
                  for (int h = 0; h < sizes.heads(); h++) {
                    turn(right, h * rows + sizes.value(), sizes, kB, h);
                    System.arraycopy(right, h * rows * sizes.rank(), vB, h * value, value);
                  }
                })))
        .singleElement()
        .asString()
        .startsWith("layer 2: value before nope");
  }

  /// Transposes the rows of one head from a place in the matrix.
  private static void turn(float[] matrix, int row, KvBProjection sizes, float[] kB, int head) {
    for (int n = 0; n < sizes.nope(); n++) {
      for (int r = 0; r < sizes.rank(); r++) {
        kB[n + sizes.nope() * (r + sizes.rank() * head)] = matrix[(row + n) * sizes.rank() + r];
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "right|",
        "kind|rows are grouped by kind",
        "value|value before nope",
        "layer|wrong layer"
      },
      delimiter = '|')
  void judgesTheReferencesOfOtherLoaders(String reference, String expected) throws IOException {
    Path home = Shared.require("data/cases/243");
    for (String file : List.of("a", "b", "c")) {
      try (Checkpoint checkpoint = Checkpoint.open(home.resolve(reference + ".safetensors"))) {
        KvBCheck.Result result = check(home.resolve(file + ".gguf"), checkpoint);
        if (expected == null) {
          assertThat(result.report().verdict()).isIn("ok", "info");
        } else {
          assertThat(messages(result)).allMatch(m -> m.contains(expected)).isNotEmpty();
        }
      }
    }
  }

  @Test
  void filesWithoutItSaySo() throws IOException {
    KvBCheck.Result result = check(Shared.require("data/converter/llama/llama.q8_0.gguf"), null);
    assertThat(result.layers()).isEmpty();
    assertThat(messages(result)).containsExactly("llama has no kv_b_proj, whole or in halves");
    assertThat(result.report().verdict()).isEqualTo("info");
  }
}
