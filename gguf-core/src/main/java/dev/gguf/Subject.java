package dev.gguf;

import java.util.Locale;

/// What a [Finding] is about.
///
/// @param kind which sort of thing
/// @param name its name as the file writes it, such as `blk.3.attn_k_b.weight` or
///   `general.alignment`
public record Subject(Kind kind, String name) {
  /// The sorts of things that findings are about.
  public enum Kind {
    /// A file of the model.
    FILE,
    /// A metadata key.
    KEY,
    /// A tensor of the file.
    TENSOR,
    /// A file of a split set.
    SHARD,
    /// A block of the model, by number.
    LAYER,
    /// A parameter of the checkpoint or the engine.
    PARAMETER,
    /// The model as a whole.
    MODEL,
    /// A program that loads models.
    ENGINE;

    private final String label = name().toLowerCase(Locale.ROOT);

    /// Returns the lower-case word used in every output.
    public String label() {
      return label;
    }
  }

  /// Returns the file with this name as a subject.
  public static Subject file(String name) {
    return new Subject(Kind.FILE, name);
  }

  /// Returns the metadata key as a subject.
  public static Subject key(String key) {
    return new Subject(Kind.KEY, key);
  }

  /// Returns the tensor with this name as a subject.
  public static Subject tensor(String name) {
    return new Subject(Kind.TENSOR, name);
  }
}
