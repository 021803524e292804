package dev.gguf.mapping.engine;

import dev.gguf.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// Explains errors that consist of a parameter's name: a `KeyError` while weights are loaded.
final class NameErrors {
  private static final List<String> SUFFIXES =
      List.of(".qweight_type", ".qweight", ".weight_type", ".weight");

  /// Modules that engines fuse, and the checkpoint's names of their parts.
  private static final Map<String, List<String>> FUSED =
      Map.of(
          "gate_up_proj",
          List.of("gate_proj", "up_proj"),
          "qkv_proj",
          List.of("q_proj", "k_proj", "v_proj"),
          "fused_qkv_a_proj",
          List.of("q_a_proj", "kv_a_proj_with_mqa"));

  private final ParameterNames names;

  NameErrors(ParameterNames names) {
    this.names = names;
  }

  /// Returns what a name that the model does not have is about, or empty if it is no name of a
  /// parameter.
  Optional<Explanation> explain(String text, String name) {
    if (name.startsWith("blk.") || names.tensor(name) != null) {
      return Optional.of(tensor(text, name));
    }
    String original = undo(name);
    if (corrupted(name, original)) {
      Optional<ParameterNames.Found> found = names.parameter(original);
      return Optional.of(
          made(
              text,
              found,
              found.map(ParameterNames.Found::parameter).orElse(original),
              "every weight in the name was replaced: the loader replaces each \"weight\" of "
                  + original
                  + ", not the suffix alone, and gets a name that the model does not have",
              "replace the suffix .weight only (all releases of vLLM and of the plugin up to 0.0.5"
                  + " replace every one), or keep these tensors float",
              "vllm weight_utils.py gguf_quant_weights_iterator; vllm#5191, plugin#131"));
    }
    if (name.contains("experts.") && (name.endsWith("w13_weight") || name.endsWith("w2_weight"))) {
      return Optional.of(floatExperts(text, name));
    }
    return quantised(text, name, original);
  }

  /// Completes the suffix of a name that a terminal cut off.
  static String completed(String name) {
    int dot = name.lastIndexOf('.');
    String end = dot < 0 ? "" : name.substring(dot);
    if (end.length() < 3 || SUFFIXES.contains(end)) {
      return name;
    }
    for (String suffix : SUFFIXES) {
      if (suffix.startsWith(end)) {
        return name.substring(0, dot) + suffix;
      }
    }
    return name;
  }

  /// The name of a tensor, which loaders that keep the names of the file ask for.
  private Explanation tensor(String text, String name) {
    boolean here = names.tensor(name) != null;
    return new Explanation(
        0,
        text,
        OptionalInt.empty(),
        Optional.of(name),
        names.wouldFeed(name),
        here
            ? name
                + " is in this file: the loader looked into another file or shard, or its model has no"
                + " parameter for it"
            : "the loader asks for " + name + " and the file does not have it",
        Optional.of("gguf check says whether the file or the engine is at fault"),
        Optional.of("vllm#7268, kvcache-ai/ktransformers#156, #1363"));
  }

  private Explanation floatExperts(String text, String name) {
    OptionalInt layer = layer(name);
    Tensor down =
        layer.isPresent() && name.endsWith("w2_weight")
            ? names.tensor("blk." + layer.getAsInt() + ".ffn_down_exps.weight")
            : null;
    return new Explanation(
        0,
        text,
        OptionalInt.empty(),
        Optional.ofNullable(down).map(Tensor::name),
        Optional.empty(),
        "experts are float in the file: the GGUF method is chosen for experts all the same, and it"
            + " has no float parameters"
            + otherFile(layer),
        Optional.of("quantise the experts"),
        Optional.of("vllm quantization/gguf.py, plugin quantization/fused_moe.py"));
  }

  /// What to add where the experts of this file are quantised after all.
  private String otherFile(OptionalInt layer) {
    String name = "blk." + layer.orElse(-1) + ".ffn_gate_exps.weight";
    Tensor gate = names.tensor(name);
    return gate == null || !gate.type().isQuantized()
        ? ""
        : "; in this file "
            + name
            + " is "
            + gate.type().name()
            + ", so the error is of another file";
  }

  /// A name that is right, of a module that has no parameters for quantised data.
  private Optional<Explanation> quantised(String text, String name, String original) {
    boolean type =
        name.endsWith(".qweight_type")
            || name.endsWith(".qweight")
            || name.endsWith(".weight_type");
    if (!type) {
      return noParameter(text, name, original);
    }
    if (name.endsWith("embed_tokens.qweight_type") || name.endsWith("embed_tokens.qweight")) {
      return Optional.of(
          made(
              text,
              names.parameter(original),
              original,
              "the embedding is quantised in the file, and the class of this model gives its"
                  + " embedding no quantisation config",
              "keep token_embd.weight in F16 or F32, or take a release whose class takes it",
              "vllm#13167, vllm#30421, vllm#30699"));
    }
    if (name.endsWith("lm_head.qweight_type") || name.endsWith("lm_head.qweight")) {
      return Optional.of(
          made(
              text,
              names.parameter(original),
              original,
              "the file has output.weight, and the configuration says tied embeddings",
              "set tie_word_embeddings to false in the configuration",
              "vllm#11839"));
    }
    String module = original.substring(0, original.length() - ".weight".length());
    for (String plain :
        List.of(".indexer.weights_proj", ".mlp.gate", ".eh_proj", ".shared_expert_gate")) {
      if (module.endsWith(plain)) {
        return Optional.of(neverQuantised(text, names.parameter(original), original));
      }
    }
    if (module.endsWith(".indexer.wk_weights_proj")) {
      return Optional.of(fusedIndexer(text, module));
    }
    return fusedShards(text, module).or(() -> noParameter(text, name, original));
  }

