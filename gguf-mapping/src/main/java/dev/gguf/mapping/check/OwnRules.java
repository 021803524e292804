package dev.gguf.mapping.check;

import dev.gguf.FileKind;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules about a model that need no map of names.
final class OwnRules {
  private OwnRules() {}

  /// Judges kind, architecture, keys and types.
  ///
  /// @param config the `config.json` of the checkpoint, or null
  /// @param findings those about the file, to which the new ones are added
  /// @return whether names, keys and shapes can be judged against a map as well
  static boolean check(Gguf gguf, @Nullable ModelConfig config, List<Finding> findings) {
    Judged model = new Judged(gguf, findings);
    KindRules.check(model);
    boolean known = ArchitectureRules.check(model);
    if (model.kind() == FileKind.MODEL || model.kind() == FileKind.MTP) {
      SwitchKeys.check(model);
    }
    if (!known) {
      return false;
    }
    if (model.hasAllKeys()) {
      ValueRules.check(model);
      if (config != null) {
        ConfigRules.check(model, config);
      }
    }
    TypeRules.check(model);
    HeadRules.check(model);
    DialectRules.check(model);
    return model.kind() == FileKind.MODEL || model.kind() == FileKind.MTP;
  }
}
