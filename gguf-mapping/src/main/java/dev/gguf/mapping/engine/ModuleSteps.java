package dev.gguf.mapping.engine;

import static dev.gguf.mapping.engine.EngineRule.ENGINE_CUT;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_FUSED;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_ORDER;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_PARALLEL;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_ROLE;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_TIED;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_TYPE;

import dev.gguf.FileKind;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The steps about modules: what fits together in a fused one, which types have kernels, and where
/// tensor parallelism cuts.
final class ModuleSteps {
  private final Attempt attempt;
  private final Map<String, Module> modules = new LinkedHashMap<>();

  ModuleSteps(Attempt attempt) {
    this.attempt = attempt;
    for (Fact fact : attempt.profile.under("module")) {
      List<String> words = ProfileText.words(fact.value());
      modules.put(
          fact.key().substring("module.".length()),
          new Module(
              words.get(0),
              words.get(1),
              words.size() > 2 ? Integer.parseInt(words.get(2)) : -1,
              fact));
    }
  }

  /// Where a kind of tensor goes.
  ///
  /// @param cut how it is shared out: vocabulary, column, row, replicated, experts-column,
  ///   experts-row
  /// @param name the module below its layer
  /// @param shard its place in a fused module, or -1
  /// @param fact where this is stated
  record Module(String cut, String name, int shard, Fact fact) {}

  @Nullable Module module(Tensor tensor) {
    return modules.get(Attempt.kind(tensor.name()));
  }

  private boolean isModel() {
    return attempt.model.kind() == FileKind.MODEL;
  }

  private boolean taken(Tensor tensor) {
    return attempt.inTrunk(tensor) && tensor.name().endsWith(".weight");
  }

  /// The shards of every fused module of every layer, in file order.
  private Map<String, List<Tensor>> fusedModules() {
    Map<String, List<Tensor>> fused = new LinkedHashMap<>();
    for (Tensor tensor : attempt.model.tensors()) {
      Module module = module(tensor);
      if (module != null && module.shard() >= 0 && taken(tensor)) {
        String name = "model.layers." + tensor.layer().orElse(0) + "." + module.name();
        fused.computeIfAbsent(name, key -> new ArrayList<>()).add(tensor);
      }
    }
    return fused;
  }

  /// Shards of one module that mix float and quantised, or gate and up experts of two types.
  void fused() {
    if (!isModel() || attempt.profile.is("plain-modules", "none")) {
      return;
    }
    int mixed = 0;
    int unlike = 0;
    for (Map.Entry<String, List<Tensor>> entry : fusedModules().entrySet()) {
      List<Tensor> shards = entry.getValue();
      Module module = module(shards.getFirst());
      if (module == null) {
        continue;
      }
      boolean experts = module.cut().startsWith("experts");
      boolean anyFloat = false;
      boolean anyPacked = false;
      boolean differ = false;
      for (Tensor shard : shards) {
        anyFloat |= attempt.plain(shard.type());
        anyPacked |= !attempt.plain(shard.type());
        differ |= !shard.type().equals(shards.getFirst().type());
      }
      if (!experts && anyFloat && anyPacked && mixed++ == 0) {
        attempt.add(
            ENGINE_FUSED,
            Reason.Effect.STOPS_AS_GIVEN,
            types(shards) + " go into one module " + entry.getKey(),
            attempt.error("fused.mixed.error", "module", entry.getKey()),
            shards.getFirst().name(),
            attempt.fact("fused.mixed.error"),
            "store all shards of the module quantised, or all float");
      } else if (experts && differ && unlike++ == 0) {
        attempt.add(
            ENGINE_FUSED,
            Reason.Effect.STOPS_AS_GIVEN,
            types(shards)
                + " share one stored type in "
                + entry.getKey()
                + ", the "
                + attempt.profile.value("experts.types")
                + " one loaded; unlike rows make the copy fail",
            null,
            shards.getFirst().name(),
            attempt.fact("experts.types"),
            "store gate and up experts of a layer in one type");
      }
    }
  }

