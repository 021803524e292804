package dev.gguf.mapping.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The map from GGUF names to parameter names that vLLM's loader, its plugin and SGLang build, as
/// the code of a release builds it: useless entries included, in its order.
///
/// The engine walks the state dictionary of the Hugging Face model and asks gguf-py for a GGUF name
/// of each parameter; so the map depends on the releases of transformers and of gguf-py.
public final class EngineNames {
  /// The libraries that a map depends on.
  ///
  /// @param transformers release of transformers, such as `5.17.0`
  /// @param ggufPy release of gguf, such as `0.19.0`
  public record Libraries(String transformers, String ggufPy) {
    /// Reads `transformers+gguf`, such as `5.17.0+0.19.0`.
    static Libraries of(String text) {
      int plus = text.indexOf('+');
      return new Libraries(text.substring(0, plus), text.substring(plus + 1));
    }

    @Override
    public String toString() {
      return "transformers " + transformers + " with gguf " + ggufPy;
    }
  }

  /// What the names of a model depend on.
  ///
  /// @param layers hidden layers, without the MTP ones
  /// @param denseLayers leading layers without experts
  /// @param experts experts of a layer
  /// @param queryLora whether queries go through a low-rank projection (`q_a_proj`)
  public record Sizes(int layers, int denseLayers, int experts, boolean queryLora) {}

  private final Map<String, String> entries = new LinkedHashMap<>();
  private final List<String> unmapped = new ArrayList<>();
  private @Nullable String error;

  private EngineNames() {}

  /// Builds the map of a model type.
  ///
  /// @return empty if the parameters of this model type are not known here
  public static Optional<EngineNames> of(
      EngineProfile profile, Libraries libraries, String modelType, Sizes sizes) {
    EngineNames names = new EngineNames();
    List<String> alias = profile.words("alias." + modelType);
    String architecture = alias.isEmpty() ? modelType : alias.getFirst();
    EngineProfile python = EngineProfiles.of("gguf-py", libraries.ggufPy());
    if (!python.has("architectures", architecture)) {
      names.error =
          profile
              .fact("architecture.error")
              .map(fact -> fact.value().replace("{model_type}", architecture))
              .orElse("unknown model type " + architecture);
      return Optional.of(names);
    }
    Optional<StateDict> dict = StateDict.of(modelType);
    if (dict.isEmpty()) {
      return Optional.empty();
    }
    names.build(profile, libraries, dict.get(), alias, sizes);
    return Optional.of(names);
  }

  /// Builds the map that an engine would build if it led the model type to its architecture: what a
  /// launch meets once the architecture is known.
  static Optional<EngineNames> asIfKnown(
      EngineProfile profile, Libraries libraries, String modelType, Sizes sizes) {
    Optional<EngineNames> known = of(profile, libraries, modelType, sizes);
    Optional<StateDict> dict = StateDict.of(modelType);
    if (dict.isEmpty() || known.isPresent() && known.get().isBuilt()) {
      return known;
    }
    EngineNames names = new EngineNames();
    List<String> alias = profile.words("alias." + modelType);
    names.build(
        profile,
        libraries,
        dict.get(),
        alias.isEmpty() ? List.of(dict.get().architecture()) : alias,
        sizes);
    return Optional.of(names);
  }

  private boolean isBuilt() {
    return !entries.isEmpty() || !unmapped.isEmpty();
  }

  private void build(
      EngineProfile profile, Libraries libraries, StateDict dict, List<String> alias, Sizes sizes) {
    boolean minimax = !alias.isEmpty() && alias.getFirst().equals("minimax-m2");
    if (alias.contains("experts")) {
      byHand(dict, alias.contains("exp_probs_b"), minimax, sizes);
    }
    Set<String> given = new HashSet<>(entries.values());
    boolean ignored = profile.is("unmapped", "ignored");
    boolean everyExpert = profile.is("unmapped.every-expert", "yes");
    boolean sideload = alias.contains("experts") && !everyExpert;
    boolean fused = alias.contains("sideload") || minimax;
    Map<String, String> bases = dict.bases(libraries.ggufPy());
    for (StateDict.Entry entry :
        dict.entries(sizes, libraries.transformers(), libraries.ggufPy())) {
      if (profile.is("suffix", "last-dot")) {
        lastDot(dict, bases, entry, ignored);
      } else {
        weightOrBias(entry, given, sideload, fused);
      }
    }
    if (!ignored && !unmapped.isEmpty() && !profile.is("unmapped", "tolerated")) {
      error =
          profile
              .fact("unmapped.error")
              .map(fact -> fact.value())
              .orElse("{count} parameters without a GGUF name: {list}")
              .replace("{count}", Integer.toString(unmapped.size()))
              .replace("{list}", list(unmapped, Integer.MAX_VALUE));
    }
  }

