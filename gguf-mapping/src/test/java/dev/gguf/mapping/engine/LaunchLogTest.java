package dev.gguf.mapping.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.FileKind;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.fixture.GlmDsa;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The forms that errors have in logs: what processes, hosts, containers and terminals make of
/// them.
class LaunchLogTest {
  private static final String CORRUPTED =
      "KeyError: 'model.layers.1.self_attn.indexer.qweight_types_proj.qweight_type'";
  private static final String FRAME =
      "  File \"/opt/site-packages/vllm/model_executor/models/deepseek_v2.py\", line 1587, in load_weights";

  private final Explainer explainer = new Explainer(candidate(FileKind.MODEL));

  private static Candidate candidate(FileKind kind) {
    return candidate(kind, GlmDsa.mini().tensors());
  }

  private static Candidate candidate(FileKind kind, List<Tensor> tensors) {
    return new Candidate(
        "model.gguf",
        1,
        kind,
        GlmDsa.mini().architectureKeys().build(),
        tensors,
        List.of(),
        Optional.empty());
  }

  private Explanation first(List<String> lines) {
    Explainer.Log log = explainer.explainLog(lines);
    assertThat(log.first()).as(log.toString()).isNotNegative();
    return log.matches().get(log.first());
  }

  private static Stream<Arguments> pythonForms() {
    return Stream.of(
        form("bare", line -> line),
        form(
            "colours",
            line ->
                "\u001b[0;36m(Worker_TP2 pid=9)\u001b[0;0m ERROR 02-20 00:22:00 [x.py:7] " + line),
        form("repeated", line -> line + " \u001b[32m [repeated 7x across cluster]\u001b[0m"),
        form("before 2025", line -> "ERROR 12-05 20:24:46 engine.py:366] " + line),
        form(
            "padded",
            line ->
                "(VllmWorkerProcess pid=3) ERROR 08-07 16:49:54 [x.py:239] "
                    + line
                    + " ".repeat(60)),
        form("carriage return", line -> line + "\r"),
        form(
            "journal",
            line ->
                "Feb 20 19:51:10 node vllm[7]: (Worker_TP1 pid=2) ERROR 02-20 00:22:00 [x.py:7] "
                    + line
                    + "\r"),
        form(
            "compose",
            line -> "vllm-1  | (Worker_TP1 pid=2) ERROR 02-20 00:22:00 [x.py:7] " + line),
        form("kubernetes", line -> "2026-02-20T19:51:10.123456789Z stderr F " + line),
        form(
            "ray",
            line ->
                "\u001b[36m(RayWorkerWrapper pid=77, ip=10.0.0.1)\u001b[0m ERROR 02-20 00:22:00 [x.py:1] "
                    + line),
        form("loguru", line -> "2026-02-20 19:51:10.123 | ERROR    | vllm.engine:run:12 - " + line),
        form("logging", line -> "2026-02-20 19:51:10,123 - vllm.engine - ERROR - " + line),
        form("root logger", line -> "ERROR:vllm.engine:" + line),
        form(
            "json",
            line ->
                "{\"log\":\""
                    + line.replace("\"", "\\\"")
                    + "\\n\",\"stream\":\"stderr\",\"time\":\"2026\"}"),
        form(
            "progress",
            line ->
                "Loading: 10%\rLoading:  50%|███   | 1/2 (Worker_TP3 pid=2) ERROR 02-20 00:22:00 [x.py:7] "
                    + line));
  }

  private static Stream<Arguments> nativeForms() {
    return Stream.of(
        form("bare", line -> line),
        form("llama.cpp", line -> "llama_model_load: error loading model: " + line),
        form(
            "llama.cpp with times",
            line -> "0.00.147.118 E llama_model_load: error loading model: " + line),
        form(
            "spinner",
            line ->
                "Loading model... |0.00.147.118 E llama_model_load: error loading model: " + line),
        form(
            "hosted",
            line ->
                "[2024-12-11 21:39:23.552] [error] [WASI-NN] llama.cpp: llama_model_load: error loading model: "
                    + line),
        form("uncaught", line -> "  what():  " + line),
        form(
            "server gone",
            line ->
                "Error: 500 Internal Server Error: llama-server process has terminated: exit status 1: error loading model: "
                    + line),
        form(
            "keyed",
            line ->
                "time=2026-02-20T06:23:22.759Z level=ERROR source=sched.go:418 msg=\"error loading llama server\" error=\"llama runner process has terminated: error loading model: "
                    + line
                    + "\""),
        form(
            "grpc",
            line ->
                "12:31AM DBG GRPC(x-127.0.0.1:42): stderr llama_model_load: error loading model: "
                    + line));
  }

