package dev.gguf.mapping.engine;

import java.util.Optional;

/// What a model's config.json says, as far as a launch depends on it.
///
/// @param modelType `model_type`, of the text part in a multimodal configuration
/// @param dtype `torch_dtype` or `dtype`, such as `bfloat16`
/// @param tied `tie_word_embeddings`
/// @param layers `num_hidden_layers`, without the MTP layers
public record ModelConfig(
    Optional<String> modelType,
    Optional<String> dtype,
    Optional<Boolean> tied,
    Optional<Integer> layers) {}
