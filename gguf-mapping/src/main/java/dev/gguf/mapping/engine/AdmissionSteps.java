package dev.gguf.mapping.engine;

import static dev.gguf.mapping.engine.EngineRule.ENGINE_ARCHITECTURE;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_ATTENTION;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_CONFIG;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_DTYPE;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_PARALLEL;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_PROBE;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_TYPE;

import dev.gguf.FileKind;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The steps before any weight is read: arguments, configuration, activation type, parallel sizes,
/// attention, and whether the architecture is known.
final class AdmissionSteps {
  private final Attempt attempt;

  AdmissionSteps(Attempt attempt) {
    this.attempt = attempt;
  }

  private boolean isModel() {
    return attempt.model.kind() == FileKind.MODEL && !attempt.architecture.isEmpty();
  }

  private boolean transformersKnows() {
    return EngineProfiles.of("transformers", attempt.libraries.transformers())
        .fact("architecture." + attempt.architecture)
        .isPresent();
  }

  /// Argument parsing opens the file through transformers.
  void probe() {
    Fact probe = attempt.fact("probe");
    if (probe == null
        || !probe.value().equals("transformers")
        || !isModel()
        || attempt.isRemote()) {
      return;
    }
    if (!transformersKnows()) {
      boolean passes = !attempt.profile.is("probe.passes", "none");
      attempt.add(
          ENGINE_PROBE,
          passes ? Reason.Effect.STOPS_AS_GIVEN : Reason.Effect.STOPS,
          "argument parsing opens the file through transformers, which does not know "
              + attempt.architecture
              + ", whatever --hf-config-path says",
          attempt.error("probe.error", "architecture", attempt.architecture),
          "general.architecture",
          probe,
          passes
              ? "refer to the model as owner/repo:quant, or let maybe_override_with_speculators"
                  + " pass over GGUF files"
              : null);
    }
  }

  /// The configuration comes from the file through transformers unless another one is given.
  void configuration() {
    if (!isModel() || transformersKnows() || attempt.launch.configPath()) {
      return;
    }
    boolean option = !attempt.profile.is("config.option", "none");
    attempt.add(
        ENGINE_CONFIG,
        option ? Reason.Effect.STOPS_AS_GIVEN : Reason.Effect.STOPS,
        "the configuration is read from the file by transformers, which does not know "
            + attempt.architecture,
        attempt.error("probe.error", "architecture", attempt.architecture),
        "general.architecture",
        attempt.fact("config"),
        option ? "give --hf-config-path and --tokenizer" : null);
  }

  /// The plugin takes the configuration from a folder.
  void pluginConfig() {
    if (!isModel()) {
      return;
    }
    if (attempt.model.config().isEmpty() && !attempt.launch.configPath() && !attempt.isRemote()) {
      attempt.add(
          ENGINE_CONFIG,
          Reason.Effect.DEPENDS,
          "no config.json beside the file; the plugin takes the configuration from"
              + " --hf-config-path, else --tokenizer, else the folder of the file",
          null,
          null,
          attempt.fact("config"),
          "put config.json and the tokenizer's files beside the file");
    }
  }

  /// Model types whose code is not part of transformers.
  void causalTable() {
    String type = attempt.modelType();
    if (isModel() && EngineProfiles.named("transformers").has("remote-code", type)) {
      attempt.stops(
          ENGINE_CONFIG,
          "the model type " + type + " is not in transformers' table of causal language models",
          attempt.error("config.error", "model_type", type),
          attempt.fact("config.error"));
    }
  }

  /// SGLang reads config.json beside the file, else the file through transformers.
  void folderOrFile() {
    if (isModel()
        && attempt.model.config().isEmpty()
        && !attempt.launch.configPath()
        && !transformersKnows()) {
      attempt.add(
          ENGINE_CONFIG,
          Reason.Effect.STOPS_AS_GIVEN,
          "no config.json beside the file, and transformers does not know " + attempt.architecture,
          attempt.error("probe.error", "architecture", attempt.architecture),
          "general.architecture",
          attempt.fact("config"),
          "put config.json beside the file");
    }
  }

  /// Without a tokenizer of its own the engine makes one of the file, through transformers.
  void tokenizer() {
    Fact fact = attempt.fact("tokenizer");
    if (isModel()
        && fact != null
        && !attempt.launch.tokenizer()
        && !attempt.isRemote()
        && !transformersKnows()) {
      attempt.note(
          ENGINE_CONFIG,
          "without --tokenizer one is made of the file by transformers, which does not know "
              + attempt.architecture,
          fact);
    }
  }

