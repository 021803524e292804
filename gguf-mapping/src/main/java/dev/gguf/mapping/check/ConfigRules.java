package dev.gguf.mapping.check;

import dev.gguf.mapping.ModelType;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.checkpoint.ModelConfig;
import org.jspecify.annotations.Nullable;

/// The keys of a file against the `config.json` of the checkpoint that it was made from.
final class ConfigRules {
  private final Judged model;
  private final ModelConfig config;

  private ConfigRules(Judged model, ModelConfig config) {
    this.model = model;
    this.config = config;
  }

  /// Compares what both sides have.
  static void check(Judged model, ModelConfig config) {
    if (model.hasAllKeys() && !model.architecture().isEmpty()) {
      new ConfigRules(model, config).check();
    }
  }

  private void check() {
    if (isOfOtherFamily()) {
      return;
    }
    blocks();
    integer("embedding_length", "hidden_size", "n_embd", "d_model");
    integer("context_length", "max_position_embeddings", "n_positions", "n_ctx");
    integer("vocab_size", "vocab_size");
    integer("attention.head_count", "num_attention_heads", "n_head");
    integer(
        "expert_count", "n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts");
    integer("expert_used_count", "num_experts_per_tok");
    integer("expert_shared_count", "n_shared_experts");
    integer("expert_feed_forward_length", "moe_intermediate_size");
    integer("leading_dense_block_count", "first_k_dense_replace");
    integer("attention.q_lora_rank", "q_lora_rank");
    integer("attention.kv_lora_rank", "kv_lora_rank");
    integer("attention.indexer.head_count", "index_n_heads");
    integer("attention.indexer.key_length", "index_head_dim");
    integer("attention.indexer.top_k", "index_topk");
    if (isMla()) {
      mla();
    } else {
      integer("attention.head_count_kv", "num_key_value_heads", "num_kv_heads");
      // Models with two kinds of layers have heads of two sizes.
      if (!config.has("global_head_dim") && !config.has("swa_head_dim")) {
        integer("attention.key_length", "head_dim");
        integer("attention.value_length", "v_head_dim", "head_dim");
      }
    }
    epsilon("attention.layer_norm_rms_epsilon", "rms_norm_eps", "norm_eps", "layernorm_epsilon");
    epsilon("attention.layer_norm_epsilon", "layer_norm_eps", "layer_norm_epsilon", "norm_epsilon");
    rope();
  }

  private boolean isMla() {
    return config.has("kv_lora_rank") || model.metadata().has(model.key("attention.kv_lora_rank"));
  }

  /// Tells of a type of model that is known, and is none of those of the file's architecture: then
  /// the rest means nothing.
  private boolean isOfOtherFamily() {
    String type = config.modelType().orElse(null);
    NameMap map = NameMap.forArchitecture(model.architecture()).orElse(null);
    if (type == null
        || map == null
        || has(map, type)
        || has(map, config.textModelType().orElse(type))) {
      return false;
    }
    String others = Architectures.ofModelType(type);
    if (others.isEmpty()) {
      return false;
    }
    model.add(
        model
            .aboutKey(
                ModelRule.CONFIG_DIFFERS,
                "general.architecture",
                config.path().getFileName()
                    + " is of another model: its model_type "
                    + type
                    + " is the architecture "
                    + others
                    + ", the file is "
                    + model.architecture())
            .withHint("use the config.json of the checkpoint that the file was made from"));
    return true;
  }

  private static boolean has(NameMap map, String type) {
    for (ModelType known : map.modelTypes()) {
      if (known.modelType().equals(type)) {
        return true;
      }
    }
    return false;
  }

  /// The block count may include the layers for multi-token prediction or not.
  private void blocks() {
    Long blocks = model.integer(model.key("block_count"));
    Long layers = configInteger("num_hidden_layers", "n_layer");
    if (blocks == null || layers == null) {
      return;
    }
    Long nextn = configInteger("num_nextn_predict_layers", "mtp_num_hidden_layers");
    long with = layers + (nextn == null ? 0 : nextn);
    // Checkpoints may carry such layers without a word in their config.
    Long own = model.integer(model.key("nextn_predict_layers"));
    long trunk = blocks - (own == null ? 0 : own);
    if (!blocks.equals(layers) && blocks != with && trunk != layers) {
      add(
          model.key("block_count"),
          Long.toString(blocks),
          "num_hidden_layers",
          layers + (nextn == null ? "" : " and " + nextn + " for multi-token prediction"));
    }
  }

  private void mla() {
    Long nope = configInteger("qk_nope_head_dim");
    Long rope = configInteger("qk_rope_head_dim");
    Long value = configInteger("v_head_dim");
    Long key = model.integer(model.key("attention.key_length_mla"));
    if (nope != null && rope != null && key != null && key != nope + rope) {
      add(
          model.key("attention.key_length_mla"),
          Long.toString(key),
          "qk_nope_head_dim + qk_rope_head_dim",
          Long.toString(nope + rope));
    }
    compare("attention.value_length_mla", value, "v_head_dim");
    compare("rope.dimension_count", rope, "qk_rope_head_dim");
  }

  private void integer(String own, String... names) {
    for (String name : names) {
      Long value = configInteger(name);
      if (value != null) {
        compare(own, value, name);
        return;
      }
    }
  }

  private void compare(String own, @Nullable Long value, String name) {
    Long key = model.integer(model.key(own));
    if (key != null && value != null && !key.equals(value)) {
      add(model.key(own), Long.toString(key), name, Long.toString(value));
    }
  }

  private @Nullable Long configInteger(String... names) {
    for (String name : names) {
      if (config.isInteger(name)) {
        return config.integer(name);
      }
    }
    return null;
  }

  private void epsilon(String own, String... names) {
    Double key = model.number(model.key(own));
    for (String name : names) {
      if (key != null && config.isNumber(name)) {
        if (!isClose(key, config.number(name))) {
          add(
              model.key(own),
              Float.toString(key.floatValue()),
              name,
              Float.toString((float) config.number(name)));
        }
        return;
      }
    }
  }

  private void rope() {
    Double key = model.number(model.key("rope.freq_base"));
    if (key != null
        && config.ropeTheta().isPresent()
        && !isClose(key, config.ropeTheta().getAsDouble())) {
      add(
          model.key("rope.freq_base"),
          ValueRules.text(key),
          "rope_theta",
          ValueRules.text(config.ropeTheta().getAsDouble()));
    }
  }

  /// Equal after rounding to the precision of the key.
  private static boolean isClose(double key, double value) {
    return Math.abs(key - value) <= 1e-6 * Math.max(Math.abs(key), Math.abs(value));
  }

  private void add(String key, String value, String name, String configured) {
    model.add(
        model
            .aboutKey(
                ModelRule.CONFIG_DIFFERS,
                key,
                key
                    + " is "
                    + value
                    + ", "
                    + config.path().getFileName()
                    + " has "
                    + name
                    + " "
                    + configured)
            .withHint(
                "if config.json belongs to this model: --override-kv "
                    + key
                    + (value.contains(".") || key.contains("freq") || key.contains("epsilon")
                        ? "=float:"
                        : "=int:")
                    + firstWord(configured)));
  }

  private static String firstWord(String text) {
    int space = text.indexOf(' ');
    return space < 0 ? text : text.substring(0, space);
  }
}
