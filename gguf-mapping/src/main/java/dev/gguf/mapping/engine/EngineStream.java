package dev.gguf.mapping.engine;

import dev.gguf.Tensor;
import java.util.ArrayList;
import java.util.List;

/// The names under which a loader hands the tensors of a file to the model: renamed, with a
/// companion for the type of each quantised one, in the order of the engine's iterator.
public final class EngineStream {
  private EngineStream() {}

  /// Returns the names in order. Tensors without an entry in the map are passed over.
  public static List<String> names(EngineProfile profile, EngineNames map, List<Tensor> tensors) {
    List<String> types = new ArrayList<>();
    List<String> all = new ArrayList<>();
    boolean typesFirst = profile.is("stream", "types-first");
    for (Tensor tensor : tensors) {
      String parameter = map.entries().get(tensor.name());
      if (parameter == null) {
        continue;
      }
      if (profile.has("rename.plain", tensor.type().name())) {
        all.add(parameter);
        continue;
      }
      (typesFirst ? types : all).add(companion(profile, parameter));
      all.add(data(profile, parameter));
    }
    types.addAll(all);
    return types;
  }

  /// Returns the name that the data of a quantised parameter get.
  static String data(EngineProfile profile, String parameter) {
    return switch (String.valueOf(profile.value("rename"))) {
      case "companion" -> parameter;
      case "suffix" -> suffix(parameter, "qweight");
      default -> parameter.replace("weight", "qweight");
    };
  }

  /// Returns the name of the parameter that carries the type.
  static String companion(EngineProfile profile, String parameter) {
    return switch (String.valueOf(profile.value("rename"))) {
      case "companion" ->
          profile.is("rename.companion", "global")
              ? parameter.replace("weight", "weight_type")
              : suffix(parameter, "weight_type");
      case "suffix" -> suffix(parameter, "qweight_type");
      default -> parameter.replace("weight", "qweight_type");
    };
  }

  private static String suffix(String parameter, String word) {
    int at = parameter.lastIndexOf("weight");
    return at < 0 ? parameter : parameter.substring(0, at) + word + parameter.substring(at + 6);
  }
}
