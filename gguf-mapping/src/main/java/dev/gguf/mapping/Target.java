package dev.gguf.mapping;

import java.util.Optional;

/// Whose parameter names a [Mapping] gives.
public enum Target {
  /// The names of the checkpoint, as Hugging Face repositories publish it.
  HF("hf"),
  /// The module names of transformers 5, which stacks experts. It has no MTP layers.
  TRANSFORMERS("transformers"),
  /// The names in vLLM up to 0.23 and with the released plugins up to 0.0.5: quantised parameters
  /// end in `qweight`, with a companion that ends in `qweight_type`.
  VLLM("vllm"),
  /// The names in vLLM's plugin after its change of August 2026: data names stay as they are, the
  /// companion of a quantised one ends in `weight_type`.
  VLLM_PLUGIN("vllm-plugin");

  private final String id;

  Target(String id) {
    this.id = id;
  }

  /// Returns the word used on the command line and in every output.
  public String id() {
    return id;
  }

  /// Returns whether quantised parameters have companions that carry their type.
  public boolean hasCompanions() {
    return this == VLLM || this == VLLM_PLUGIN;
  }

  /// Returns the target with this word.
  public static Optional<Target> of(String id) {
    for (Target target : values()) {
      if (target.id.equals(id)) {
        return Optional.of(target);
      }
    }
    return Optional.empty();
  }
}
