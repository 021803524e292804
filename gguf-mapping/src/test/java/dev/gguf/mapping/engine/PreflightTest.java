package dev.gguf.mapping.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.FileKind;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.fixture.GlmDsa;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Predictions for the model that the project was made for, and for small changes of it.
class PreflightTest {
  private static final Candidate FULL = candidate(GlmDsa.fullSize().tensors());
  private static final Launch EIGHT =
      Launch.builder()
          .engineVersion("0.16.0")
          .tensorParallel(8)
          .dtype("bfloat16")
          .capability("12.0")
          .build();

  private static Candidate candidate(List<Tensor> tensors) {
    return candidate(GlmDsa.fullSize().architectureKeys().build(), tensors, 1);
  }

  private static Candidate candidate(Metadata keys, List<Tensor> tensors, int files) {
    return new Candidate(
        "model.gguf", files, FileKind.MODEL, keys, tensors, List.of(), Optional.empty());
  }

  private static Candidate changed(UnaryOperator<Tensor> change) {
    List<Tensor> tensors = new ArrayList<>(GlmDsa.fullSize().tensors());
    tensors.replaceAll(change);
    return candidate(tensors);
  }

  private static UnaryOperator<Tensor> typed(String end, TensorType type) {
    return tensor ->
        tensor.name().endsWith(end) ? Tensor.of(tensor.name(), type, tensor.ne()) : tensor;
  }

  private static EngineProfile patched() throws IOException {
    return EngineProfile.read(Shared.root().resolve("docs/profiles/vllm-0.16-patched.profile"));
  }

  private static List<EngineRule> rules(Prediction prediction) {
    return prediction.blockers().stream().map(Reason::rule).toList();
  }

  @Test
  void theReleaseGivesEveryBlockerInTheOrderInWhichItStrikes() {
    Prediction prediction = Preflight.predict(FULL, "vllm", EIGHT);
    assertThat(prediction.loads()).isEqualTo(Loads.NO);
    assertThat(prediction.version()).isEqualTo("0.16.0");
    assertThat(rules(prediction))
        .containsExactly(
            EngineRule.ENGINE_PROBE,
            EngineRule.ENGINE_CONFIG,
            EngineRule.ENGINE_DTYPE,
            EngineRule.ENGINE_ATTENTION,
            EngineRule.ENGINE_ARCHITECTURE,
            EngineRule.ENGINE_UNMAPPED,
            EngineRule.ENGINE_RENAME,
            EngineRule.ENGINE_ROLE,
            EngineRule.ENGINE_KV_B);
    List<String> errors =
        prediction.blockers().stream().map(r -> String.valueOf(r.error())).toList();
    assertThat(errors)
        .satisfiesExactly(
            e ->
                assertThat(e)
                    .isEqualTo(
                        "ValueError: GGUF model with architecture glm-dsa is not supported yet."),
            e ->
                assertThat(e)
                    .startsWith(
                        "ValueError: The checkpoint you are trying to load has model type"
                            + " `glm_moe_dsa` but Transformers does not recognize this"
                            + " architecture."),
            e ->
                assertThat(e)
                    .isEqualTo(
                        "ValueError: torch.bfloat16 is not supported for quantization method gguf."
                            + " Supported dtypes: [torch.float16, torch.float32]"),
            e ->
                assertThat(e)
                    .startsWith("ValueError: No valid attention backend found for cuda with")
                    .endsWith("Reasons: {FLASHMLA_SPARSE: [compute capability not supported]}."),
            e -> assertThat(e).isEqualTo("RuntimeError: Unknown gguf model_type: glm_moe_dsa"),
            e ->
                assertThat(e)
                    .startsWith(
                        "RuntimeError: Failed to map GGUF parameters (150):"
                            + " ['model.layers.3.mlp.experts.gate_up_proj',"
                            + " 'model.layers.3.mlp.gate.e_score_correction_bias',"),
            e ->
                assertThat(e)
                    .isEqualTo(
                        "KeyError: 'model.layers.0.self_attn.indexer.qweight_types_proj."
                            + "qweight_type'"),
            e ->
                assertThat(e)
                    .isEqualTo(
                        "KeyError: 'model.layers.0.self_attn.indexer.weights_proj.qweight_type'"),
            e ->
                assertThat(e)
                    .startsWith(
                        "RuntimeError: Can't access the shape of an uninitialized parameter or"
                            + " buffer."));
    for (Reason reason : prediction.reasons()) {
      assertThat(reason.source()).isNotBlank();
      assertThat(reason.versions()).isNotBlank();
      if (reason.error() != null) {
        assertThat(reason.message()).contains(reason.error());
      }
    }
  }

