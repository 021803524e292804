package dev.gguf.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// The values of `tokenizer.ggml.pre` that released engines know.
final class PreTokenizers {
  private PreTokenizers() {}

  /// Returns whether a released engine knows the pre-tokenizer.
  static boolean isKnown(String name) {
    if (name.isEmpty() || name.indexOf('\n') >= 0) {
      return false;
    }
    try (InputStream in = PreTokenizers.class.getResourceAsStream("pre-tokenizers.txt")) {
      String names = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return names.contains("\n" + name + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
