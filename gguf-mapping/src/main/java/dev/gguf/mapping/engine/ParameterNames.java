package dev.gguf.mapping.engine;

import dev.gguf.Tensor;
import dev.gguf.mapping.MapOptions;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.Parameter;
import dev.gguf.mapping.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds the tensors behind the names that engines print.
final class ParameterNames {
  private final Candidate model;
  private final String architecture;
  private final @Nullable Mapping mapping;
  private final @Nullable EngineNames names;

  /// A parameter, as the checkpoint names it, and the tensors of the file that feed it.
  record Found(String parameter, List<Tensor> tensors, String transform) {}

  ParameterNames(Candidate model) {
    this.model = model;
    Attempt attempt =
        new Attempt(
            model,
            EngineProfiles.of("vllm", "0.23.0"),
            Launch.DEFAULT,
            new EngineNames.Libraries("5.17.0", "0.19.0"));
    this.architecture = attempt.architecture;
    this.mapping =
        NameMap.forArchitecture(architecture)
            .map(map -> map.map(model.metadata(), model.tensors(), Target.HF, MapOptions.WITH_MTP))
            .orElse(null);
    this.names = attempt.names();
  }

  String architecture() {
    return architecture;
  }

  /// Returns the tensor with this name in the file, or null.
  @Nullable Tensor tensor(String name) {
    for (Tensor tensor : model.tensors()) {
      if (tensor.name().equals(name)) {
        return tensor;
      }
    }
    return null;
  }

  /// Finds a parameter by the name that the checkpoint, or a loader that strips `model.`, has for
  /// it.
  Optional<Found> parameter(String name) {
    for (String spelling :
        List.of(
            name,
            "model." + name,
            name.replace("language_model.", ""),
            name.replace(".mtp_block.", "."),
            name.replace(".routed_experts.", "."))) {
      Optional<Found> found = exactly(spelling);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<Found> exactly(String name) {
    if (mapping != null) {
      Optional<MappedTensors> mapped = mapping.ofParameter(name);
      if (mapped.isPresent()) {
        return Optional.of(new Found(name, mapped.get().sources(), mapped.get().transform()));
      }
    }
    if (names != null) {
      for (Map.Entry<String, String> entry : names.entries().entrySet()) {
        Tensor tensor = entry.getValue().equals(name) ? tensor(entry.getKey()) : null;
        if (tensor != null) {
          return Optional.of(new Found(name, List.of(tensor), "none"));
        }
      }
    }
    return Optional.empty();
  }

  /// Finds the parameters that a tensor of the file feeds.
  List<Found> fedBy(String tensor) {
    List<Found> found = new ArrayList<>();
    if (mapping != null) {
      Optional<MappedTensors> mapped = mapping.ofTensor(tensor);
      if (mapped.isPresent()) {
        for (Parameter parameter : mapped.get().parameters()) {
          found.add(new Found(parameter.name(), mapped.get().sources(), mapped.get().transform()));
        }
        return found;
      }
    }
    String parameter = names == null ? null : names.entries().get(tensor);
    Tensor own = tensor(tensor);
    if (parameter != null && own != null) {
      found.add(new Found(parameter, List.of(own), "none"));
    }
    return found;
  }

  /// Returns the only parameter that a tensor feeds, or would feed if the file had it: what another
  /// layer has says what a layer lacks.
  Optional<String> wouldFeed(String tensor) {
    List<Found> fed = fedBy(tensor);
    if (!fed.isEmpty() || tensor(tensor) != null) {
      return fed.size() == 1 ? Optional.of(fed.getFirst().parameter()) : Optional.empty();
    }
    String entry = names == null ? null : names.entries().get(tensor);
    if (entry != null) {
      return Optional.of(entry).filter(name -> !name.contains(".experts.0."));
    }
    String rest = Attempt.rest(tensor);
    if (rest.equals(tensor)) {
      return Optional.empty();
    }
    String layer = tensor.substring("blk.".length(), tensor.length() - rest.length() - 1);
    for (Tensor other : model.tensors()) {
      if (other.layer().isPresent() && Attempt.rest(other.name()).equals(rest)) {
        List<Found> like = fedBy(other.name());
        String own = "layers." + other.layer().getAsInt() + ".";
        return like.size() == 1
            ? Optional.of(like.getFirst().parameter().replace(own, "layers." + layer + "."))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  Candidate model() {
    return model;
  }
}
