package dev.gguf.mapping.engine;

import dev.gguf.Rule;
import dev.gguf.Severity;

/// The conditions that a prediction is made of. They are about one engine, never about the file, so
/// their severity never counts in a file's verdict.
public enum EngineRule implements Rule {
  /// The file itself stops the engine: a finding about it that this engine does not forgive.
  ENGINE_FILE("the file itself stops the engine; the finding is named"),
  /// The file is of a kind that the engine does not load as a model.
  ENGINE_KIND("projector, adapter, MTP head …: not a model for this engine"),
  /// The engine has no loader for GGUF files.
  ENGINE_ABSENT("the release has no loader for GGUF files"),
  /// A component that touches the file first does not know the architecture.
  ENGINE_PROBE("a component that opens the file first, such as argument parsing, refuses it"),
  /// The configuration is not found, or the component that reads it is too old for it.
  ENGINE_CONFIG("configuration absent, or unknown to the component that reads it"),
  /// The engine does not know the architecture.
  ENGINE_ARCHITECTURE("the engine does not know the architecture or its alias"),
  /// The activation type is refused on the device or for the model.
  ENGINE_DTYPE("activation type refused, by device or by model"),
  /// Heads, experts or vocabulary do not divide by the parallel size.
  ENGINE_PARALLEL("heads, vocabulary or experts are not divisible by the parallel size"),
  /// No attention backend takes the model, the activation type and the device together.
  ENGINE_ATTENTION("no attention backend for this model, dtype and device"),
  /// The library that reads the file does not know a tensor type.
  ENGINE_TYPE("tensor type without a reader or a kernel"),
  /// The set of files is not what the engine reads.
  ENGINE_SPLIT("split set where one file is needed, or the reverse"),
  /// Parameters that no tensor feeds, seen while names are mapped.
  ENGINE_UNMAPPED("parameters without a GGUF name"),
  /// A rename turns a name into one that does not exist.
  ENGINE_RENAME("a rename corrupts a parameter's name"),
  /// A module that must be float is quantised, or the reverse.
  ENGINE_ROLE("tensor type in a role that must be float, or must not be"),
  /// Shards of one fused module do not fit together.
  ENGINE_FUSED("shards of one fused module mix float and quantised, or two types"),
  /// The shards of a fused module are laid out in order of arrival.
  ENGINE_ORDER("shards of a fused module in the order of the file"),
  /// kv_b_proj is never filled.
  ENGINE_KV_B("kv_b_proj is looked for under a name that the file does not have"),
  /// A cut for tensor parallelism does not fall on block borders.
  ENGINE_CUT("a cut inside a block of a row-parallel tensor"),
  /// Tensors that nobody consumes.
  ENGINE_UNUSED("tensors that the engine passes over"),
  /// Tied embeddings are assumed or contradicted.
  ENGINE_TIED("output.weight against tied embeddings"),
  /// Weights and caches do not fit the device.
  ENGINE_MEMORY("weights and caches against the memory of a device"),
  /// Something about this architecture in this engine.
  ENGINE_NOTE("known of this architecture in this engine"),
  /// Nothing is established for this engine and architecture.
  ENGINE_UNKNOWN("nothing is established");

  private final String meaning;

  EngineRule(String meaning) {
    this.meaning = meaning;
  }

  @Override
  public Severity severity() {
    return Severity.INFO;
  }

  /// Returns the condition in a few words, as the list of rules shows it.
  public String meaning() {
    return meaning;
  }
}
