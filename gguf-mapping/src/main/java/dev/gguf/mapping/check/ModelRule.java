package dev.gguf.mapping.check;

import dev.gguf.Rule;
import dev.gguf.Severity;

/// The rules about the model that a file holds: its names, shapes and keys.
public enum ModelRule implements Rule {
  /// A parameter of the target that no tensor feeds.
  PARAMETER_MISSING(Severity.ERROR),
  /// A tensor that no rule knows.
  TENSOR_UNKNOWN(Severity.WARNING),
  /// Tensors of layers for multi-token prediction, which the main model skips.
  TENSOR_MTP(Severity.INFO),
  /// Tensors whose content engines make themselves.
  TENSOR_NO_COUNTERPART(Severity.INFO),
  /// Scales beside a known weight.
  TENSOR_COMPANION(Severity.INFO),
  /// Known names on layers or in models where the target has none.
  TENSOR_SURPLUS(Severity.INFO),
  /// Tensors for images or sound inside a language model.
  TENSOR_MULTIMODAL(Severity.WARNING),
  /// Tensors under older names.
  NAME_LEGACY(Severity.WARNING),
  /// An optional tensor is absent because another one stands in for it.
  TENSOR_SHARED(Severity.INFO),
  /// A tensor of a block at or above `block_count`.
  BLOCK_OUTSIDE(Severity.WARNING),
  /// A tensor whose dimensions are not those that the keys say.
  SHAPE(Severity.ERROR),
  /// Blocks promised, none or part of their tensors present.
  BLOCKS_ABSENT(Severity.ERROR),
  /// The keys promise an MTP layer that has no tensor.
  MTP_EMPTY(Severity.ERROR),
  /// A key of the architecture without which its loaders refuse.
  KEY_REQUIRED(Severity.ERROR),
  /// No `general.architecture` in a model.
  ARCHITECTURE_MISSING(Severity.ERROR),
  /// An architecture string in no list.
  ARCHITECTURE_UNKNOWN(Severity.WARNING),
  /// None of the architecture's own keys is present.
  ARCHITECTURE_DOUBTFUL(Severity.WARNING);

  private final String id = name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  private final Severity severity;

  ModelRule(Severity severity) {
    this.severity = severity;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public Severity severity() {
    return severity;
  }
}
