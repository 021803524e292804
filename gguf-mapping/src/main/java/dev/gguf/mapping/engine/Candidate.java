package dev.gguf.mapping.engine;

import dev.gguf.FileKind;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.mapping.check.ModelReport;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.util.List;
import java.util.Optional;

/// A model that an engine is to load: what its file says and what was found about it.
///
/// @param name the file's name
/// @param files how many files the model has
/// @param kind what the file is for
/// @param metadata the keys, empty if there are none
/// @param tensors the tensors in file order
/// @param findings what [dev.gguf.mapping.check.ModelCheck] found
/// @param config the config.json that the engine will see, or empty
public record Candidate(
    String name,
    int files,
    FileKind kind,
    Metadata metadata,
    List<Tensor> tensors,
    List<Finding> findings,
    Optional<ModelConfig> config) {

  /// Makes a candidate of what an inspection and the check of a model found.
  ///
  /// @param name the file's name as the engine will see it
  /// @param config the config.json that the engine will see, or empty
  public static Candidate of(
      String name, Inspection inspection, ModelReport report, Optional<ModelConfig> config) {
    Optional<Gguf> gguf = inspection.gguf();
    return new Candidate(
        name,
        gguf.map(model -> model.files().size()).orElse(1),
        inspection.kind(),
        gguf.map(Gguf::metadata).orElse(Metadata.EMPTY),
        gguf.map(Gguf::tensors).orElse(List.of()),
        report.findings(),
        config);
  }

  /// Makes a candidate of a model that is taken to be sound, without a configuration.
  public static Candidate of(Gguf gguf) {
    return new Candidate(
        gguf.files().getFirst().path().toString(),
        gguf.files().size(),
        gguf.kind(),
        gguf.metadata(),
        gguf.tensors(),
        List.of(),
        Optional.empty());
  }
}
