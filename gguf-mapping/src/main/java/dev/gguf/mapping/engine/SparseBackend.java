package dev.gguf.mapping.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A backend for attention with an indexer: what its class accepts.
///
/// @param capabilities major compute capabilities
/// @param dtypes activation types
/// @param nope widths of the part of a key without rotation, or empty for any
/// @param topK the only number of selected tokens, or 0 for any
/// @param cache the cache that it takes whatever is asked for, or empty
/// @param fp8 the cache that it takes where fp8 is asked for, or empty
record SparseBackend(
    List<String> capabilities,
    List<String> dtypes,
    List<String> nope,
    long topK,
    String cache,
    String fp8) {

  /// Returns the first backend that takes the model, or null.
  static @Nullable SparseBackend chosen(Attempt attempt, String capability, String dtype) {
    for (Fact fact : attempt.profile.under("sparse")) {
      SparseBackend backend = of(fact);
      if (backend.refusal(attempt, capability, dtype).isEmpty()) {
        return backend;
      }
    }
    return null;
  }

  /// Reads `capability 9,10 dtypes bfloat16 nope 128,192 topk 2048`.
  static SparseBackend of(Fact fact) {
    List<String> words = ProfileText.words(fact.value());
    List<String> capabilities = List.of();
    List<String> dtypes = List.of();
    List<String> nope = List.of();
    long topK = 0;
    String cache = "";
    String fp8 = "";
    for (int i = 0; i + 1 < words.size(); i += 2) {
      List<String> values = List.of(words.get(i + 1).split(","));
      switch (words.get(i)) {
        case "capability" -> capabilities = values;
        case "dtypes" -> dtypes = values;
        case "nope" -> nope = values;
        case "topk" -> topK = Long.parseLong(words.get(i + 1));
        case "kv" -> cache = words.get(i + 1);
        case "fp8" -> fp8 = words.get(i + 1);
        default -> {}
      }
    }
    return new SparseBackend(capabilities, dtypes, nope, topK, cache, fp8);
  }

  /// Returns why the backend does not take the model, in the engine's phrases, or an empty text.
  String refusal(Attempt attempt, String capability, String dtype) {
    StringBuilder text = new StringBuilder();
    int dot = capability.indexOf('.');
    if (!capabilities.contains(dot < 0 ? capability : capability.substring(0, dot))) {
      add(text, "compute capability not supported");
    }
    if (!dtypes.contains(dtype)) {
      add(text, "dtype not supported");
    }
    long width =
        attempt.integer("attention.key_length_mla", 0) - attempt.integer("rope.dimension_count", 0);
    if (!nope.isEmpty() && !nope.contains(Long.toString(width))) {
      add(
          text,
          "FlashInfer MLA Sparse kernel requires qk_nope_head_dim "
              + (nope.size() == 1
                  ? "== " + nope.getFirst()
                  : "in [" + String.join(", ", nope) + "]")
              + ", but got "
              + width);
    }
    long selected = attempt.integer("attention.indexer.top_k", 0);
    if (topK > 0 && topK != selected) {
      add(text, "requires index_topk=" + topK + "; got " + selected);
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String phrase) {
    text.append(text.isEmpty() ? "" : ", ").append(phrase);
  }
}
