package dev.gguf.verify;

import dev.gguf.Rule;
import dev.gguf.Severity;

/// What the data of a model is scanned for. A file that changes while it is read is
/// [dev.gguf.FileRule#FILE_CHANGED].
public enum DataRule implements Rule {
  /// A value or a scale is not a number.
  VALUE_NAN(Severity.ERROR),
  /// A value or a scale is infinite.
  VALUE_INF(Severity.ERROR),
  /// A scale is no number in a type of which ggml checks nothing.
  SCALE_INVALID_STRICT(Severity.WARNING),
  /// ggml's data check refuses the type, whatever the bytes are.
  TYPE_REFUSED(Severity.INFO),
  /// The layout of a type is not known here, so its blocks are not judged.
  TYPE_NOT_JUDGED(Severity.INFO),
  /// Weights of a norm are so small or so large that they look stored in the other byte order.
  VALUE_IMPLAUSIBLE(Severity.WARNING),
  /// All bytes of a tensor are zero.
  ZERO_TENSOR(Severity.WARNING),
  /// Pages inside a tensor are zero.
  ZERO_RUN(Severity.WARNING),
  /// The file system says that data was never written.
  HOLE(Severity.WARNING),
  /// Tensors of the same role have the same bytes in several layers.
  DATA_EQUAL(Severity.INFO),
  /// The file's own digest stands beside it: it differs, or it agrees, which is information.
  DIGEST(Severity.ERROR);

  private final Severity severity;

  DataRule(Severity severity) {
    this.severity = severity;
  }

  @Override
  public Severity severity() {
    return severity;
  }
}
