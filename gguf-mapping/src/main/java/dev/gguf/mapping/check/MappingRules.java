package dev.gguf.mapping.check;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.RequiredKey;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The rules about a model whose architecture has a map.
final class MappingRules {
  private static final String EPSILON = "attention.layer_norm_rms_epsilon";
  private static final String PLAIN_EPSILON = "attention.layer_norm_epsilon";

  private MappingRules() {}

  /// Judges names, blocks, shapes and the keys that they follow from.
  ///
  /// @param config the `config.json` of the checkpoint, or null
  /// @param findings those about the file, to which the new ones are added
  static void check(
      Gguf gguf,
      NameMap map,
      Mapping mapping,
      @Nullable ModelConfig config,
      List<Finding> findings) {
    Judged model = new Judged(gguf, findings);
    if (model.hasAllKeys()) {
      requiredKeys(model, map);
      ShapeRules.check(model, mapping);
      BlockRules blocks = new BlockRules(model, mapping);
      blocks.check();
      if (model.hasAllTensors()) {
        MissingRules.check(model, mapping, blocks.absent());
      }
    }
    UnmappedRules.check(model, mapping);
    LegacyRules.check(model, mapping);
    SharedRules.check(model, mapping, config);
  }

  private static void requiredKeys(Judged model, NameMap map) {
    Map<String, String> absent = new LinkedHashMap<>();
    for (RequiredKey required : map.requiredKeys(model.metadata())) {
      absent.put(required.key(), required.reason());
    }
    // What the reference loader reads before it looks at the architecture.
    absent.putIfAbsent(model.key("block_count"), "the number of blocks");
    absent.putIfAbsent(model.key("embedding_length"), "the width of the model");
    absent.putIfAbsent(model.key("context_length"), "the length of texts in training");
    absent.keySet().removeIf(model.metadata()::has);
    if (!hasEpsilon(model)) {
      absent.putIfAbsent(
          model.key(EPSILON), "the epsilon of norms, and there is no " + model.key(PLAIN_EPSILON));
    }
    absent.forEach((key, reason) ->
        model.add(
            model
                .aboutKey(ModelRule.KEY_REQUIRED, key, key + " is absent: " + reason)
                .withHint(
                    "convert the model again, or add the key: gguf edit "
                        + model.fileName()
                        + " OUT --set-type "
                        + key
                        + (key.endsWith("epsilon") ? ":float32=VALUE" : ":uint32=VALUE"))));
  }

  /// Every loader but one, which has a default, reads an epsilon of one or the other kind of norm.
  private static boolean hasEpsilon(Judged model) {
    return model.metadata().has(model.key(EPSILON))
        || model.metadata().has(model.key(PLAIN_EPSILON))
        || model.architecture().equals("arwkv7");
  }
}
