package dev.gguf.mapping;

/// What Hugging Face calls a kind of model.
///
/// @param modelType the `model_type` of its config.json, such as `glm_moe_dsa`
/// @param className the first entry of its `architectures`, such as `GlmMoeDsaForCausalLM`
public record ModelType(String modelType, String className) {}