  @Test
  void thePatchedReleaseLoadsItInFloat16() throws IOException {
    Launch launch = EIGHT.toBuilder().dtype("float16").build();
    Prediction prediction = Preflight.predict(FULL, patched(), launch);
    assertThat(prediction.blockers()).isEmpty();
    assertThat(prediction.loads()).isEqualTo(Loads.YES);
    assertThat(rules(Preflight.predict(FULL, patched(), EIGHT)))
        .containsExactly(EngineRule.ENGINE_DTYPE);
  }

  @Test
  void sixteenRanksCutBlocksOf256AndNotOf32() throws IOException {
    Launch sixteen = EIGHT.toBuilder().dtype("float16").tensorParallel(16).build();
    Prediction refused = Preflight.predict(FULL, patched(), sixteen);
    assertThat(refused.blockers().stream().map(Reason::message))
        .satisfiesExactly(
            m -> assertThat(m).startsWith("75 tensors of mlp.experts.w2").endsWith("1, 2, 4, 8"),
            m -> assertThat(m).startsWith("75 tensors of mlp.shared_experts.down_proj"));
    Candidate q8 =
        changed(t -> t.type().isQuantized() ? Tensor.of(t.name(), TensorType.Q8_0, t.ne()) : t);
    assertThat(Preflight.predict(q8, patched(), sixteen).loads()).isEqualTo(Loads.YES);
    Launch experts = sixteen.toBuilder().expertParallel(true).build();
    assertThat(Preflight.predict(FULL, patched(), experts).blockers()).hasSize(1);
    Launch seven = EIGHT.toBuilder().dtype("float16").tensorParallel(7).build();
    assertThat(Preflight.predict(q8, patched(), seven).blockers().getFirst().error())
        .isEqualTo(
            "ValueError: Total number of attention heads (64) must be divisible by tensor parallel"
                + " size (7).");
  }

  @Test
  void aFloatProjectionOfTheIndexerIsNotRenamed() {
    Prediction prediction =
        Preflight.predict(changed(typed("indexer.proj.weight", TensorType.F32)), "vllm", EIGHT);
    assertThat(rules(prediction))
        .doesNotContain(EngineRule.ENGINE_RENAME, EngineRule.ENGINE_ROLE)
        .contains(EngineRule.ENGINE_KV_B);
  }

  @Test
  void shardsInTheOrderOfTheFileAreFoundWrong() {
    List<Tensor> tensors = new ArrayList<>(GlmDsa.fullSize().tensors());
    int query = indexOf(tensors, "blk.0.attn_q_a.weight");
    Collections.swap(tensors, query, indexOf(tensors, "blk.0.attn_kv_a_mqa.weight"));
    assertThat(rules(Preflight.predict(candidate(tensors), "vllm", EIGHT)))
        .endsWith(EngineRule.ENGINE_ORDER);
    Launch plugin = EIGHT.toBuilder().engineVersion("0.0.5").build();
    assertThat(rules(Preflight.predict(candidate(tensors), "vllm-plugin", plugin)))
        .doesNotContain(EngineRule.ENGINE_ORDER);
  }

