package dev.gguf.mapping.check;

import dev.gguf.Tensor;
import org.jspecify.annotations.Nullable;

/// An adapter against its base model: each pair of halves must fit the tensor that it changes.
final class AdapterPair {
  private final Judged part;
  private final Judged model;
  private int widths;
  private int layers;
  private @Nullable String firstWidth;
  private @Nullable Tensor wrongWidth;
  private @Nullable String firstLayer;
  private @Nullable Tensor wrongLayer;

  AdapterPair(Judged part, Judged model) {
    this.part = part;
    this.model = model;
  }

  void check() {
    if (!part.architecture().isEmpty()
        && !model.architecture().isEmpty()
        && !part.architecture().equals(model.architecture())) {
      part.add(
          part.aboutKey(
                  ModelRule.PAIR_ARCHITECTURE,
                  "general.architecture",
                  "the adapter is for a "
                      + part.architecture()
                      + " model, "
                      + model.fileName()
                      + " is "
                      + model.architecture())
              .withHint("load the adapter with the base model that it was trained on"));
      return;
    }
    if (!model.hasAllTensors()) {
      return;
    }
    for (Tensor tensor : part.tensors()) {
      String name = tensor.name();
      if (name.endsWith(".lora_a") || name.endsWith(".lora_b")) {
        half(tensor, name.substring(0, name.length() - 7), name.endsWith("a"));
      }
    }
    Tensor layer = wrongLayer;
    if (layer != null) {
      part.add(
          part.aboutTensor(
                  ModelRule.PAIR_LAYERS,
                  layer,
                  Numbered.of(layers, "half", "halves")
                      + " for tensors that "
                      + model.fileName()
                      + " does not have, first "
                      + firstLayer)
              .withHint("load the adapter with the base model that it was trained on"));
    }
    Tensor width = wrongWidth;
    if (width != null) {
      part.add(
          part.aboutTensor(
                  ModelRule.PAIR_WIDTH,
                  width,
                  Numbered.of(widths, "half", "halves")
                      + " of another width than the base, first "
                      + firstWidth)
              .withHint("load the adapter with the base model that it was trained on"));
    }
  }

  private void half(Tensor half, String base, boolean isA) {
    Tensor tensor = model.gguf().find(base).orElse(null);
    if (tensor == null) {
      layers++;
      if (wrongLayer == null) {
        wrongLayer = half;
        firstLayer =
            half.name() + ", the base has " + model.integer(model.key("block_count")) + " blocks";
      }
      return;
    }
    // The rows of an embedding are looked up, so the halves of its adapter lie the other way round.
    boolean embedding = base.startsWith("token_embd.");
    long own = isA && !embedding ? half.ne(0) : half.ne(1);
    long wanted = isA != embedding ? tensor.ne(0) : tensor.ne(1);
    if (own != wanted) {
      widths++;
      if (wrongWidth == null) {
        wrongWidth = half;
        firstWidth =
            half.name()
                + " has "
                + own
                + ", "
                + base
                + " of "
                + model.fileName()
                + " has "
                + wanted;
      }
    }
  }
}
