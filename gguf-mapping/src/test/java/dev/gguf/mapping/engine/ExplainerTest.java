package dev.gguf.mapping.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.FileKind;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.fixture.GlmDsa;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainerTest {
  private static final String CORRUPTED =
      "KeyError: 'model.layers.1.self_attn.indexer.qweight_types_proj.qweight_type'";
  private final Explainer explainer = new Explainer(candidate(GlmDsa.mini()));

  private static Candidate candidate(GlmDsa model) {
    return candidate(model, model.tensors());
  }

  private static Candidate candidate(GlmDsa model, List<Tensor> tensors) {
    return new Candidate(
        "model.gguf",
        1,
        FileKind.MODEL,
        model.architectureKeys().build(),
        tensors,
        List.of(),
        Optional.empty());
  }

  @TestFactory
  Stream<DynamicTest> everyLogHasItsCause() throws IOException {
    Path folder = Shared.require("data/logs");
    List<String> rows = Files.readAllLines(folder.resolve("expected.tsv"));
    return rows.stream()
        .skip(1)
        .filter(row -> !row.isEmpty())
        .map(row -> row.split("\t", -1))
        .map(row -> DynamicTest.dynamicTest(row[0], () -> expect(folder, row)));
  }

  private void expect(Path folder, String[] row) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(row[0]));
    Explainer.Log log = explainer.explainLog(lines);
    if (row[1].isEmpty()) {
      assertThat(log.first()).isEqualTo(-1);
      assertThat(log.matches()).isEmpty();
      return;
    }
    Explanation first = log.matches().get(log.first());
    assertThat(first.text()).isEqualTo(row[1]);
    assertThat(first.parameter()).isEqualTo(Optional.of(row[2]).filter(name -> !name.isEmpty()));
    assertThat(first.tensor()).isEqualTo(Optional.of(row[3]).filter(name -> !name.isEmpty()));
    assertThat(first.mechanism()).startsWith(row[4]);
    assertThat(lines.get(first.line() - 1)).endsWith(row[1]);
  }

  @Test
  void aReplacementOfEveryWeightIsUndone() {
    Explanation explanation = explainer.explain(CORRUPTED).orElseThrow();
    assertThat(explanation.parameter())
        .contains("model.layers.1.self_attn.indexer.weights_proj.weight");
    assertThat(explanation.tensor()).contains("blk.1.indexer.proj.weight");
    assertThat(explanation.mechanism()).startsWith("every weight in the name was replaced");
  }

  @Test
  void theNewNamesOfThePluginAreUndoneToo() {
    assertThat(
            explainer
                .explain("KeyError: 'model.layers.3.mixer.input_mix_weight_type_down.weight_type'")
                .flatMap(Explanation::parameter))
        .contains("model.layers.3.mixer.input_mix_weight_down.weight");
  }

  @Test
  void aModuleThatIsNeverQuantisedIsNamed() {
    GlmDsa model = GlmDsa.mini();
    List<Tensor> tensors = new ArrayList<>(model.tensors());
    tensors.replaceAll(tensor ->
        tensor.name().equals("blk.2.indexer.proj.weight")
            ? Tensor.of(tensor.name(), TensorType.Q8_0, tensor.ne())
            : tensor);
    Explainer quantised = new Explainer(candidate(model, tensors));
    Explanation explanation =
        quantised
            .explain("KeyError: 'model.layers.2.self_attn.indexer.weights_proj.qweight_type'")
            .orElseThrow();
    assertThat(explanation.tensor()).contains("blk.2.indexer.proj.weight");
    assertThat(explanation.mechanism()).contains("never quantised", "Q8_0");
    Explanation fused =
        quantised
            .explain("KeyError: 'model.layers.2.self_attn.indexer.wk_weights_proj.qweight_type'")
            .orElseThrow();
    assertThat(fused.mechanism()).contains("quantised");
    assertThat(fused.tensor()).as("the name stands for two").isEmpty();
    assertThat(fused.parameter()).isEmpty();
    assertThat(fused.mechanism()).contains("blk.2.indexer.proj.weight is Q8_0");
  }

  /// The reports of section 4.8 of the collected facts, by what they print.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "KeyError: 'model.embed_tokens.qweight_type' | embedding | token_embd.weight",
        "ValueError: GGUF model with architecture deepseek2 is not supported yet. | deepseek2 |",
        "RuntimeError: Failed to map GGUF parameters (356): ['model.vision_tower.x.weight', 'b'] | 356"
            + " parameters |",
        "RuntimeError: Unknown gguf model_type: deepseek_v4 | no alias from deepseek_v4 to glm-dsa |",
        "RuntimeError: Unknown gguf model_type: glm4_moe | no alias from glm4_moe |",
        "ValueError: torch.bfloat16 is not supported for quantization method gguf. Supported dtypes:"
            + " [torch.float16, torch.float32] | bfloat16 on capability 10.0 |",
        "ValueError: No valid attention backend found for cuda with AttentionSelectorConfig("
            + "head_size=576, dtype=torch.bfloat16, use_mla=True, use_sparse=True)."
            + " Reasons: {FLASHMLA_SPARSE: [compute capability not supported]}. | attention backend |",
        "RuntimeError: Can't access the shape of an uninitialized parameter or buffer. This error"
            + " usually happens in load_state_dict | attn_kv_b |",
        "RuntimeError: size mismatch, got input (512), mat (512x512), vec (0) | kv_b_proj |",
        "AssertionError: Tried to load weights of size torch.Size([4096, 2176])to a parameter of size"
            + " torch.Size([0]) | replicated |",
        "ValueError: Detected some but not all shards of model.layers.0.self_attn.fused_qkv_a_proj"
            + " are quantized. All shards of fused layers to have the same precision. | fused |",
        "ValueError: np.uint32(39) is not a valid GGMLQuantizationType | gguf-py |",
        "NotImplementedError: Unsupported GGUF quantization type: 39 | without a kernel |",
        "ValueError: Unsupported GGUF quantization type 34 in layer model.layers.0.mlp.down_proj |"
            + " without a kernel | blk.0.ffn_down.weight",
        "KeyError: 'model.layers.1.mlp.experts.routed_experts.w13_weight' | experts are float |",
        "KeyError: 'model.layers.1.mlp.experts.w2_weight' | experts are float |"
            + " blk.1.ffn_down_exps.weight",
        "llama_model_load: error loading model: missing tensor 'blk.1.indexer.k_norm.weight' |"
            + " asks for | blk.1.indexer.k_norm.weight",
        "llama_model_load: error loading model: done_getting_tensors: wrong number of tensors;"
            + " expected 1809, got 1782 | 1809 tensors |",
      })
  void whatWasReportedIsKnown(String text, String mechanism, String tensor) {
    Explanation explanation = explainer.explain(text).orElseThrow();
    assertThat(explanation.mechanism()).contains(mechanism);
    assertThat(explanation.tensor()).isEqualTo(Optional.ofNullable(tensor));
    assertThat(explanation.remedy()).isPresent();
    assertThat(explanation.source()).isPresent();
  }

  @Test
  void whatNoRuleKnowsIsUnknown() {
    Explanation error =
        explainer.explain("RuntimeError: CUDA error: an illegal memory access").orElseThrow();
    assertThat(error.isKnown()).isFalse();
    assertThat(error.remedy()).isEmpty();
    assertThat(explainer.explain("the weather in March")).isEmpty();
    Explainer.Log log =
        explainer.explainLog(
            List.of(
                "(Worker_TP2 pid=7) ERROR 02-20 00:22:00 [x.py:1] Traceback (most recent call last):",
                "(Worker_TP2 pid=7) ERROR 02-20 00:22:00 [x.py:1]   File \"a.py\", line 3, in f",
                "(Worker_TP2 pid=7) ERROR 02-20 00:22:00 [x.py:1] RuntimeError: something new",
                "(EngineCore_DP0 pid=1) RuntimeError: Engine core initialization failed. See root"
                    + " cause above. Failed core proc(s): {}"));
    assertThat(log.matches()).hasSize(1);
    assertThat(log.matches().getFirst().text()).isEqualTo("RuntimeError: something new");
    assertThat(log.matches().getFirst().mechanism()).isEqualTo("unknown");
    assertThat(log.matches().getFirst().rank()).hasValue(2);
  }

  @Test
  void theKnownErrorOfAChainIsTheCause() {
    Explainer.Log log =
        explainer.explainLog(
            List.of(
                "KeyError: 'glm_moe_dsa'",
                "",
                "During handling of the above exception, another exception occurred:",
                "",
                "ValueError: The checkpoint you are trying to load has model type `glm_moe_dsa` but"
                    + " Transformers does not recognize this architecture. This could be"));
    assertThat(log.matches()).hasSize(2);
    assertThat(log.first()).isEqualTo(1);
    assertThat(log.matches().get(1).mechanism()).contains("too old");
  }

  @Test
  void anErrorBeforeASuccessfulStartIsNoCause() {
    List<String> lines =
        new ArrayList<>(List.of(CORRUPTED, "INFO:     Application startup complete."));
    assertThat(explainer.explainLog(lines).first()).isEqualTo(-1);
    lines.add("NotImplementedError: Unsupported GGUF quantization type: 39");
    assertThat(explainer.explainLog(lines).matches()).hasSize(1);
  }

  @Test
  void ranksRepeatOneErrorAndItIsToldOnce() {
    Explainer.Log log =
        explainer.explainLog(
            List.of(
                "[rank0]:[W220 00:22:05.8 TCPStore.cpp:125] recvValue failed",
                "2026-02-20T19:51:10.123Z stderr F [rank5]: " + CORRUPTED,
                "worker-1  | \u001b[31m(Worker_TP6_EP6 pid=9)\u001b[0;0m ERROR 02-20 00:22:00"
                    + " [multiproc_executor.py:787] "
                    + CORRUPTED));
    assertThat(log.matches()).hasSize(1);
    assertThat(log.matches().getFirst().line()).isEqualTo(2);
    assertThat(log.matches().getFirst().rank()).hasValue(5);
  }

  @Test
  void theRankOfSglangStandsInTheBracketsOfTheTime() {
    Explainer.Log log =
        explainer.explainLog(
            List.of(
                "[rank99999999999]: [2026-02-20 00:30:00 DP0 TP99999999999] odd",
                "[2026-02-20 00:30:00 TP3] " + CORRUPTED));
    assertThat(log.matches()).hasSize(1);
    assertThat(log.matches().getFirst().rank()).hasValue(3);
    assertThat(log.matches().getFirst().text()).isEqualTo(CORRUPTED);
  }

  @Test
  void aListOfOneNameNamesIt() {
    Explanation one =
        explainer
            .explain("RuntimeError: Failed to map GGUF parameters (1): ['lm_head.weight']")
            .orElseThrow();
    assertThat(one.parameter()).contains("lm_head.weight");
    assertThat(one.tensor()).contains("output.weight");
  }

  @Test
  void whatPythonIgnoresAndWhatFollowsFromOtherProcessesIsNoCause() {
    Explainer.Log log =
        explainer.explainLog(
            List.of(
                "Exception ignored in: <function Future.__del__ at 0x7f00>",
                "Traceback (most recent call last):",
                "AttributeError: 'NoneType' object has no attribute 'close'",
                "torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients.",
                "pydantic_core._pydantic_core.ValidationError: 1 validation error for VllmConfig",
                "  Value error, Total number of attention heads (64) must be divisible by tensor"
                    + " parallel size (7). [type=value_error]"));
    assertThat(log.matches()).hasSize(2);
    assertThat(log.first()).isEqualTo(1);
    assertThat(log.matches().get(1).mechanism()).isEqualTo("64 heads do not divide by 7 ranks");
  }

  @Test
  void bothHalvesFeedTheJoinedProjection() {
    Explanation joined =
        explainer.explain("model.layers.1.self_attn.kv_b_proj.weight").orElseThrow();
    assertThat(joined.tensor()).isEmpty();
    assertThat(joined.parameter()).contains("model.layers.1.self_attn.kv_b_proj.weight");
    assertThat(joined.mechanism())
        .contains("blk.1.attn_k_b.weight", "blk.1.attn_v_b.weight", "join-kv-b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "missing tensor 'token_embd.weight'",
        "llama_model_load: error loading model: tensor 'token_embd.weight' not found"
      })
  void aTensorThatTheFileHasAfterAllIsSaidToBeThere(String text) {
    Explanation present = explainer.explain(text).orElseThrow();
    assertThat(present.mechanism()).contains("token_embd.weight", "this file has it");
    assertThat(present.mechanism()).doesNotContain("does not have it");
    assertThat(present.remedy().orElseThrow()).contains("another file", "newer build");
    assertThat(present.tensor()).contains("token_embd.weight");
    Explanation absent =
        explainer.explain(text.replace("token_embd", "blk.0.nothing")).orElseThrow();
    assertThat(absent.mechanism()).contains("the file does not have it");
    assertThat(absent.remedy().orElseThrow()).contains("gguf check");
  }

  @Test
  void aKeyThatTheFileHasAfterAllIsSaidToBeThere() {
    assertThat(
            explainer
                .explain(
                    "error loading model hyperparameters: key not found in model: glm-dsa.block_count")
                .map(Explanation::mechanism))
        .hasValueSatisfying(text -> assertThat(text).contains("this file has it"));
    assertThat(
            explainer
                .explain("key not found in model: glm-dsa.nothing")
                .map(Explanation::mechanism))
        .contains("the loader needs the key glm-dsa.nothing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(Worker_TP0 pid=1100) INFO 02-20 00:30:00 [default_loader.py:291] Loading weights",
        "[2026-02-20 00:30:00 TP0] Load weight begin. avail mem=90.1 GB",
        "llama_model_loader: loaded meta data with 45 key-value pairs",
        "0.00.035.060 I srv  load_model: loading model 'x.gguf'",
        "time=2026-02-20T00:30:00.000Z level=INFO source=server.go:1 msg=starting",
        "2026-02-20T00:30:00.000000Z  INFO mistralrs_server: avx: true",
        "INFO:     Started server process [1]",
      })
  void linesOfEnginesAreRecognised(String line) {
    assertThat(explainer.explainLog(List.of(line)).recognised()).isTrue();
  }

  @Test
  void otherTextIsNotTakenForALog() {
    Explainer.Log log =
        explainer.explainLog(
            List.of("# Notes", "", "note: buy milk", "It rained all day.", "key = value", "{}"));
    assertThat(log.matches()).isEmpty();
    assertThat(log.recognised()).isFalse();
  }

  @Test
  void aNameWithThousandsOfPartsEndsNoSearch() {
    String line = "a.".repeat(200_000) + "x";
    assertThat(explainer.explainLog(List.of(line)).matches()).isEmpty();
  }

  @Test
  void aNameOfTheFileIsExplained() {
    assertThat(explainer.explain("blk.0.attn_q_a.weight").flatMap(Explanation::parameter))
        .contains("model.layers.0.self_attn.q_a_proj.weight");
    assertThat(
            explainer
                .explain("model.layers.0.self_attn.q_a_proj.weight")
                .flatMap(Explanation::tensor))
        .contains("blk.0.attn_q_a.weight");
  }
}
