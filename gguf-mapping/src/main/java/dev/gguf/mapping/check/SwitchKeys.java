package dev.gguf.mapping.check;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Keys that switch a group of tensors on. Where such a key is absent and another one looks like
/// it, engines never ask for the group, and nothing else tells why.
///
/// Judged for every architecture: the keys are the same in all of them.
final class SwitchKeys {
  /// A key without its prefix, and what the names of the tensors contain that it switches on.
  private static final String[][] SWITCHES = {
    {"attn_res.block_size", "attn_res"},
    {"nextn_predict_layers", ".nextn."},
    {"attention.indexer.top_k", ".indexer."},
    {"attention.indexer.head_count", ".indexer."},
    {"attention.indexer.key_length", ".indexer."},
    {"attention.indexer.block_size", ".indexer."},
    {"attention.kv_lora_rank", ".attn_kv_a"},
    {"attention.q_lora_rank", ".attn_q_a"},
    {"attention.key_length_mla", ".attn_k_b"},
    {"attention.value_length_mla", ".attn_v_b"},
    {"attention.shared_kv_layers", ".attn_"},
    {"attention.sliding_window", ".attn_"},
    {"expert_count", "_exps."},
    {"expert_used_count", "_exps."},
    {"expert_feed_forward_length", "_exps."},
    {"expert_gating_func", "exp_probs_b"},
    {"expert_shared_count", "_shexp."},
    {"expert_shared_feed_forward_length", "_shexp."},
    {"leading_dense_block_count", "_exps."},
    {"full_attention_interval", ".ssm_"},
    {"ssm.conv_kernel", ".ssm_conv1d"},
    {"ssm.state_size", ".ssm_"},
    {"ssm.inner_size", ".ssm_"},
    {"ssm.time_step_rank", ".ssm_"},
    {"ssm.group_count", ".ssm_"},
    {"shortconv.l_cache", ".shortconv."},
    {"wkv.head_size", ".time_mix_"},
    {"kda.head_dim", ".ssm_"},
    {"embedding_length_per_layer_input", "per_layer_"},
    {"n_deepstack_layers", "deepstack"},
    {"moe_latent_size", "latent"},
    {"classifier.output_labels", "cls."},
    {"pooling_type", "cls."},
  };

  private static final int SHORTEST_WITH_SLIP = 10;
  private static final int MOST_KEYS = 512;

  private final Judged model;
  private final String prefix;

  private SwitchKeys(Judged model) {
    this.model = model;
    this.prefix = model.architecture() + ".";
  }

  static void check(Judged model) {
    if (!model.architecture().isEmpty() && model.hasAllKeys() && !model.tensors().isEmpty()) {
      new SwitchKeys(model).check();
    }
  }

  private void check() {
    Map<String, String> unusual = unusualKeys();
    if (unusual.isEmpty()) {
      return;
    }
    List<String> told = new ArrayList<>();
    for (String[] each : SWITCHES) {
      String key = prefix + each[0];
      if (model.metadata().has(key)) {
        continue;
      }
      String lookAlike = lookAlike(each[0], unusual);
      if (lookAlike != null && !told.contains(lookAlike) && finding(key, each[1], lookAlike)) {
        told.add(lookAlike);
      }
    }
  }

  /// The architecture's own keys that are no switch, each under its name without separators.
  private Map<String, String> unusualKeys() {
    Map<String, String> unusual = new HashMap<>();
    for (Metadata.Entry entry : model.metadata()) {
      String key = entry.key();
      if (unusual.size() == MOST_KEYS) {
        break;
      }
      if (key.startsWith(prefix) && key.length() < 256 && !isSwitch(key)) {
        unusual.put(plain(key.substring(prefix.length())), key);
      }
    }
    return unusual;
  }

  private boolean isSwitch(String key) {
    for (String[] each : SWITCHES) {
      if (key.length() == prefix.length() + each[0].length() && key.endsWith(each[0])) {
        return true;
      }
    }
    return false;
  }

  private static String plain(String own) {
    StringBuilder plain = new StringBuilder(own.length());
    for (int i = 0; i < own.length(); i++) {
      char c = own.charAt(i);
      if (c != '.' && c != '_' && c != '-') {
        plain.append(Character.toLowerCase(c));
      }
    }
    return plain.toString();
  }

  private static @Nullable String lookAlike(String own, Map<String, String> unusual) {
    String plain = plain(own);
    String equal = unusual.get(plain);
    if (equal != null || plain.length() < SHORTEST_WITH_SLIP) {
      return equal;
    }
    for (Map.Entry<String, String> each : unusual.entrySet()) {
      if (Math.abs(each.getKey().length() - plain.length()) <= 1
          && Architectures.distance(each.getKey(), plain) <= 1) {
        return each.getValue();
      }
    }
    return null;
  }

  private boolean finding(String key, String group, String lookAlike) {
    int count = 0;
    Tensor first = null;
    for (Tensor tensor : model.tensors()) {
      if (tensor.name().contains(group)) {
        count++;
        first = first == null ? tensor : first;
      }
    }
    if (first == null) {
      return false;
    }
    model.add(
        model
            .aboutKey(
                ModelRule.SWITCH_KEY,
                lookAlike,
                (count == 1 ? "1 tensor" : count + " tensors")
                    + ", first "
                    + first.name()
                    + ", are read by engines when "
                    + key
                    + " is there; it is absent, and "
                    + lookAlike
                    + " stands in its place")
            .withHint("gguf edit " + model.fileName() + " OUT --rename " + lookAlike + "=" + key));
    return true;
  }
}
