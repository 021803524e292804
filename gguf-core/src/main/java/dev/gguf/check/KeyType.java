package dev.gguf.check;

import dev.gguf.Metadata;
import dev.gguf.Severity;
import dev.gguf.ValueType;
import org.jspecify.annotations.Nullable;

/// The types that converters give to the keys that engines know.
///
/// Source: the key tables of the GGUF specification and the types that the format's reference
/// converter writes.
enum KeyType {
  /// A string that engines read.
  STRING("string"),
  /// A string for people.
  NOTE("string"),
  /// One unsigned number.
  UINT32("uint32"),
  /// One signed number.
  INT32("int32"),
  /// One number with a fraction.
  FLOAT32("float32"),
  /// One truth value.
  BOOL("bool"),
  /// An integer or truth value for all blocks, or an array with one for each.
  LAYERS("uint32 or an array of integers"),
  /// A number for all blocks, or an array with one for each.
  LAYER_FLOATS("float32 or an array of float32"),
  /// A list of strings that engines read.
  STRINGS("array of string"),
  /// A list of strings for people.
  NOTES("array of string"),
  /// A list of integers of 32 bits.
  INTEGERS("array of int32"),
  /// The types of tokens.
  TOKEN_TYPES("array of int32"),
  /// A list of numbers with fractions.
  FLOATS("array of float32"),
  /// Raw bytes.
  BYTES("array of uint8 or int8");

  private final String label;

  KeyType(String label) {
    this.label = label;
  }

  /// Returns the type as messages write it.
  String label() {
    return label;
  }

  /// Returns how much the type of an entry weighs where this one is expected, or null if it is
  /// fine.
  @Nullable Severity judge(Metadata.Entry entry) {
    ValueType type = entry.type();
    if (type == ValueType.ARRAY) {
      return judgeArray(entry.array().elementType(), entry.array().count());
    }
    boolean number = type.isInteger() || type.isFloat() || type == ValueType.BOOL;
    return switch (this) {
      case STRING -> type == ValueType.STRING ? null : Severity.ERROR;
      case NOTE -> type == ValueType.STRING ? null : Severity.WARNING;
      case UINT32 -> integer(type, ValueType.UINT32, ValueType.INT32, number);
      case INT32 -> integer(type, ValueType.INT32, ValueType.UINT32, number);
      case FLOAT32, LAYER_FLOATS ->
          type == ValueType.FLOAT32 ? null : number ? Severity.WARNING : Severity.ERROR;
      case BOOL -> type == ValueType.BOOL ? null : number ? Severity.WARNING : Severity.ERROR;
      case LAYERS ->
          type.isInteger() || type == ValueType.BOOL
              ? null
              : number ? Severity.WARNING : Severity.ERROR;
      case STRINGS, INTEGERS, TOKEN_TYPES, FLOATS, BYTES -> Severity.ERROR;
      case NOTES -> Severity.WARNING;
    };
  }

  private static @Nullable Severity integer(
      ValueType type, ValueType usual, ValueType sibling, boolean number) {
    if (type == usual) {
      return null;
    }
    return type == sibling ? Severity.INFO : number ? Severity.WARNING : Severity.ERROR;
  }

  private @Nullable Severity judgeArray(ValueType element, long count) {
    if (count == 0 || element == ValueType.ARRAY) {
      return null;
    }
    boolean whole = element.isInteger() || element == ValueType.BOOL;
    boolean number = whole || element.isFloat();
    return switch (this) {
      case STRINGS -> element == ValueType.STRING ? null : Severity.ERROR;
      case NOTES -> element == ValueType.STRING ? null : Severity.WARNING;
      case LAYERS -> whole ? null : number ? Severity.WARNING : Severity.ERROR;
      case INTEGERS ->
          element == ValueType.INT32 || element == ValueType.UINT32
              ? null
              : number ? Severity.WARNING : Severity.ERROR;
      case TOKEN_TYPES ->
          element == ValueType.INT32 ? null : number ? Severity.WARNING : Severity.ERROR;
      case FLOATS, LAYER_FLOATS ->
          element == ValueType.FLOAT32 ? null : number ? Severity.WARNING : Severity.ERROR;
      case BYTES -> element == ValueType.UINT8 || element == ValueType.INT8 ? null : Severity.ERROR;
      case NOTE -> Severity.WARNING;
      case STRING, UINT32, INT32, FLOAT32, BOOL -> Severity.ERROR;
    };
  }

  /// Returns what converters write for a key, or null for a key that is in no table.
  ///
  /// @param architecture the value of `general.architecture`, or empty
  static @Nullable KeyType of(String key, String architecture) {
    if (key.startsWith("general.")) {
      return general(key);
    }
    if (key.startsWith("tokenizer.")) {
      return tokenizer(key);
    }
    if (!architecture.isEmpty()
        && key.startsWith(architecture)
        && key.length() > architecture.length() + 1
        && key.charAt(architecture.length()) == '.') {
      return hyperparameter(key.substring(architecture.length() + 1));
    }
    return switch (key) {
      case "adapter.type" -> STRING;
      case "adapter.lora.alpha" -> FLOAT32;
      case "adapter.lora.task_name", "adapter.lora.prompt_prefix" -> NOTE;
      case "imatrix.datasets" -> NOTES;
      case "imatrix.chunk_count", "imatrix.chunk_size" -> UINT32;
      case "clip.has_vision_encoder", "clip.has_audio_encoder" -> BOOL;
      case "clip.projector_type" -> STRING;
      default -> null;
    };
  }