  /// The installed transformers must know the model type, and the engine must have its class.
  void modelType() {
    if (!isModel()) {
      return;
    }
    String type = attempt.modelType();
    Fact absent = attempt.fact("class-absent." + type);
    if (absent != null) {
      attempt.stops(
          ENGINE_ARCHITECTURE,
          "this release has no class for the model type " + type,
          absent.value(),
          absent);
    }
    EngineProfile base = EngineProfiles.named("transformers");
    Fact since = base.fact("since." + type).orElse(null);
    if (since == null || Version.compare(attempt.libraries.transformers(), since.value()) >= 0) {
      return;
    }
    Fact requires = attempt.fact("transformers");
    attempt.add(
        ENGINE_CONFIG,
        Reason.Effect.STOPS,
        "model type "
            + type
            + " needs transformers "
            + since.value()
            + " or newer; this release"
            + " asks for transformers "
            + (requires == null ? attempt.libraries.transformers() : requires.value()),
        attempt.error("model-type.error", "model_type", type),
        null,
        requires == null ? since : requires,
        "install a newer transformers");
  }

  /// The activation type: given, or that of the configuration.
  void dtype() {
    if (!isModel()) {
      return;
    }
    String given = attempt.launch.dtype();
    String type = attempt.modelType();
    String dtype = attempt.dtype();
    String capability = attempt.launch.capability();
    Fact below = attempt.fact("dtype.bfloat16.below");
    boolean newer =
        below != null && !capability.isEmpty() && Version.compare(capability, below.value()) >= 0;
    List<String> supported = new ArrayList<>(attempt.profile.words("dtypes"));
    if (newer) {
      supported.remove("bfloat16");
    }
    Fact minimum = attempt.fact("capability.minimum");
    if (minimum != null
        && !capability.isEmpty()
        && Version.compare(capability, minimum.value()) < 0) {
      attempt.stops(
          ENGINE_DTYPE,
          "compute capability " + capability + " is below " + minimum.value(),
          attempt.error("capability.error", "capability", capability.replace(".", "")),
          minimum);
    }
    boolean refuses16 = attempt.profile.has("float16.refused", type);
    if (!supported.isEmpty() && !supported.contains(dtype)) {
      StringBuilder names = new StringBuilder();
      for (String name : attempt.profile.words("dtypes")) {
        if (supported.contains(name)) {
          names.append(names.isEmpty() ? "" : ", ").append("torch.").append(name);
        }
      }
      attempt.add(
          ENGINE_DTYPE,
          Reason.Effect.STOPS_AS_GIVEN,
          (given.equals("auto") ? "dtype auto is " + dtype + ", refused" : dtype + " is refused")
              + (newer
                  ? " from compute capability " + below.value() + " on (" + capability + ")"
                  : ""),
          attempt.error("dtype.error", "dtype", dtype, "supported", names.toString()),
          null,
          newer ? below : attempt.fact("dtypes"),
          refuses16 ? "--dtype float32" : "--dtype float16");
    } else if (below != null && capability.isEmpty() && dtype.equals("bfloat16")) {
      attempt.note(
          ENGINE_DTYPE,
          "on compute capability "
              + below.value()
              + " and newer bfloat16 is refused: start with"
              + " --dtype "
              + (refuses16 ? "float32" : "float16"),
          below);
    } else if (below == null
        && capability.isEmpty()
        && given.equals("auto")
        && !supported.isEmpty()) {
      attempt.note(ENGINE_DTYPE, "dtype auto is " + dtype, attempt.fact("dtypes"));
    }
    if (refuses16 && dtype.equals("float16")) {
      attempt.add(
          ENGINE_DTYPE,
          Reason.Effect.STOPS_AS_GIVEN,
          "this model is refused in float16",
          attempt.error("float16.refused.error", "model_type", type),
          null,
          attempt.fact("float16.refused"),
          newer ? "--dtype float32" : "--dtype bfloat16");
    }
  }

  /// Heads and experts against the parallel size.
  void parallel() {
    int ranks = attempt.launch.tensorParallel();
    if (ranks < 2 || !isModel()) {
      return;
    }
    long heads = attempt.integer("attention.head_count", 0);
    if (heads > 0 && heads % ranks != 0) {
      attempt.add(
          ENGINE_PARALLEL,
          Reason.Effect.STOPS_AS_GIVEN,
          heads + " heads do not divide by " + ranks + "; sizes that do: " + divisors(heads, 64),
          attempt.error(
              "heads.error", "heads", Long.toString(heads), "tp", Integer.toString(ranks)),
          null,
          attempt.fact("heads.error"),
          "another --tensor-parallel-size");
    }
    long shared = attempt.integer("attention.head_count_kv", heads);
    if (shared > 1 && shared % ranks != 0 && ranks % shared != 0) {
      attempt.add(
          ENGINE_PARALLEL,
          Reason.Effect.STOPS_AS_GIVEN,
          shared + " key-value heads neither divide by " + ranks + " nor " + ranks + " by them",
          null,
          null,
          attempt.fact("heads.error"),
          "another --tensor-parallel-size");
    }
    long experts = attempt.integer("expert_count", 0);
    if (attempt.launch.expertParallel() && experts > 0 && experts % ranks != 0) {
      attempt.depends(
          ENGINE_PARALLEL,
          experts + " experts do not divide by " + ranks + " ranks",
          attempt.fact("module.ffn_gate_exps"));
    }
  }

