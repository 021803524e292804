package dev.gguf.cli;

import dev.gguf.Severity;
import org.jspecify.annotations.Nullable;

/// Which findings make the exit status 1.
enum FailOn {
  ERROR,
  WARNING,
  NEVER;

  static @Nullable FailOn of(String label) {
    return switch (label) {
      case "error" -> ERROR;
      case "warning" -> WARNING;
      case "never" -> NEVER;
      default -> null;
    };
  }

  /// Returns whether a finding of this severity makes the exit status 1.
  ///
  /// @param severity of the worst finding, or null where there is none
  boolean counts(@Nullable Severity severity) {
    return severity == Severity.ERROR && this != NEVER
        || severity == Severity.WARNING && this == WARNING;
  }
}