  private static @Nullable KeyType general(String key) {
    return switch (key) {
      case "general.architecture" -> STRING;
      case "general.quantization_version", "general.file_type" -> UINT32;
      case "general.base_model.count", "general.dataset.count" -> UINT32;
      case "general.tags", "general.languages", "general.datasets" -> NOTES;
      case "general.sampling.top_k",
          "general.sampling.penalty_last_n",
          "general.sampling.mirostat" ->
          INT32;
      case "general.sampling.top_p",
          "general.sampling.min_p",
          "general.sampling.xtc_probability",
          "general.sampling.xtc_threshold",
          "general.sampling.temp",
          "general.sampling.penalty_repeat",
          "general.sampling.mirostat_tau",
          "general.sampling.mirostat_eta" ->
          FLOAT32;
      case "general.type",
          "general.name",
          "general.author",
          "general.version",
          "general.organization",
          "general.basename",
          "general.finetune",
          "general.description",
          "general.quantized_by",
          "general.size_label",
          "general.license",
          "general.license.name",
          "general.license.link",
          "general.url",
          "general.doi",
          "general.uuid",
          "general.repo_url",
          "general.source.url",
          "general.source.doi",
          "general.source.uuid",
          "general.source.repo_url",
          "general.sampling.sequence" ->
          NOTE;
      default -> null;
    };
  }

  private static @Nullable KeyType tokenizer(String key) {
    return switch (key) {
      case "tokenizer.ggml.model", "tokenizer.ggml.pre", "tokenizer.chat_template" -> STRING;
      case "tokenizer.ggml.tokens", "tokenizer.ggml.merges" -> STRINGS;
      case "tokenizer.ggml.scores" -> FLOATS;
      case "tokenizer.ggml.token_type" -> TOKEN_TYPES;
      case "tokenizer.ggml.suppress_tokens" -> INTEGERS;
      case "tokenizer.ggml.precompiled_charsmap" -> BYTES;
      case "tokenizer.ggml.token_type_count" -> UINT32;
      case "tokenizer.ggml.add_bos_token",
          "tokenizer.ggml.add_eos_token",
          "tokenizer.ggml.add_sep_token",
          "tokenizer.ggml.add_space_prefix",
          "tokenizer.ggml.remove_extra_whitespaces",
          "tokenizer.ggml.normalizer.lowercase",
          "tokenizer.ggml.normalizer.strip_accents" ->
          BOOL;
      default -> key.startsWith("tokenizer.ggml.") && key.endsWith("_token_id") ? UINT32 : null;
    };
  }

  private static @Nullable KeyType hyperparameter(String key) {
    return switch (key) {
      case "vocab_size",
          "context_length",
          "embedding_length",
          "block_count",
          "leading_dense_block_count",
          "expert_shared_count",
          "expert_shared_feed_forward_length",
          "expert_group_count",
          "expert_group_used_count",
          "expert_gating_func",
          "nextn_predict_layers",
          "interleave_moe_layer_step",
          "moe_every_n_layers",
          "pooling_type",
          "full_attention_interval",
          "decoder_start_token_id",
          "attention.q_lora_rank",
          "attention.kv_lora_rank",
          "attention.key_length_mla",
          "attention.value_length_mla",
          "attention.indexer.head_count",
          "attention.indexer.key_length",
          "attention.indexer.top_k",
          "attention.relative_buckets_count",
          "rope.scaling.original_context_length",
          "ssm.conv_kernel",
          "ssm.inner_size",
          "ssm.state_size",
          "ssm.time_step_rank",
          "ssm.group_count",
          "wkv.head_size",
          "shortconv.l_cache" ->
          UINT32;
      case "feed_forward_length",
          "expert_count",
          "expert_used_count",
          "expert_feed_forward_length",
          "attention.head_count",
          "attention.head_count_kv",
          "attention.key_length",
          "attention.value_length",
          "attention.sliding_window",
          "attention.sliding_window_pattern",
          "attention.indexer.types",
          "attention.recurrent_layers",
          "rope.dimension_count" ->
          LAYERS;
      case "attention.layer_norm_epsilon",
          "attention.layer_norm_rms_epsilon",
          "attention.group_norm_epsilon",
          "attention.clamp_kqv",
          "attention.max_alibi_bias",
          "attention.scale",
          "attention.output_scale",
          "attention.temperature_scale",
          "rope.scaling.factor",
          "rope.scaling.attn_factor",
          "rope.scaling.alpha",
          "rope.scaling.yarn_ext_factor",
          "rope.scaling.yarn_attn_factor",
          "rope.scaling.yarn_beta_fast",
          "rope.scaling.yarn_beta_slow",
          "rope.scaling.yarn_log_multiplier",
          "rope.scale_linear",
          "expert_weights_scale",
          "logit_scale",
          "residual_scale",
          "embedding_scale",
          "attn_logit_softcapping",
          "final_logit_softcapping",
          "router_logit_softcapping" ->
          FLOAT32;
      case "rope.freq_base", "rope.freq_base_swa", "swiglu_clamp_exp", "swiglu_clamp_shexp" ->
          LAYER_FLOATS;
      case "attention.causal",
          "expert_weights_norm",
          "use_parallel_residual",
          "rope.scaling.finetuned",
          "ssm.dt_b_c_rms" ->
          BOOL;
      case "rope.scaling.type" -> STRING;
      case "rope.dimension_sections" -> INTEGERS;
      case "classifier.output_labels" -> STRINGS;
      default -> null;
    };
  }
}
