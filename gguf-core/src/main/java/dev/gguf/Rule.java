package dev.gguf;

import java.util.Locale;

/// A condition that a file is checked for. Every module has an enum of its own rules;
/// `docs/rules.md` lists them all.
public interface Rule {
  /// Returns the name of the constant, such as `TENSOR_OUTSIDE_FILE`.
  String name();

  /// Returns the stable identifier, lower-case words joined by dashes, such as
  /// `tensor-outside-file`.
  default String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// Returns the severity that a finding of this rule has unless the finding says otherwise.
  Severity severity();

  /// Returns whether [Gguf#open] still gives a model when the condition is met.
  default boolean opens() {
    return true;
  }
}
