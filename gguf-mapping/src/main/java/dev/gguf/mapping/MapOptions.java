package dev.gguf.mapping;

/// How to map.
///
/// @param mtp whether the layers for multi-token prediction belong to the target
public record MapOptions(boolean mtp) {
  /// The main language model without its MTP layers.
  public static final MapOptions DEFAULT = new MapOptions(false);

  /// The main language model with its MTP layers.
  public static final MapOptions WITH_MTP = new MapOptions(true);
}