  private static String types(List<Tensor> shards) {
    StringBuilder text = new StringBuilder();
    for (Tensor shard : shards) {
      text.append(text.isEmpty() ? "" : " and ").append(shard.name());
      text.append(" (").append(shard.type().name()).append(')');
    }
    return text.toString();
  }

  /// Shards laid out in the order in which they arrive.
  void order() {
    if (!isModel() || !attempt.profile.is("fused.order", "stream")) {
      return;
    }
    int count = 0;
    List<Tensor> first = List.of();
    String name = "";
    for (Map.Entry<String, List<Tensor>> entry : fusedModules().entrySet()) {
      List<Tensor> shards = entry.getValue();
      Module module = module(shards.getFirst());
      if (module == null
          || module.cut().startsWith("experts")
          || module.name().endsWith("qkv_proj")) {
        continue;
      }
      int last = -1;
      boolean sorted = true;
      boolean packed = true;
      for (Tensor shard : shards) {
        Module place = module(shard);
        int number = place == null ? -1 : place.shard();
        sorted &= number > last;
        last = number;
        packed &= !attempt.plain(shard.type());
      }
      if (!sorted && packed && count++ == 0) {
        first = shards;
        name = entry.getKey();
      }
    }
    if (count > 0) {
      attempt.add(
          ENGINE_ORDER,
          Reason.Effect.STOPS_AS_GIVEN,
          count
              + (count == 1 ? " module gets" : " modules get")
              + " its shards in the order of the"
              + " file, first "
              + name
              + ": "
              + first.getFirst().name()
              + " comes before "
              + first.getLast().name()
              + "; the output is wrong without an error",
          null,
          first.getFirst().name(),
          attempt.fact("fused.order"),
          "write the shards into the file in the order of the module");
    }
  }

  /// Quantised modules that every rank holds whole.
  void replicated() {
    if (!isModel() || !attempt.profile.is("replicated", "fails")) {
      return;
    }
    boolean merged = attempt.first("attn_q_a.weight") != null;
    for (Tensor tensor : attempt.model.tensors()) {
      Module module = module(tensor);
      if (module != null
          && module.cut().equals("replicated")
          && (module.shard() < 0 || !merged)
          && taken(tensor)
          && !attempt.plain(tensor.type())
          && attempt.fact("float-only." + Attempt.kind(tensor.name())) == null) {
        attempt.add(
            ENGINE_ROLE,
            Reason.Effect.STOPS_AS_GIVEN,
            tensor.name()
                + " is "
                + tensor.type().name()
                + ", and replicated modules do not take"
                + " the size of what arrives",
            attempt.error(
                "replicated.error",
                "rows",
                Long.toString(tensor.rows()),
                "bytes",
                Long.toString(tensor.hasExactSize() ? tensor.rowBytes() : 0)),
            tensor.name(),
            attempt.fact("replicated.error") == null
                ? attempt.fact("replicated")
                : attempt.fact("replicated.error"),
            "keep these tensors float");
        return;
      }
    }
  }

  /// Types that are read and then have no kernel.
  void kernels() {
    if (!isModel()) {
      return;
    }
    Map<TensorType, Tensor> types = new FileSteps(attempt).firstOfEachType();
    for (Map.Entry<TensorType, Tensor> entry : types.entrySet()) {
      TensorType type = entry.getKey();
      Tensor tensor = entry.getValue();
      boolean plain = attempt.profile.has("types.plain", type.name());
      boolean known = attempt.profile.has("types.dequantise", type.name());
      boolean silent =
          attempt.profile.has("types.no-kernel", type.name())
              && !attempt.profile.has("types.triton", type.name());
      if ((plain || known) && !silent) {
        continue;
      }
      boolean expert = Attempt.kind(tensor.name()).endsWith("_exps");
      attempt.add(
          ENGINE_TYPE,
          Reason.Effect.STOPS,
          tensor.name()
              + " is of type "
              + type.name()
              + (silent
                  ? ", which is listed and has no kernel: the output is not set"
                  : ", which has no kernel"),
          silent
              ? null
              : expert
                  ? attempt.error("types.experts.error", "id", Long.toString(type.id()))
                  : attempt.error(
                      "types.error", "id", Long.toString(type.id()), "module", tensor.name()),
          tensor.name(),
          attempt.fact(silent ? "types.no-kernel" : "types.dequantise"),
          null);
    }
    packedFloats(types);
  }

