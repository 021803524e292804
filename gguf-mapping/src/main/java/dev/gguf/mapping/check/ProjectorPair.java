package dev.gguf.mapping.check;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.ValueType;
import org.jspecify.annotations.Nullable;

/// A projector against its language model: what it puts out must be as wide as what the model takes
/// in.
final class ProjectorPair {
  private final Judged part;
  private final Judged model;

  ProjectorPair(Judged part, Judged model) {
    this.part = part;
    this.model = model;
  }

  void check() {
    Long width = model.integer(model.key("embedding_length"));
    Long output = output();
    if (width == null || output == null || width <= 0 || width > 1L << 40) {
      return;
    }
    long deepstack = deepstack();
    if (output.equals(width) || output == width * (1 + deepstack)) {
      return;
    }
    part.add(
        part.aboutModel(
                ModelRule.PAIR_WIDTH,
                "the projector puts out vectors of "
                    + output
                    + ", but "
                    + model.key("embedding_length")
                    + " of "
                    + model.fileName()
                    + " is "
                    + width
                    + (deepstack == 0
                        ? ""
                        : ", "
                            + width * (1 + deepstack)
                            + " with its "
                            + deepstack
                            + " deepstack layers")
                    + "; it was made for a text model of width "
                    + output
                    + identity())
            .withHint("fetch the mmproj file from where " + model.fileName() + " comes from"));
  }

  /// What the projector says about the model that it is for.
  private String identity() {
    StringBuilder text = new StringBuilder();
    for (String key :
        new String[] {
          "general.basename", "general.size_label", "general.name", "clip.projector_type"
        }) {
      String value = part.string(key);
      if (!value.isEmpty()) {
        text.append(text.isEmpty() ? " (" : ", ").append(key).append(' ').append(value);
      }
    }
    return text.isEmpty() ? "" : text.append(')').toString();
  }

  /// Layers of the vision part whose output the text model takes in as well.
  private long deepstack() {
    Long declared = model.integer(model.key("n_deepstack_layers"));
    if (declared != null) {
      return Math.clamp(declared, 0, 4096);
    }
    Metadata.Entry flags = part.entry("clip.vision.is_deepstack_layers");
    if (flags == null
        || flags.type() != ValueType.ARRAY
        || flags.array().elementType() != ValueType.BOOL
        || flags.array().count() > 4096) {
      return 0;
    }
    long count = 0;
    for (long flag : flags.array().integers()) {
      count += flag;
    }
    return count;
  }

  /// The rows of the last numbered layer; the key can be the width of an inner layer, so it counts
  /// only where there is no such tensor.
  private @Nullable Long output() {
    long last = -1;
    Long rows = null;
    for (Tensor tensor : part.tensors()) {
      long number = number(tensor.name());
      if (number > last && tensor.dimensions() == 2) {
        last = number;
        rows = tensor.ne(1);
      }
    }
    if (rows != null) {
      return rows;
    }
    Long vision = part.integer("clip.vision.projection_dim");
    return vision != null ? vision : part.integer("clip.audio.projection_dim");
  }

  /// The number in a name `mm.N.weight`, or -1.
  private static long number(String name) {
    if (!name.startsWith("mm.") || !name.endsWith(".weight") || name.length() > 16) {
      return -1;
    }
    String digits = name.substring(3, name.length() - 7);
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
        return -1;
      }
    }
    return digits.isEmpty() ? -1 : Long.parseLong(digits);
  }
}