  static String divisors(long number, long most) {
    StringBuilder text = new StringBuilder();
    for (long d = 1; d <= Math.min(number, most); d++) {
      if (number % d == 0) {
        text.append(text.isEmpty() ? "" : ", ").append(d);
      }
    }
    return text.toString();
  }

  /// A backend for sparse MLA on this device with this activation type.
  void attention() {
    boolean indexer = attempt.first("indexer.proj.weight") != null;
    if (attempt.fact("attention") == null || !indexer || !isModel()) {
      return;
    }
    String capability = attempt.launch.capability();
    String dtype = attempt.dtype();
    List<Fact> backends = attempt.profile.under("sparse");
    if (capability.isEmpty()) {
      StringBuilder known = new StringBuilder();
      for (Fact fact : backends) {
        known.append(known.isEmpty() ? "" : "; ");
        known.append(fact.key().substring(7)).append(": ").append(fact.value());
      }
      attempt.note(
          ENGINE_ATTENTION,
          "sparse attention depends on the device; give its compute capability (" + known + ")",
          attempt.fact("attention"));
      return;
    }
    StringBuilder reasons = new StringBuilder("{");
    for (Fact fact : backends) {
      String refusal = SparseBackend.of(fact).refusal(attempt, capability, dtype);
      if (refusal.isEmpty()) {
        attempt.note(ENGINE_ATTENTION, "attention backend " + fact.key().substring(7), fact);
        Fact gemm = attempt.fact("deepgemm");
        if (gemm != null) {
          attempt.note(ENGINE_ATTENTION, "the indexer needs DeepGEMM, else: " + gemm.value(), gemm);
        }
        return;
      }
      reasons.append(reasons.length() > 1 ? ", " : "");
      reasons.append(fact.key().substring(7)).append(": [").append(refusal).append(']');
    }
    attempt.add(
        ENGINE_ATTENTION,
        Reason.Effect.STOPS,
        "no attention backend takes a model with an indexer, "
            + dtype
            + " and compute capability "
            + capability
            + " together",
        attempt.error("attention.error", "dtype", dtype, "reasons", reasons.append('}').toString()),
        null,
        attempt.fact("attention.error"),
        null);
  }

  /// A type that gguf-py does not know makes the file unreadable.
  void readable() {
    EngineProfile python = EngineProfiles.of("gguf-py", attempt.libraries.ggufPy());
    for (Map.Entry<TensorType, Tensor> entry :
        new FileSteps(attempt).firstOfEachType().entrySet()) {
      TensorType type = entry.getKey();
      if (!python.has("types", type.name())) {
        attempt.add(
            ENGINE_TYPE,
            Reason.Effect.STOPS,
            entry.getValue().name()
                + " is of type "
                + type.name()
                + ", which gguf "
                + attempt.libraries.ggufPy()
                + " cannot read",
            "ValueError: np.uint32(" + type.id() + ") is not a valid GGMLQuantizationType",
            entry.getValue().name(),
            python.fact("types").orElseThrow(),
            null);
      }
    }
  }

  /// The model type, after its alias, among gguf-py's names.
  void alias() {
    if (!isModel()) {
      return;
    }
    String type = attempt.modelType();
    Fact alias = attempt.fact("alias." + type);
    String name = alias == null ? type : ProfileText.words(alias.value()).getFirst();
    if (EngineProfiles.of("gguf-py", attempt.libraries.ggufPy()).has("architectures", name)) {
      return;
    }
    attempt.add(
        ENGINE_ARCHITECTURE,
        Reason.Effect.STOPS,
        alias == null
            ? "no alias leads from the model type "
                + type
                + " to the architecture "
                + attempt.architecture
            : "gguf " + attempt.libraries.ggufPy() + " does not know " + name,
        attempt.error("architecture.error", "model_type", name),
        "general.architecture",
        attempt.fact("architecture.error"),
        alias == null ? "add the alias " + type + " -> " + attempt.architecture : null);
  }
}