  /// Where only F32 counts as float, BF16 and F16 go through the quantised path.
  private void packedFloats(Map<TensorType, Tensor> types) {
    if (!attempt.profile.is("bf16", "packed")) {
      return;
    }
    Tensor bf16 = types.get(TensorType.BF16);
    if (bf16 != null) {
      attempt.add(
          ENGINE_TYPE,
          Reason.Effect.STOPS,
          bf16.name() + " is BF16 and arrives as bytes",
          "RuntimeError: mat1 and mat2 shapes cannot be multiplied",
          bf16.name(),
          attempt.fact("bf16"),
          "vLLM 0.12.0 or newer");
    }
    Tensor f16 = types.get(TensorType.F16);
    String dtype = attempt.launch.dtype();
    if (f16 != null && !dtype.equals("float16")) {
      attempt.add(
          ENGINE_TYPE,
          dtype.equals("auto") ? Reason.Effect.DEPENDS : Reason.Effect.STOPS_AS_GIVEN,
          f16.name() + " is F16 and is multiplied as it is, so activations must be float16",
          "expected m1 and m2 to have the same dtype, but got: c10::BFloat16 != c10::Half",
          f16.name(),
          attempt.fact("bf16"),
          "--dtype float16");
    }
  }

  /// Rows that column-parallel modules cannot share out evenly.
  private void columns(int ranks) {
    int count = 0;
    Tensor first = null;
    for (Tensor tensor : attempt.model.tensors()) {
      Module module = module(tensor);
      boolean columns =
          module != null
              && !module.name().endsWith("qkv_proj")
              && (module.cut().equals("column")
                  || module.cut().equals("experts-column") && !attempt.launch.expertParallel());
      if (columns && taken(tensor) && tensor.dimensions() > 1 && tensor.ne(1) % ranks != 0) {
        first = first == null ? tensor : first;
        count++;
      }
    }
    Fact fact = attempt.fact("column.uneven");
    if (first == null || fact == null) {
      return;
    }
    Module module = module(first);
    boolean asserts =
        fact.value().equals("asserts") && module != null && module.cut().equals("column");
    attempt.add(
        ENGINE_PARALLEL,
        Reason.Effect.STOPS_AS_GIVEN,
        count
            + (count == 1 ? " tensor, " : " tensors, first ")
            + first.name()
            + ": "
            + first.ne(1)
            + " rows do not divide by "
            + ranks
            + " ranks"
            + (asserts ? "" : "; the rest is lost without an error"),
        asserts ? "AssertionError" : null,
        first.name(),
        fact,
        "a tensor-parallel size that divides the rows");
  }

  /// Cuts: rows that do not divide, and row-parallel cuts inside a block.
  void cuts() {
    int ranks = attempt.launch.tensorParallel();
    if (ranks < 2 || !isModel()) {
      return;
    }
    columns(ranks);
    Map<String, List<Tensor>> bad = new LinkedHashMap<>();
    for (Tensor tensor : attempt.model.tensors()) {
      Module module = module(tensor);
      if (module == null || !taken(tensor)) {
        continue;
      }
      boolean experts = module.cut().equals("experts-row");
      boolean row = module.cut().equals("row") || experts && !attempt.launch.expertParallel();
      TensorType type = tensor.type();
      if (row && type.hasLayout() && (tensor.ne(0) / type.blockElements()) % ranks != 0) {
        bad.computeIfAbsent(module.name(), name -> new ArrayList<>()).add(tensor);
      }
    }
    for (Map.Entry<String, List<Tensor>> entry : bad.entrySet()) {
      cut(entry.getKey(), entry.getValue(), ranks);
    }
  }

