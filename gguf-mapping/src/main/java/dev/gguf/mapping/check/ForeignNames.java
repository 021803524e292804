package dev.gguf.mapping.check;

/// Tells names of tensors that a Hugging Face checkpoint uses and GGUF files do not.
final class ForeignNames {
  private static final String[] PREFIXES = {
    "model.layers.",
    "model.embed_tokens",
    "model.norm.",
    "model.decoder.",
    "model.encoder.",
    "model.language_model.",
    "language_model.",
    "transformer.h.",
    "transformer.wte",
    "transformer.word_embeddings",
    "transformer.blocks.",
    "gpt_neox.",
    "bert.encoder.",
    "bert.embeddings.",
    "encoder.layer.",
    "embeddings.word_embeddings",
    "text_model.encoder.",
    "backbone.layers.",
    "layers.",
    "lm_head.",
    "embed_tokens."
  };

  private ForeignNames() {}

  static boolean isForeign(String name) {
    if (name.startsWith("blk.")) {
      return false;
    }
    for (String prefix : PREFIXES) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
