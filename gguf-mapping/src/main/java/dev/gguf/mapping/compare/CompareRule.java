package dev.gguf.mapping.compare;

import dev.gguf.Rule;
import dev.gguf.Severity;

/// The rules about a model beside its checkpoint.
public enum CompareRule implements Rule {
  /// The halves of a `kv_b_proj` do not make the checkpoint's.
  KVB_WRONG(Severity.ERROR),
  /// One half of a `kv_b_proj`, or both, are absent.
  KVB_INCOMPLETE(Severity.ERROR),
  /// A half of a `kv_b_proj` has other dimensions than the metadata promise.
  KVB_SHAPE(Severity.ERROR),
  /// The metadata do not say how large the heads of `kv_b_proj` are.
  KVB_SIZES(Severity.ERROR),
  /// The undivided `attn_kv_b` stands beside the halves, or the halves have two dimensions: forms
  /// of ik_llama.cpp that other loaders refuse.
  KVB_FORM(Severity.WARNING),
  /// The undivided `attn_kv_b` of older files stands for the halves.
  KVB_UNDIVIDED(Severity.INFO),
  /// The halves of a `kv_b_proj` have different types.
  KVB_TYPES(Severity.INFO),
  /// The halves of a `kv_b_proj` lie in different files of a split set.
  KVB_SHARDS(Severity.INFO),
  /// The halves of a `kv_b_proj` are of a type that cannot be decoded.
  KVB_UNREADABLE(Severity.ERROR),
  /// The checkpoint has no `kv_b_proj` for a layer.
  KVB_REFERENCE(Severity.WARNING),
  /// The model has no `kv_b_proj`.
  KVB_NONE(Severity.INFO),
  /// No parameter could be compared at all.
  COMPARE_NONE(Severity.ERROR),
  /// A tensor's values are not those of the checkpoint.
  COMPARE_DIFFERS(Severity.ERROR),
  /// A tensor has another shape than its parameter in the checkpoint.
  COMPARE_SHAPE(Severity.ERROR),
  /// A tensor feeds a parameter that the checkpoint does not have.
  COMPARE_EXTRA(Severity.WARNING),
  /// A parameter of the checkpoint that the model needs is fed by no tensor.
  COMPARE_MISSING(Severity.ERROR),
  /// A parameter of the checkpoint is fed by no tensor.
  COMPARE_LEFT(Severity.WARNING),
  /// Values cannot be compared: of a type that cannot be decoded, or in a file that is not there.
  COMPARE_UNREADABLE(Severity.WARNING),
  /// There is no map of the file's architecture, so that nothing can be compared.
  COMPARE_NO_MAP(Severity.WARNING),
  /// The checkpoint names parameters in another spelling.
  INDEX_SPELLING(Severity.INFO);

  private final Severity severity;

  CompareRule(Severity severity) {
    this.severity = severity;
  }

  @Override
  public Severity severity() {
    return severity;
  }
}