  private void cut(String module, List<Tensor> tensors, int ranks) {
    Tensor first = tensors.getFirst();
    TensorType type = first.type();
    long fewest = Long.MAX_VALUE;
    for (Tensor tensor : tensors) {
      fewest = Math.min(fewest, tensor.ne(0) / tensor.type().blockElements());
    }
    long blocks = first.ne(0) / type.blockElements();
    Module place = module(first);
    attempt.add(
        ENGINE_CUT,
        Reason.Effect.STOPS_AS_GIVEN,
        tensors.size()
            + (tensors.size() == 1 ? " tensor of " : " tensors of ")
            + module
            + ", first "
            + first.name()
            + " ("
            + type.name()
            + "): a row of "
            + first.ne(0)
            + " values is "
            + blocks
            + (blocks == 1 ? " block of " : " blocks of ")
            + type.blockElements()
            + ", which "
            + ranks
            + " ranks cut inside a block; the output is wrong without an error. Sizes that"
            + " work: "
            + AdmissionSteps.divisors(fewest, 64),
        null,
        first.name(),
        place == null ? null : place.fact(),
        "a tensor-parallel size that divides the blocks, or a type with smaller blocks such as Q8_0");
  }

  /// A split set is declared tied.
  void tied() {
    Fact fact = attempt.fact("split.tied");
    if (fact == null
        || attempt.model.files() < 2
        || attempt.tensor("output.weight") == null
        || attempt.profile.has("split.tied.ignored", attempt.architecture)) {
      return;
    }
    attempt.add(
        ENGINE_TIED,
        Reason.Effect.STOPS_AS_GIVEN,
        "output.weight is looked for in each of the "
            + attempt.model.files()
            + " files, so the set is declared tied and the embedding is used as lm_head: wrong"
            + " output without an error",
        null,
        "output.weight",
        fact,
        "merge the set into one file: gguf merge");
  }

  /// config.json says tied, the file has an output.weight.
  void configTied() {
    Fact fact = attempt.fact("config-tied");
    Tensor output = attempt.tensor("output.weight");
    if (fact == null || output == null || !attempt.tiedByConfig()) {
      return;
    }
    attempt.stated(
        ENGINE_TIED,
        fact,
        "config.json says tied embeddings and the file has output.weight ("
            + output.type().name()
            + "): by release and class lm_head is skipped or not found",
        "output.weight");
  }

  /// Rows of the vocabulary against the padding of the engine.
  void vocabulary() {
    int ranks = attempt.launch.tensorParallel();
    Tensor embedding = attempt.tensor("token_embd.weight");
    if (embedding == null || embedding.dimensions() < 2 || !isModel()) {
      return;
    }
    long rows = embedding.ne(1);
    Fact size = attempt.fact("vocabulary.size");
    long asked =
        size != null && size.value().equals("config") ? attempt.configured("vocab_size") : 0;
    if (asked > 0 && asked != rows) {
      attempt.add(
          ENGINE_PARALLEL,
          Reason.Effect.STOPS_AS_GIVEN,
          "config.json says a vocabulary of " + asked + ", token_embd.weight has " + rows + " rows",
          "AssertionError",
          "token_embd.weight",
          size,
          "a configuration with the file's vocabulary");
    }
    if (ranks < 2) {
      return;
    }
    if (rows % 64 == 0) {
      return;
    }
    Fact fact = attempt.fact("vocabulary.multiple");
    if (fact != null && fact.value().equals("64")) {
      attempt.stops(
          ENGINE_PARALLEL,
          "a vocabulary of "
              + rows
              + " is no multiple of 64, and the padded one is compared with it",
          null,
          fact);
    } else {
      attempt.note(
          ENGINE_PARALLEL,
          "a vocabulary of "
              + rows
              + " is no multiple of 64: it is padded; releases before January"
              + " 2025 refuse it with "
              + ranks
              + " ranks",
          fact);
    }
  }
}
