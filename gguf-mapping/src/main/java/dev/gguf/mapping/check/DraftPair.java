package dev.gguf.mapping.check;

import dev.gguf.FileKind;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.ValueType;
import org.jspecify.annotations.Nullable;

/// A draft or an MTP head against its target: width, vocabulary, the layers that it reads or
/// follows, and what it borrows.
final class DraftPair {
  private final Judged part;
  private final Judged model;

  DraftPair(Judged part, Judged model) {
    this.part = part;
    this.model = model;
  }

  void check() {
    boolean head = part.kind() == FileKind.MTP;
    if (head && !part.architecture().equals(model.architecture())) {
      part.add(
          part.aboutKey(
                  ModelRule.PAIR_ARCHITECTURE,
                  "general.architecture",
                  "the MTP head is of a "
                      + part.architecture()
                      + " model, "
                      + model.fileName()
                      + " is "
                      + model.architecture())
              .withHint("fetch the head of this model"));
      return;
    }
    width(head);
    vocabulary();
    if (head) {
      block();
    } else {
      layers();
    }
    borrows();
  }

  private void width(boolean head) {
    Long target = model.integer(model.key("embedding_length"));
    if (target == null || target <= 0 || target > 1L << 40) {
      return;
    }
    String key = part.key("target_hidden_size");
    Long own = part.integer(key);
    if (own == null && (head || borrowsEmbedding())) {
      key = part.key("embedding_length");
      own = part.integer(key);
    }
    if (own != null && !own.equals(target)) {
      part.add(
          part.aboutKey(
                  ModelRule.PAIR_WIDTH,
                  key,
                  key
                      + " is "
                      + own
                      + ", but "
                      + model.key("embedding_length")
                      + " of "
                      + model.fileName()
                      + " is "
                      + target
                      + "; the part was made for a target of width "
                      + own
                      + identity())
              .withHint("fetch the draft that was made for this model"));
      return;
    }
    Metadata.Entry list = targetLayers();
    Tensor fc = part.gguf().find("fc.weight").orElse(null);
    if (list != null && fc != null && list.array().count() > 0 && list.array().count() < 4096) {
      long wanted = list.array().count() * target;
      if (fc.ne(0) != wanted) {
        part.add(
            part.aboutTensor(
                    ModelRule.PAIR_WIDTH,
                    fc,
                    "fc.weight has rows of "
                        + fc.ne(0)
                        + ", but "
                        + list.array().count()
                        + " layers of "
                        + model.fileName()
                        + " with width "
                        + target
                        + " are "
                        + wanted)
                .withHint("fetch the draft that was made for this model"));
      }
    }
  }

  private String identity() {
    String name = part.string("general.basename");
    name = name.isEmpty() ? part.string("general.name") : name;
    return name.isEmpty() ? "" : " (" + name + ")";
  }

  private void vocabulary() {
    Long own = tokens(part);
    Long target = tokens(model);
    // A draft with a vocabulary of its own brings the table that translates it.
    if (own == null || target == null || own.equals(target) || part.has("d2t")) {
      return;
    }
    part.add(
        part.aboutModel(
                ModelRule.PAIR_VOCABULARY,
                "the part has a vocabulary of "
                    + own
                    + " tokens, "
                    + model.fileName()
                    + " has "
                    + target)
            .withHint("fetch the draft that was made for this model"));
  }

  private static @Nullable Long tokens(Judged file) {
    Metadata.Entry entry = file.entry("tokenizer.ggml.tokens");
    if (entry != null && entry.type() == ValueType.ARRAY && entry.array().count() > 0) {
      return entry.array().count();
    }
    Tensor embedding = file.gguf().find("token_embd.weight").orElse(null);
    return embedding != null ? Long.valueOf(embedding.ne(1)) : file.integer(file.key("vocab_size"));
  }

  /// The head is the block that follows the target's trunk.
  private void block() {
    Long blocks = model.integer(model.key("block_count"));
    Long nextn = model.integer(model.key("nextn_predict_layers"));
    int first = Integer.MAX_VALUE;
    Tensor at = null;
    for (Tensor tensor : part.tensors()) {
      int layer = tensor.layer().orElse(Integer.MAX_VALUE);
      if (layer < first) {
        first = layer;
        at = tensor;
      }
    }
    if (blocks == null || at == null) {
      return;
    }
    long trunk = blocks - (nextn == null ? 0 : nextn);
    if (first != trunk) {
      part.add(
          part.aboutTensor(
                  ModelRule.PAIR_LAYERS,
                  at,
                  "the head is block "
                      + first
                      + ", but the trunk of "
                      + model.fileName()
                      + " has "
                      + trunk
                      + " blocks, so its head would be block "
                      + trunk)
              .withHint("fetch the head of this model"));
    }
  }

  private Metadata.@Nullable Entry targetLayers() {
    for (String own :
        new String[] {"target_layers", "dflash.target_layer_ids", "target_layer_ids"}) {
      Metadata.Entry entry = part.entry(part.key(own));
      if (entry != null
          && entry.type() == ValueType.ARRAY
          && entry.array().elementType().isInteger()) {
        return entry;
      }
    }
    return null;
  }

  private void layers() {
    Metadata.Entry list = targetLayers();
    Long blocks = model.integer(model.key("block_count"));
    if (list == null || blocks == null || list.array().count() > 4096) {
      return;
    }
    for (long layer : list.array().integers()) {
      if (layer < 0 || layer >= blocks) {
        part.add(
            part.aboutKey(
                    ModelRule.PAIR_LAYERS,
                    list.key(),
                    list.key()
                        + " names layer "
                        + layer
                        + ", but "
                        + model.fileName()
                        + " has "
                        + blocks
                        + " blocks")
                .withHint("fetch the draft that was made for this model"));
        return;
      }
    }
  }

  private boolean borrowsEmbedding() {
    return part.hasAllTensors() && !part.has("token_embd.weight");
  }

  private void borrows() {
    if (!part.hasAllTensors()) {
      return;
    }
    boolean embedding = !part.has("token_embd.weight");
    boolean output = !part.has("output.weight");
    if (!embedding && !output || !embedding && part.kind() != FileKind.MTP) {
      return;
    }
    String what =
        embedding && output
            ? "token_embd.weight and output.weight"
            : embedding ? "token_embd.weight" : "output.weight";
    if (!embedding && !model.has("output.weight")) {
      return;
    }
    part.add(
        part.aboutModel(
            ModelRule.PAIR_BORROWS, "the part takes " + what + " from " + model.fileName()));
  }
}