  /// The engines enter the experts by hand, for every layer: expert 0 stands for all.
  private void byHand(StateDict dict, boolean bias, boolean minimax, Sizes sizes) {
    for (int i = 0; i < sizes.layers(); i++) {
      String block = "blk." + i + ".";
      String start = dict.prefix() + i + ".";
      if (bias) {
        entries.put(
            block + "exp_probs_b.bias",
            start + (minimax ? "block_sparse_moe" : "mlp.gate") + ".e_score_correction_bias");
      }
      String experts = start + (minimax ? "block_sparse_moe.experts.0." : "mlp.experts.0.");
      entries.put(
          block + "ffn_down_exps.weight", experts + (minimax ? "w2" : "down_proj") + ".weight");
      entries.put(
          block + "ffn_gate_exps.weight", experts + (minimax ? "w1" : "gate_proj") + ".weight");
      entries.put(block + "ffn_up_exps.weight", experts + (minimax ? "w3" : "up_proj") + ".weight");
    }
  }

  /// Up to vLLM 0.11.2 a name is split at its last dot, and names that gguf-py does not know all
  /// share the key that starts with None.
  private void lastDot(
      StateDict dict, Map<String, String> bases, StateDict.Entry entry, boolean ignored) {
    String name = entry.name();
    int dot = name.lastIndexOf('.');
    String suffix = name.substring(dot + 1);
    String gguf;
    if (suffix.equals("weight") || suffix.equals("bias")) {
      gguf = entry.gguf();
    } else {
      gguf = inLayer(dict, bases, name.substring(0, dot));
    }
    if (gguf == null && !ignored) {
      unmapped.add(name);
      return;
    }
    entries.put((gguf == null ? "None" : gguf) + "." + suffix, name);
  }

  private static @Nullable String inLayer(StateDict dict, Map<String, String> bases, String base) {
    String prefix = dict.prefix();
    if (!base.startsWith(prefix)) {
      return bases.get(base);
    }
    int dot = base.indexOf('.', prefix.length());
    String gguf = dot < 0 ? null : bases.get(base.substring(dot + 1));
    return gguf == null ? null : "blk." + base.substring(prefix.length(), dot) + "." + gguf;
  }

  private void weightOrBias(
      StateDict.Entry entry, Set<String> given, boolean sideload, boolean fused) {
    String name = entry.name();
    if (entry.gguf() != null) {
      String suffix =
          name.endsWith(".weight") || name.endsWith("_weight")
              ? "weight"
              : name.endsWith(".bias") ? "bias" : "";
      entries.put(entry.gguf() + "." + suffix, name);
      return;
    }
    boolean covered =
        given.contains(name)
            || (sideload && isNumberedExpert(name))
            || (fused && name.contains(".experts."));
    if (!covered) {
      unmapped.add(name);
    }
  }

  private static boolean isNumberedExpert(String name) {
    int at = name.indexOf(".experts.");
    return at >= 0
        && at + 9 < name.length()
        && Character.isDigit(name.charAt(at + 9))
        && name.endsWith(".weight");
  }

  /// Writes names as a Python list, the first ones only and an ellipsis if there are more.
  static String list(List<String> names, int most) {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < names.size(); i++) {
      if (i == most) {
        text.append(", ...");
        break;
      }
      text.append(i == 0 ? "'" : ", '").append(names.get(i)).append('\'');
    }
    return text.append(']').toString();
  }

  /// Returns the entries, GGUF name to parameter name, in the order of the engine's map.
  public Map<String, String> entries() {
    return entries;
  }

  /// Returns the parameters that have no GGUF name, in the order of the state dictionary.
  public List<String> unmapped() {
    return List.copyOf(unmapped);
  }

  /// Returns the error with which building the map ends, as the engine prints it, or empty.
  public Optional<String> error() {
    return Optional.ofNullable(error);
  }
}
