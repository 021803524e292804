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
  ARCHITECTURE_DOUBTFUL(Severity.WARNING),
  /// The architecture has no map, so names and shapes are not judged.
  NAMES_NOT_JUDGED(Severity.INFO),
  /// What a file is that is no model by itself.
  KIND(Severity.INFO),
  /// A value of a key that cannot be right.
  VALUE_RANGE(Severity.ERROR),
  /// The file calls itself by another type than most of its bytes have.
  FILE_TYPE(Severity.INFO),
  /// A group of tensors whose key is absent while another one looks like it.
  SWITCH_KEY(Severity.WARNING),
  /// A key contradicts the checkpoint's `config.json`.
  CONFIG_DIFFERS(Severity.ERROR),
  /// Another exporter's dialect of the architecture.
  DIALECT(Severity.INFO),
  /// A factor of rope scaling that a converter is known to write wrongly.
  ROPE_SCALING(Severity.INFO),
  /// A router, norm or bias is quantised.
  TYPE_UNUSUAL(Severity.WARNING),
  /// An MTP head without embedding that does not say whose it takes.
  MTP_SHARED(Severity.ERROR),
  /// The layers that a draft reads of its target are not said, or do not fit its weights.
  DRAFT_LAYERS(Severity.ERROR),
  /// A reranker without its classification head.
  HEAD_ABSENT(Severity.WARNING),
  /// A key is absent whose default is wrong for this model.
  DEFAULT_RISKY(Severity.WARNING),
  /// Names of tensors in the style of a checkpoint.
  NAME_FOREIGN(Severity.WARNING),
  /// A tensor of an adapter without its other half.
  ADAPTER_PARTNER(Severity.ERROR),
  /// The two halves of an adapter's tensor have different ranks.
  ADAPTER_RANK(Severity.ERROR),
  /// A projector that does not say of which type it is.
  PROJECTOR_TYPE(Severity.WARNING),
  /// A part is made for another architecture than its model has.
  PAIR_ARCHITECTURE(Severity.ERROR),
  /// The parts of a model have different widths.
  PAIR_WIDTH(Severity.ERROR),
  /// A part reads layers that its target does not have.
  PAIR_LAYERS(Severity.ERROR),
  /// The parts of a model have vocabularies of different sizes.
  PAIR_VOCABULARY(Severity.ERROR),
  /// A part takes tensors from its target.
  PAIR_BORROWS(Severity.INFO);

  private final Severity severity;

  ModelRule(Severity severity) {
    this.severity = severity;
  }

  @Override
  public Severity severity() {
    return severity;
  }
}