  private static Arguments form(String name, UnaryOperator<String> wrap) {
    return Arguments.of(name, wrap);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pythonForms")
  void theErrorIsFoundInEveryFormOfPython(String name, UnaryOperator<String> wrap) {
    List<String> lines = new ArrayList<>();
    for (String line :
        List.of("Traceback (most recent call last):", FRAME, "    raise X", CORRUPTED)) {
      lines.add(wrap.apply(line));
    }
    Explanation first = first(lines);
    assertThat(first.text()).as(name).isEqualTo(CORRUPTED);
    assertThat(first.line()).isEqualTo(4);
    assertThat(first.tensor()).contains("blk.1.indexer.proj.weight");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pythonForms")
  void theSourceFileIsFoundInEveryFormOfPython(String name, UnaryOperator<String> wrap) {
    List<String> lines = new ArrayList<>();
    String frame =
        "  File \"/opt/vllm/model_executor/layers/vocab_parallel_embedding.py\", line 3, in f";
    for (String line : List.of(frame, "    assert x", "AssertionError")) {
      lines.add(wrap.apply(line));
    }
    assertThat(first(lines).mechanism()).as(name).startsWith("the rows of the vocabulary");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("nativeForms")
  void theErrorIsFoundInEveryFormOfOtherLanguages(String name, UnaryOperator<String> wrap) {
    Explanation first =
        first(
            List.of(
                wrap.apply("missing tensor 'blk.1.nothing.weight'"),
                "llama_model_load_from_file_impl: failed to load model",
                "main: error: unable to load model"));
    assertThat(first.line()).as(name).isEqualTo(1);
    assertThat(first.tensor()).contains("blk.1.nothing.weight");
    assertThat(first.text()).contains("missing tensor 'blk.1.nothing.weight'");
  }

  /// Only one of the kinds of lines that tell of an error stands in each.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tensor 'blk.1.attn_norm.weight' data is not within the file bounds, model is corrupted or incomplete"
            + " | truncated | blk.1.attn_norm.weight",
        "gguf_init_from_file: invalid magic characters 'vers' | does not start with GGUF |",
        "cannot find tokenizer merges in model file | no merges |",
        "check_tensor_dims: tensor 'token_embd.weight' has wrong shape; expected 4096, 32001, got 4096, 32000,"
            + " 1, 1 | wants 4096, 32001 | token_embd.weight",
        "key a.b has wrong array length; expected 4, got 3 | dialect |",
        "corrupted model: 2760 tensors expected but 2573 found | promises 2760 |",
        "/src/x.cpp:12: GGML_ASSERT(hparams.indexer_block_size > 0) failed | block size |",
        "Error: cannot find tensor info for blk.0.ffn_gate.0.weight | asks for | blk.0.ffn_gate.0.weight",
        "Exception: can't find blk.1.ffn_gate_inp.e_score_correction_bias in GGUF file! | exp_probs_b |"
            + " blk.1.exp_probs_b.bias",
        "mmproj embedding mismatch (3584 and 5120)! | projector |",
        "failed to load GGUF split from m-00002-of-00013.gguf | missing or unreadable: m-00002 |",
      })
  void textsOfEnginesAreKnownWithoutAnErrorsForm(String text, String mechanism, String tensor) {
    Explanation first = first(List.of("llama_model_loader: loaded meta data", text));
    assertThat(first.mechanism()).contains(mechanism);
    assertThat(first.tensor()).isEqualTo(Optional.ofNullable(tensor));
    assertThat(first.remedy()).isPresent();
  }

  @Test
  void whatALayerLacksIsNamedByTheOthers() {
    List<Tensor> tensors = new ArrayList<>(GlmDsa.mini().tensors());
    tensors.removeIf(tensor -> tensor.name().equals("blk.1.attn_k_b.weight"));
    Explainer lacking = new Explainer(candidate(FileKind.MODEL, tensors));
    Explanation explanation =
        lacking
            .explain("check_tensor_dims: tensor 'blk.1.attn_k_b.weight' not found")
            .orElseThrow();
    assertThat(explanation.tensor()).contains("blk.1.attn_k_b.weight");
    assertThat(explanation.parameter()).contains("model.layers.1.self_attn.kv_b_proj.weight");
  }

  @Test
  void theSourceFileDecidesWhatAShortTextMeans() {
    String part = "KeyError: 'k'";
    List<String> quantised =
        List.of(
            "  File \"/x/vllm/model_executor/layers/quantization/gguf.py\", line 1, in f", part);
    List<String> elsewhere = List.of("  File \"/x/app/main.py\", line 1, in f", part);
    assertThat(first(quantised).mechanism()).contains("never got its type", "'k'");
    assertThat(first(elsewhere).isKnown()).isFalse();
    String imports = "ImportError: cannot import name 'a' from 'vllm.b' (/x.py)";
    assertThat(
            first(List.of("  File \"/x/vllm_gguf_plugin/c.py\", line 1, in <module>", imports))
                .mechanism())
        .contains("0.18.1 to 0.23.0");
    assertThat(first(List.of("  File \"/x/app.py\", line 1, in f", imports)).isKnown()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ValueError: GGUF model with architecture glm-dsa is not supp",
        "ValueError: torch.bfloat16 is not supported for quantizat>",
        "RuntimeError: Can't access the shape of an uninitialized para…",
        "llama_model_load: error loading model: done_getting_tensors: wrong number of tensors; expec",
      })
  void whatATerminalCutOffIsKnownByItsBeginning(String line) {
    assertThat(first(List.of(line)).isKnown()).isTrue();
  }

  @Test
  void aBeginningThatManyErrorsHaveIsUnknown() {
    assertThat(first(List.of("RuntimeError: The size of t")).isKnown()).isFalse();
    assertThat(first(List.of("ValueError: ")).isKnown()).isFalse();
  }

  @Test
  void aNameThatATerminalCutOffIsCompleted() {
    String cut = CORRUPTED.substring(0, CORRUPTED.length() - 6);
    assertThat(first(List.of(cut)).tensor()).contains("blk.1.indexer.proj.weight");
  }

  @Test
  void linesThatATerminalBrokeAreJoined() {
    Explanation first =
        first(
            List.of(
                "Traceback (most recent call last):",
                "(Worker_TP1 pid=2) ValueError: GGUF model with architecture glm-dsa is not s",
                "upported yet."));
    assertThat(first.mechanism()).contains("transformers");
    assertThat(first.rank()).hasValue(1);
    Explanation several =
        first(
            List.of(
                "(Worker_TP0 pid=1) RuntimeError: Error(s) in loading state_dict for Glm:",
                "(Worker_TP1 pid=2) RuntimeError: Error(s) in loading state_dict for Glm:",
                "(Worker_TP0 pid=1) \tYou set ignore_mismatched_sizes to False, thus raising an error."));
    assertThat(several.mechanism()).contains("another shape");
    assertThat(several.rank()).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WARNING 02-20 00:22:00 [gguf.py:67] GGUF has precision issues with bfloat16 on Blackwell.",
        "WARNING 02-20 00:22:00 [x.py:1] ImportError: cannot import name 'a' from 'b'",
        "INFO 02-20 00:22:00 [x.py:1] CUDA out of memory was met before, retrying",
        "WARNING 02-20 00:22:00 [gguf.py:312] There is no support for fast MoE kernel for current"
            + " quantization method.",
        "time=2026-02-20T00:30:00.000Z level=WARN source=x.go:1 msg=\"x\" error=\"invalid file magic\"",
        "0.00.035.060 W load: control-looking token: 50 '<|x|>' was not control-type; this is probably a"
            + " bug in the model",
      })
  void whatSaysItselfThatItIsHarmlessIsNoCause(String line) {
    Explainer.Log log = explainer.explainLog(List.of(line));
    assertThat(log.matches()).isEmpty();
    assertThat(log.recognised()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above. Failed"
            + " core proc(s): {}",
        "(EngineCore_DP0 pid=1) ERROR 02-20 00:22:12 [core.py:946] EngineCore failed to start.",
        "llama_model_load_from_file_impl: failed to load model",
        "[2025-07-28 19:44:48] Received sigquit from a child process. It usually means the child failed.",
      })
  void aLaunchThatFailedWithoutAReasonIsUnknownAndNotHealthy(String line) {
    Explainer.Log log = explainer.explainLog(List.of(line));
    assertThat(log.first()).isZero();
    assertThat(log.matches().getFirst().isKnown()).isFalse();
    List<String> lines = new ArrayList<>(List.of(line, CORRUPTED));
    assertThat(explainer.explainLog(lines).matches()).hasSize(1);
    lines.add("INFO:     Application startup complete.");
    assertThat(explainer.explainLog(lines).matches()).isEmpty();
  }

