package dev.gguf.check;

import org.jspecify.annotations.Nullable;

/// Spellings of keys that were never released, or that one branch of an engine used, and what
/// released engines read instead.
final class KeyAlias {
  private KeyAlias() {}

  /// Returns the released name of a key, or null for a key that is no such spelling.
  ///
  /// @param architecture the value of `general.architecture`, or empty
  static @Nullable String currentName(String key, String architecture) {
    if (architecture.isEmpty()
        || !key.startsWith(architecture)
        || key.length() <= architecture.length() + 1
        || key.charAt(architecture.length()) != '.') {
      return null;
    }
    String released = released(architecture);
    String own = key.substring(architecture.length() + 1);
    String current = current(own);
    if (current == null) {
      return null;
    }
    return released + "." + current;
  }

  /// Returns the released name of an architecture that was called otherwise before, or the name as
  /// it is.
  static String released(String architecture) {
    return switch (architecture) {
      case "dflash-draft" -> "dflash";
      case "glm5next" -> "glm5-next";
      default -> architecture;
    };
  }

  private static @Nullable String current(String own) {
    return switch (own) {
      case "dflash.target_layer_ids",
          "dflash.n_target_layers",
          "dflash.target_layers",
          "target_layer_ids",
          "n_target_layers" ->
          "target_layers";
      case "attention.indexer.kpool", "indexer.kpool" -> "attention.indexer.block_size";
      case "num_nextn_predict_layers", "nextn_predict_layer_count" -> "nextn_predict_layers";
      case "num_hidden_layers", "n_layer" -> "block_count";
      case "hidden_size", "n_embd" -> "embedding_length";
      case "intermediate_size", "n_ff" -> "feed_forward_length";
      case "max_position_embeddings", "n_ctx" -> "context_length";
      case "num_attention_heads", "n_head", "head_count" -> "attention.head_count";
      case "num_key_value_heads", "n_head_kv", "head_count_kv" -> "attention.head_count_kv";
      case "rms_norm_eps", "layer_norm_rms_epsilon" -> "attention.layer_norm_rms_epsilon";
      case "rope_theta", "rope_freq_base" -> "rope.freq_base";
      case "num_experts", "n_expert" -> "expert_count";
      case "num_experts_per_tok", "n_expert_used" -> "expert_used_count";
      default -> null;
    };
  }
}
