package dev.gguf.mapping.check;

import dev.gguf.mapping.Target;

/// What a model is checked against.
///
/// @param target whose parameters have to be fed
/// @param mtp whether the layers for multi-token prediction belong to the target
public record CheckOptions(Target target, boolean mtp) {
  /// The main language model under its checkpoint names.
  public static final CheckOptions DEFAULT = new CheckOptions(Target.HF, false);
}