  @Test
  void aTextOfSeveralLinesIsReadAsALog() {
    assertThat(
            explainer
                .explain("Traceback (most recent call last):\n" + FRAME + "\n" + CORRUPTED + "\n")
                .flatMap(Explanation::tensor))
        .contains("blk.1.indexer.proj.weight");
    assertThat(explainer.explain("nothing\nat all")).isEmpty();
  }

  @Test
  void theTensorsOfThatSizeAreNamed() {
    Tensor wide = Tensor.of("blk.1.indexer.attn_q_b.weight", TensorType.Q8_0, 2048, 4096);
    List<Tensor> tensors = new ArrayList<>(GlmDsa.mini().tensors());
    tensors.replaceAll(tensor -> tensor.name().equals(wide.name()) ? wide : tensor);
    Explainer quantised = new Explainer(candidate(FileKind.MODEL, tensors));
    assertThat(
            quantised
                .explain(
                    "AssertionError: Tried to load weights of size torch.Size([4096, 2176])to a"
                        + " parameter of size torch.Size([0])")
                .map(Explanation::mechanism))
        .hasValueSatisfying(text -> assertThat(text).contains("blk.1.indexer.attn_q_b.weight"));
  }

  @Test
  void aProjectorIsNoLanguageModel() {
    Explainer projector = new Explainer(candidate(FileKind.PROJECTOR));
    Explanation explanation =
        projector.explain("RuntimeError: Unknown gguf model_type: gemma3").orElseThrow();
    assertThat(explanation.mechanism()).contains("projector");
    assertThat(explanation.remedy())
        .hasValueSatisfying(text -> assertThat(text).contains("language model"));
    assertThat(
            explainer
                .explain("RuntimeError: Unknown gguf model_type: glm-dsa")
                .map(Explanation::mechanism))
        .contains("the installed gguf-py does not know the architecture glm-dsa");
  }

