package dev.gguf.mapping.internal;

/// An integer formula of a map file. Truth is 1 and 0.
public interface Expression {
  /// The value of what cannot be known, because a key is absent. It spreads through arithmetic; a
  /// condition that is unknown does not hold.
  long UNKNOWN = Long.MIN_VALUE;

  /// Returns the value in a scope, or [#UNKNOWN].
  long value(Scope scope);

  /// Returns whether a condition holds.
  default boolean holds(Scope scope) {
    long value = value(scope);
    return value != 0 && value != UNKNOWN;
  }
}
