package dev.gguf.mapping.check;

import dev.gguf.mapping.Target;
import dev.gguf.mapping.checkpoint.ModelConfig;
import org.jspecify.annotations.Nullable;

/// What a model is checked against.
///
/// @param target whose parameters have to be fed
/// @param mtp whether the layers for multi-token prediction belong to the target
/// @param config the `config.json` of the checkpoint that the model was made from, or null
public record CheckOptions(Target target, boolean mtp, @Nullable ModelConfig config) {
  /// The main language model under its checkpoint names.
  public static final CheckOptions DEFAULT = new CheckOptions(Target.HF, false);

  /// Options without a config.
  public CheckOptions(Target target, boolean mtp) {
    this(target, mtp, null);
  }

  /// Returns a copy with the `config.json` of the checkpoint.
  public CheckOptions withConfig(@Nullable ModelConfig other) {
    return new CheckOptions(target, mtp, other);
  }
}