  @Test
  void aNameThatTheModelDoesNotHaveNamesItsTensor() {
    Explanation bias =
        explainer
            .explain("KeyError: 'model.layers.1.mlp.gate.e_score_correction_bias'")
            .orElseThrow();
    assertThat(bias.tensor()).contains("blk.1.exp_probs_b.bias");
    assertThat(bias.mechanism()).contains("no parameter");
    Explanation fused =
        explainer.explain("KeyError: 'model.layers.0.mlp.gate_up_proj.qweight_type'").orElseThrow();
    assertThat(fused.tensor()).isEmpty();
    assertThat(fused.mechanism()).contains("blk.0.ffn_gate.weight is", "blk.0.ffn_up.weight is");
    Explanation tensor = explainer.explain("KeyError: 'blk.7.ffn_up_exps.weight'").orElseThrow();
    assertThat(tensor.tensor()).contains("blk.7.ffn_up_exps.weight");
    assertThat(tensor.mechanism()).contains("does not have it");
  }

  @Test
  void theRemedyForARefusedTypeKnowsTheModel() {
    String refused =
        "ValueError: torch.bfloat16 is not supported for quantization method gguf. Supported dtypes: []";
    assertThat(explainer.explain(refused).flatMap(Explanation::remedy))
        .hasValueSatisfying(
            text -> assertThat(text).contains("float16", "0.19.1", "never on 12.x"));
  }

  @Test
  void expertsThatAreQuantisedAfterAllAreOfAnotherFile() {
    List<Tensor> tensors = new ArrayList<>(GlmDsa.mini().tensors());
    tensors.replaceAll(tensor ->
        tensor.name().endsWith("_exps.weight")
            ? Tensor.of(tensor.name(), TensorType.Q8_0, tensor.ne())
            : tensor);
    Explainer quantised = new Explainer(candidate(FileKind.MODEL, tensors));
    assertThat(
            quantised
                .explain("KeyError: 'model.layers.1.mlp.experts.w13_weight'")
                .map(Explanation::mechanism))
        .hasValueSatisfying(
            text -> assertThat(text).contains("is Q8_0, so the error is of another file"));
  }
}
