package dev.gguf.check;

import dev.gguf.internal.Resources;
import java.nio.charset.StandardCharsets;

/// The values of `tokenizer.ggml.pre` that released engines know.
final class PreTokenizers {
  private PreTokenizers() {}

  /// Returns whether a released engine knows the pre-tokenizer.
  static boolean isKnown(String name) {
    if (name.isEmpty() || name.indexOf('\n') >= 0) {
      return false;
    }
    byte[] text = Resources.read(PreTokenizers.class, "pre-tokenizers.txt");
    return new String(text, StandardCharsets.UTF_8).contains("\n" + name + "\n");
  }
}
