package dev.gguf.mapping.check;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.RequiredKey;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules about a model whose architecture has a map.
final class MappingRules {
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
    for (RequiredKey required : map.requiredKeys(model.metadata())) {
      if (!model.metadata().has(required.key())) {
        model.add(
            model
                .aboutKey(
                    ModelRule.KEY_REQUIRED,
                    required.key(),
                    required.key() + " is absent: " + required.reason())
                .withHint(
                    "convert the model again, or add the key: gguf edit "
                        + model.fileName()
                        + " OUT --set-type "
                        + required.key()
                        + ":uint32=VALUE"));
      }
    }
  }
}