  /// A fused module that counts as float although data arrive quantised.
  private Optional<Explanation> fusedShards(String text, String module) {
    int dot = module.lastIndexOf('.');
    List<String> parts = FUSED.getOrDefault(module.substring(dot + 1), List.of());
    StringBuilder types = new StringBuilder();
    for (String part : parts) {
      Optional<ParameterNames.Found> found =
          names.parameter(module.substring(0, dot + 1) + part + ".weight");
      if (found.isPresent()) {
        Tensor tensor = found.get().tensors().getFirst();
        types.append(types.isEmpty() ? "" : ", ").append(tensor.name());
        types.append(" is ").append(tensor.type().name());
      }
    }
    return types.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Explanation(
                0,
                text,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                "the fused module "
                    + module
                    + " counts as float, and the loader was given a part of it quantised: "
                    + types,
                Optional.of("store all shards of the module quantised, or all float"),
                Optional.of("vllm quantization/gguf.py, is_layer_skipped")));
  }

  private Optional<Explanation> noParameter(String text, String name, String original) {
    Optional<ParameterNames.Found> found = names.parameter(original);
    return found.map(known ->
        new Explanation(
            0,
            text,
            OptionalInt.empty(),
            only(known),
            Optional.of(known.parameter()),
            "the engine's model has no parameter "
                + name
                + ": its class or its configuration does not belong to this file",
            Optional.of(
                "compare the configuration with the file (layers, biases, tied embeddings), or take a"
                    + " newer release"),
            Optional.of("vllm models/*.py load_weights: params_dict[name]")));
  }

  private Explanation neverQuantised(
      String text, Optional<ParameterNames.Found> found, String original) {
    return made(
        text,
        found,
        original,
        "the module is never quantised, and the loader was given it quantised" + typeOf(found),
        "keep these tensors float, or decode them while loading",
        "vllm models/deepseek_v2.py, deepseek_mtp.py: quant_config None");
  }

  private String typeOf(Optional<ParameterNames.Found> found) {
    Tensor tensor = found.flatMap(NameErrors::only).map(names::tensor).orElse(null);
    if (tensor == null) {
      return "";
    }
    String is = tensor.name() + " is " + tensor.type().name();
    return tensor.type().isQuantized()
        ? " (" + is + ")"
        : "; in this file " + is + ", so the error is of another file";
  }

  /// From vLLM 0.20.0 wk and weights_proj of the indexer are one float module, so the name stands
  /// for two parameters; the mechanism says which of them is quantised.
  private Explanation fusedIndexer(String text, String module) {
    String start = module.substring(0, module.length() - "wk_weights_proj".length());
    StringBuilder packed = new StringBuilder();
    for (String shard : List.of("wk.weight", "weights_proj.weight")) {
      Optional<ParameterNames.Found> found =
          names.parameter(start + shard).filter(NameErrors::isPacked);
      if (found.isPresent()) {
        Tensor tensor = found.get().tensors().getFirst();
        packed.append(packed.isEmpty() ? ": " : ", ").append(tensor.name());
        packed.append(" is ").append(tensor.type().name());
      }
    }
    return new Explanation(
        0,
        text,
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        "wk and weights_proj of the indexer go into one module that is never quantised, and the file"
            + " has one of them quantised"
            + packed,
        Optional.of("keep these tensors float, or decode them while loading"),
        Optional.of("vllm models/deepseek_v2.py from 0.20.0: quant_config None"));
  }

  private static boolean isPacked(ParameterNames.Found found) {
    return found.tensors().size() == 1 && found.tensors().getFirst().type().isQuantized();
  }

  private static Explanation made(
      String text,
      Optional<ParameterNames.Found> found,
      String parameter,
      String mechanism,
      String remedy,
      String source) {
    return new Explanation(
        0,
        text,
        OptionalInt.empty(),
        found.flatMap(NameErrors::only),
        Optional.of(found.map(ParameterNames.Found::parameter).orElse(parameter))
            .filter(name -> !name.isEmpty()),
        mechanism,
        Optional.of(remedy),
        Optional.of(source));
  }

  static Optional<String> only(ParameterNames.Found found) {
    return found.tensors().size() == 1
        ? Optional.of(found.tensors().getFirst().name())
        : Optional.empty();
  }

  /// Returns the name before a replacement of every `weight`.
  static String undo(String name) {
    return name.replace("qweight_type", "weight")
        .replace("weight_type", "weight")
        .replace("qweight", "weight");
  }

  /// Whether more than the suffix was replaced.
  private static boolean corrupted(String name, String original) {
    for (String suffix : SUFFIXES) {
      if (name.endsWith(suffix)) {
        String base = name.substring(0, name.length() - suffix.length());
        String before = StateDict.base(original);
        return !base.equals(before) && before.contains("weight");
      }
    }
    return false;
  }

  private static OptionalInt layer(String name) {
    int at = name.indexOf("layers.");
    if (at < 0) {
      return OptionalInt.empty();
    }
    int number = 0;
    int from = at + "layers.".length();
    int end = from;
    while (end < name.length() && Character.isDigit(name.charAt(end)) && end - from < 6) {
      number = number * 10 + (name.charAt(end) - '0');
      end++;
    }
    return end == from ? OptionalInt.empty() : OptionalInt.of(number);
  }
}
