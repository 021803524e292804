package dev.gguf.mapping;

/// A prefix of parameter names that some checkpoints of the same model write in another way.
///
/// @param prefix as this map writes it, such as `model.`
/// @param other as the other checkpoints write it, such as `model.language_model.`
public record Spelling(String prefix, String other) {}
