package dev.gguf.mapping;

/// In which way two halves fail to make a `kv_b_proj`.
public enum KvBFault {
  /// `attn_k_b` holds the key rows of each head as they are, not transposed.
  NOT_TRANSPOSED("not-transposed"),
  /// All key rows of all heads come before all value rows, or after them, instead of head by head.
  GROUPED_BY_KIND("grouped-by-kind"),
  /// Within each head the value rows come before the key rows.
  VALUE_BEFORE_NOPE("value-before-nope"),
  /// The rows are divided into another number of heads.
  WRONG_HEAD_COUNT("wrong-head-count"),
  /// The heads are those of the reference in another order.
  HEADS_REORDERED("heads-reordered"),
  /// One half, or both, belong to another layer.
  WRONG_LAYER("wrong-layer"),
  /// `attn_k_b` differs, in no way that is known; `attn_v_b` is right.
  KEYS_DIFFER("keys-differ"),
  /// `attn_v_b` differs, in no way that is known; `attn_k_b` is right.
  VALUES_DIFFER("values-differ"),
  /// Some heads differ, in no way that is known; the others are right.
  HEADS_DIFFER("heads-differ"),
  /// Both halves differ in no way that is known.
  DIFFERENT("different");

  private final String id;

  KvBFault(String id) {
    this.id = id;
  }

  /// Returns the word used in every output.
  public String id() {
    return id;
  }
}
