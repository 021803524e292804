package dev.gguf.mapping.check;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.ValueType;

/// Values of keys that cannot be right, or that mislead an engine.
final class ValueRules {
  private final Judged model;

  private ValueRules(Judged model) {
    this.model = model;
  }

  static void check(Judged model) {
    ValueRules rules = new ValueRules(model);
    if (!rules.isRecurrent()) {
      rules.zero("attention.head_count");
    }
    rules.zero("embedding_length");
    rules.zero("block_count");
    rules.heads();
    rules.experts();
    rules.mtpBlocks();
    rules.yarn();
    rules.gating();
  }

  /// Returns whether all blocks hold a state instead of attention, as in Mamba and RWKV: converters
  /// write zero heads for them.
  private boolean isRecurrent() {
    boolean state = false;
    for (Tensor tensor : model.tensors()) {
      String name = tensor.name();
      if (name.contains(".attn_q") || name.contains(".attn_k")) {
        return false;
      }
      state |= name.contains(".ssm_") || name.contains(".time_mix_");
    }
    return state;
  }

  private void zero(String own) {
    Long value = model.integer(model.key(own));
    if (value != null && value <= 0) {
      model.add(
          model
              .aboutKey(
                  ModelRule.VALUE_RANGE,
                  model.key(own),
                  model.key(own) + " is " + value + ", it must be above 0")
              .withHint(
                  "gguf edit " + model.fileName() + " OUT --set " + model.key(own) + "=NUMBER"));
    }
  }

  /// Some blocks may be without attention, but not all.
  private void heads() {
    String key = model.key("attention.head_count");
    Metadata.Entry entry = model.entry(key);
    if (entry == null
        || entry.type() != ValueType.ARRAY
        || !entry.array().elementType().isInteger()
        || entry.array().count() == 0
        || entry.array().count() > 65_536) {
      return;
    }
    for (long heads : entry.array().integers()) {
      if (heads != 0) {
        return;
      }
    }
    model.add(
        model
            .aboutKey(
                ModelRule.VALUE_RANGE,
                key,
                key + " is 0 for all " + entry.array().count() + " blocks, one must be above 0")
            .withHint("convert the checkpoint again"));
  }

  private void experts() {
    Long all = model.integer(model.key("expert_count"));
    Long used = model.integer(model.key("expert_used_count"));
    if (all == null || used == null || all < 0) {
      return;
    }
    String key = model.key("expert_used_count");
    if (used > all) {
      used(key + " is " + used + ", above " + model.key("expert_count") + " " + all);
    } else if (all > 0 && used <= 0) {
      used(key + " is " + used + " in a model of " + all + " experts, it must be above 0");
    }
  }

  private void used(String message) {
    String key = model.key("expert_used_count");
    model.add(
        model
            .aboutKey(ModelRule.VALUE_RANGE, key, message)
            .withHint("--override-kv " + key + "=int:NUMBER"));
  }

  private void mtpBlocks() {
    Long blocks = model.integer(model.key("block_count"));
    Long nextn = model.integer(model.key("nextn_predict_layers"));
    if (blocks != null && nextn != null && blocks > 0 && nextn >= blocks) {
      model.add(
          model
              .aboutKey(
                  ModelRule.VALUE_RANGE,
                  model.key("nextn_predict_layers"),
                  model.key("nextn_predict_layers")
                      + " is "
                      + nextn
                      + ", it must be below "
                      + model.key("block_count")
                      + " "
                      + blocks)
              .withHint("--override-kv " + model.key("nextn_predict_layers") + "=int:0"));
    }
  }

  private void yarn() {
    Double factor = model.number(model.key("rope.scaling.factor"));
    Double extrapolation = model.number(model.key("rope.scaling.yarn_ext_factor"));
    if (factor != null && factor != 1 && factor.equals(extrapolation)) {
      String key = model.key("rope.scaling.yarn_ext_factor");
      model.add(
          model
              .aboutKey(
                  ModelRule.ROPE_SCALING,
                  key,
                  key
                      + " equals the scale factor "
                      + text(factor)
                      + ": a slip of a converter, 1 is usual")
              .withHint("--override-kv " + key + "=float:1"));
    }
  }

  static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Float.toString((float) value);
  }

  /// The loader of deepseek2 takes softmax where the key is absent; a selection bias goes with
  /// sigmoid.
  private void gating() {
    String key = model.key("expert_gating_func");
    if (!model.architecture().equals("deepseek2") || model.metadata().has(key)) {
      return;
    }
    int count = 0;
    Tensor first = null;
    for (Tensor tensor : model.tensors()) {
      if (tensor.layer().isPresent() && tensor.name().contains(".exp_probs_b")) {
        count++;
        first = first == null ? tensor : first;
      }
    }
    if (first != null) {
      Metadata.Entry vocabulary = model.entry(model.key("vocab_size"));
      model.add(
          model
              .aboutKey(
                  ModelRule.DEFAULT_RISKY,
                  key,
                  key
                      + " is absent, so the loader of deepseek2 takes softmax, but "
                      + count
                      + " tensors such as "
                      + first.name()
                      + " go with sigmoid"
                      + (vocabulary == null
                          ? ""
                          : "; newer builds of llama.cpp guess sigmoid for a vocabulary of 154880"
                              + " alone"))
              .withHint("--override-kv " + key + "=int:2"));
    }
  }
}
