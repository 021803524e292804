package dev.gguf.mapping;

import org.jspecify.annotations.Nullable;

/// The names under which an engine keeps a quantised parameter: one for the data and one for the
/// companion that carries the tensor type.
///
/// Only the end of a name decides: the exact suffix `.weight`, or one of the two fused expert
/// parameters `w13_weight` and `w2_weight`. `…indexer.weights_proj.weight` therefore becomes
/// `…indexer.weights_proj.qweight`. Every other name, such as that of a bias, stays as it is and
/// has no companion.
///
/// @param data the name of the data
/// @param companion the name of the type, or null if such a parameter is never quantised
public record QuantizedNames(String data, @Nullable String companion) {
  private static final String WEIGHT = "weight";

  /// Returns the names in vLLM up to 0.23 and with the released plugins up to 0.0.5: `qweight` and
  /// `qweight_type`.
  ///
  /// @param parameter name in the checkpoint
  public static QuantizedNames of(String parameter) {
    return of(parameter, Target.VLLM);
  }

  /// Returns the names in a target. Targets without companions leave every name as it is.
  ///
  /// @param parameter name in the checkpoint
  public static QuantizedNames of(String parameter, Target target) {
    if (!target.hasCompanions() || !isQuantizable(parameter)) {
      return new QuantizedNames(parameter, null);
    }
    String data = parameter;
    if (target == Target.VLLM) {
      int stem = parameter.length() - WEIGHT.length();
      data = parameter.substring(0, stem).concat("qweight");
    }
    return new QuantizedNames(data, data.concat("_type"));
  }

  /// Returns whether a parameter of this name can be quantised, so that it has a companion.
  public static boolean isQuantizable(String parameter) {
    return parameter.endsWith(".weight")
        || isLast(parameter, "w13_weight")
        || isLast(parameter, "w2_weight");
  }

  private static boolean isLast(String parameter, String component) {
    int start = parameter.length() - component.length();
    return parameter.endsWith(component) && (start == 0 || parameter.charAt(start - 1) == '.');
  }

  /// Returns what the replacement of every `weight` in a name by `qweight` makes of it, which is
  /// how the engines that use such names make them.
  public static String globalReplace(String parameter) {
    return globalReplace(parameter, Target.VLLM);
  }

  /// Returns what the engine's own replacement of every `weight` in a name makes of it: for
  /// [Target#VLLM] the name of the data, for [Target#VLLM_PLUGIN] that of the companion. Other
  /// targets replace nothing.
  public static String globalReplace(String parameter, Target target) {
    return switch (target) {
      case VLLM -> parameter.replace(WEIGHT, "qweight");
      case VLLM_PLUGIN -> parameter.replace(WEIGHT, "weight_type");
      case HF, TRANSFORMERS -> parameter;
    };
  }
}
