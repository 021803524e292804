package dev.gguf;

import java.util.Locale;

/// What a file is for.
public enum FileKind {
  /// A model with weights, whole or a split set.
  MODEL,
  /// A LoRA adapter for a model.
  ADAPTER,
  /// The image or audio part that goes beside a language model.
  PROJECTOR,
  /// An importance matrix for quantising.
  IMATRIX,
  /// A tokenizer without weights.
  VOCABULARY,
  /// The multi-token-prediction layers of a model without its trunk.
  MTP,
  /// No GGUF file.
  NOT_GGUF;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /// Returns the lower-case word used in every output, such as `model` or `not-gguf`.
  public String label() {
    return label;
  }

  /// @param complete whether the tensors are all that the files promise
  static FileKind of(Metadata metadata, Iterable<Tensor> tensors, boolean complete) {
    String type = metadata.findString("general.type").orElse("");
    String architecture = metadata.findString("general.architecture").orElse("");
    if (type.equals("adapter") || metadata.has("adapter.type")) {
      return ADAPTER;
    }
    if (type.equals("mmproj") || type.equals("clip-vision") || architecture.equals("clip")) {
      return PROJECTOR;
    }
    if (type.equals("imatrix")
        || architecture.equals("imatrix")
        || metadata.has("imatrix.datasets")) {
      return IMATRIX;
    }
    int lowest = Integer.MAX_VALUE;
    boolean any = false;
    boolean nextn = false;
    for (Tensor tensor : tensors) {
      any = true;
      int layer = tensor.layer().orElse(Integer.MAX_VALUE);
      lowest = Math.min(lowest, layer);
      nextn |= layer < Integer.MAX_VALUE && tensor.name().contains(".nextn.");
    }
    if (!any
        && complete
        && metadata.has("tokenizer.ggml.model")
        && integer(metadata, "split.count", 0) < 2) {
      return VOCABULARY;
    }
    return nextn && lowest >= trunkLayers(metadata, architecture) ? MTP : MODEL;
  }

  /// The number of layers before those of multi-token prediction; none are before them only where
  /// the keys are wrong, and then nothing follows from where a tensor stands.
  private static long trunkLayers(Metadata metadata, String architecture) {
    long blocks = integer(metadata, architecture + ".block_count", Long.MAX_VALUE);
    long trunk = blocks - integer(metadata, architecture + ".nextn_predict_layers", 0);
    return trunk > 0 ? trunk : Long.MAX_VALUE;
  }

  private static long integer(Metadata metadata, String key, long absent) {
    try {
      return metadata.integer(key, absent);
    } catch (MetadataException e) {
      return absent;
    }
  }
}
