package dev.gguf.mapping.check;

import dev.gguf.Gguf;
import dev.gguf.Tensor;
import org.jspecify.annotations.Nullable;

/// Guesses from the names of tensors what kind of model a file without a usable label holds.
final class Likeness {
  private Likeness() {}

  /// Returns what the names look like, in words, or null where they look like nothing known.
  static @Nullable String of(Gguf gguf) {
    String image = image(gguf);
    if (image != null) {
      return image;
    }
    for (Tensor tensor : gguf.tensors()) {
      if (ForeignNames.isForeign(tensor.name())) {
        return "those of a Hugging Face checkpoint (" + tensor.name() + ")";
      }
    }
    return blocks(gguf);
  }

  private static @Nullable String image(Gguf gguf) {
    for (Tensor tensor : gguf.tensors()) {
      String name = tensor.name();
      if (name.startsWith("model.diffusion_model.")
          || name.startsWith("double_blocks.")
          || name.startsWith("single_blocks.")
          || name.startsWith("joint_blocks.")
          || name.startsWith("transformer_blocks.")
          || name.startsWith("double_stream_modulation")
          || name.startsWith("img_in.")) {
        return "an image or video transformer (" + name + ")";
      }
      if (name.startsWith("first_stage_model.") || name.startsWith("decoder.up.")) {
        return "an image decoder (" + name + ")";
      }
    }
    return null;
  }

  private static @Nullable String blocks(Gguf gguf) {
    String first = null;
    for (Tensor tensor : gguf.tensors()) {
      if (tensor.layer().isPresent()) {
        first = "blk." + tensor.layer().getAsInt() + ".";
        break;
      }
    }
    if (first == null) {
      return null;
    }
    boolean anyIndexer = false;
    boolean anyMla = false;
    boolean anyExperts = false;
    boolean anyState = false;
    for (Tensor tensor : gguf.tensors()) {
      String name = tensor.name();
      anyIndexer |= name.contains(".indexer.");
      anyMla |= name.contains(".attn_kv_a_mqa.");
      anyExperts |= name.contains("_exps.");
      anyState |= name.contains(".ssm_");
    }
    if (anyIndexer) {
      return anyMla ? "glm-dsa or deepseek32" : "a model with a sparse-attention indexer";
    }
    if (anyMla) {
      return "deepseek2";
    }
    if (anyState) {
      return "a model with state-space layers, such as qwen35 or mamba2";
    }
    boolean gate = gguf.find(first + "ffn_gate.weight").isPresent();
    boolean norms = gguf.find(first + "attn_q_norm.weight").isPresent();
    boolean query = gguf.find(first + "attn_q.weight").isPresent();
    boolean bias = gguf.find(first + "attn_q.bias").isPresent();
    boolean fused = gguf.find(first + "attn_qkv.weight").isPresent();
    if (query && anyExperts) {
      return norms ? "qwen3moe" : "a llama or mixtral with experts";
    }
    if (query && gate) {
      return norms ? "qwen3" : bias ? "qwen2" : "llama";
    }
    return fused ? "a model with fused attention, such as gpt2, falcon or phi3" : null;
  }
}