  private static int indexOf(List<Tensor> tensors, String name) {
    for (int i = 0; i < tensors.size(); i++) {
      if (tensors.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new AssertionError(name);
  }

  @Test
  void shardsOfOneModuleMustBeAllFloatOrAllQuantised() {
    Prediction prediction =
        Preflight.predict(changed(typed("blk.1.attn_q_a.weight", TensorType.F16)), "vllm", EIGHT);
    assertThat(prediction.blockers().stream().map(Reason::error))
        .contains(
            "ValueError: Detected some but not all shards of"
                + " model.layers.1.self_attn.fused_qkv_a_proj are quantized. All shards of fused"
                + " layers to have the same precision.");
  }

  @Test
  void gateAndUpExpertsShareOneType() {
    Candidate unlike = changed(typed("blk.9.ffn_up_exps.weight", TensorType.Q5_K));
    Reason reason =
        Preflight.predict(unlike, "vllm", EIGHT).blockers().stream()
            .filter(r -> r.rule() == EngineRule.ENGINE_FUSED)
            .findFirst()
            .orElseThrow();
    assertThat(reason.message())
        .contains("blk.9.ffn_gate_exps.weight (Q4_K)", "the last one loaded");
  }

  @Test
  void replicatedModulesFailFrom0240On() {
    Launch plugin = EIGHT.toBuilder().engineVersion("0.0.5").build();
    Prediction prediction = Preflight.predict(FULL, "vllm-plugin", plugin);
    assertThat(prediction.blockers().stream().map(Reason::error))
        .contains("RuntimeError: Unknown gguf model_type: glm_moe_dsa")
        .contains("KeyError: 'model.layers.0.self_attn.indexer.wk_weights_proj.qweight_type'")
        .contains(
            "AssertionError: Tried to load weights of size torch.Size([4096, 1152])to a parameter"
                + " of size torch.Size([0])")
        .contains("RuntimeError: size mismatch, got input (512), mat (512x512), vec (0)");
    assertThat(rules(prediction)).doesNotContain(EngineRule.ENGINE_DTYPE);
    assertThat(prediction.reasons().stream().map(Reason::message))
        .anySatisfy(m -> assertThat(m).contains("FLASHINFER_MLA_SPARSE_SM120"));
  }

  @Test
  void withoutThePluginNothingLoadsFrom0240On() {
    Launch launch = EIGHT.toBuilder().engineVersion("0.26.0").build();
    Prediction prediction = Preflight.predict(FULL, "vllm", launch);
    assertThat(rules(prediction)).containsExactly(EngineRule.ENGINE_ABSENT);
    assertThat(prediction.blockers().getFirst().error()).contains("is not a valid JSON file");
  }

  @Test
  void theFamilyOfLlamaCppLoadsItSinceFebruary() {
    assertThat(Preflight.predict(FULL, "llama.cpp", Launch.DEFAULT).loads()).isEqualTo(Loads.YES);
    assertThat(Preflight.predict(FULL, "ik_llama.cpp", Launch.DEFAULT).loads())
        .isEqualTo(Loads.YES);
    Launch before = Launch.builder().engineVersion("2026-01").build();
    Prediction old = Preflight.predict(FULL, "llama.cpp", before);
    assertThat(rules(old)).containsExactly(EngineRule.ENGINE_ARCHITECTURE);
    assertThat(old.blockers().getFirst().error())
        .isEqualTo("unknown model architecture: 'glm-dsa'");
    for (String engine : List.of("transformers", "sglang", "candle", "mistral.rs")) {
      assertThat(Preflight.predict(FULL, engine, Launch.DEFAULT).loads()).isEqualTo(Loads.NO);
    }
    assertThat(Preflight.predict(FULL, "ktransformers", Launch.DEFAULT).loads())
        .isEqualTo(Loads.CONDITIONAL);
    assertThat(Preflight.predict(FULL, "ollama", Launch.DEFAULT).loads()).isEqualTo(Loads.UNKNOWN);
  }

  @Test
  void llamaCppRefusesWhatItsLoaderDoesNotAskFor() {
    List<Tensor> tensors = new ArrayList<>(GlmDsa.fullSize().tensors());
    tensors.add(Tensor.of("blk.4.attn_kv_b.weight", TensorType.F16, 512, 28672));
    assertThat(Preflight.predict(candidate(tensors), "llama.cpp", Launch.DEFAULT).blockers())
        .singleElement()
        .extracting(Reason::message)
        .asString()
        .startsWith("blk.4.attn_kv_b.weight stands beside attn_k_b.weight");
    Candidate flat =
        changed(t ->
            t.name().equals("blk.5.attn_k_b.weight")
                ? Tensor.of(t.name(), t.type(), 192, 512 * 64)
                : t);
    assertThat(Preflight.predict(flat, "llama.cpp", Launch.DEFAULT).loads()).isEqualTo(Loads.NO);
  }

  @Test
  void memoryFollowsTheShardingRules() throws IOException {
    Launch launch =
        EIGHT.toBuilder()
            .dtype("float16")
            .gpuMemory(102_000_000_000L)
            .utilization(0.9)
            .maxModelLen(100_000)
            .build();
    MemoryEstimate memory = memory(patched(), launch);
    assertThat(memory.bytesPerToken()).isEqualTo(78 * (1152 + 132));
    assertThat(memory.cache()).isEqualTo(100_032 * memory.bytesPerToken());
    assertThat(memory.weights()).isBetween(57_000_000_000L, 60_000_000_000L);
    assertThat(memory.budget()).isEqualTo(91_800_000_000L);
    assertThat(memory.fits()).isTrue();
    assertThat(memory.spare()).isEqualTo(memory.budget() - memory.total());
    assertThat(memory.longestContext() % 64).isZero();
    long longest = memory.longestContext();
    Launch just = launch.toBuilder().maxModelLen(longest).build();
    assertThat(memory(patched(), just).fits()).isTrue();
    Launch over = launch.toBuilder().maxModelLen(longest + 64).build();
    assertThat(memory(patched(), over).fits()).isFalse();
    Prediction refused = Preflight.predict(FULL, patched(), over);
    assertThat(rules(refused)).containsExactly(EngineRule.ENGINE_MEMORY);
    assertThat(refused.blockers().getFirst().message()).contains(longest + " tokens");
  }

  private static MemoryEstimate memory(EngineProfile profile, Launch launch) {
    MemoryEstimate memory = Preflight.predict(FULL, profile, launch).memory();
    if (memory == null) {
      throw new AssertionError("no estimate");
    }
    return memory;
  }

  @Test
  void theCacheIsTheOneThatTheBackendKeeps() {
    Launch plugin = EIGHT.toBuilder().engineVersion("0.0.5").build();
    assertThat(memory(EngineProfiles.of("vllm-plugin", "0.0.5"), plugin).bytesPerToken())
        .isEqualTo(61_464);
    Launch ten = plugin.toBuilder().capability("10.0").kvCacheDtype("fp8").build();
    assertThat(memory(EngineProfiles.of("vllm-plugin", "0.0.4"), ten).bytesPerToken())
        .isIn(55_224L, 61_464L);
    Launch nine = plugin.toBuilder().capability("9.0").build();
    assertThat(memory(EngineProfiles.of("vllm-plugin", "0.0.5"), nine).bytesPerToken())
        .isEqualTo(100_152);
  }

  @Test
  void anUnknownEngineOrReleaseIsSaid() {
    assertThatThrownBy(() -> Preflight.predict(FULL, "vlm", Launch.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("vllm-plugin");
    Launch ancient = Launch.builder().engineVersion("0.1.0").build();
    assertThatThrownBy(() -> Preflight.predict(FULL, "vllm", ancient))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the oldest known is 0.5.5");
  }
}
