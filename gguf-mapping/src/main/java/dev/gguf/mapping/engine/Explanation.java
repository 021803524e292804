package dev.gguf.mapping.engine;

import java.util.Optional;
import java.util.OptionalInt;

/// What an error, or a name, of an engine is about.
///
/// @param line number of its line in a log, from 1; 0 for a text that was given
/// @param text the error without the prefixes of process, rank and time
/// @param rank the rank that printed it first, where the log says one
/// @param tensor the only tensor that it is about
/// @param parameter the only parameter that it is about, as the checkpoint names it
/// @param mechanism what went wrong; `unknown` where no rule knows
/// @param remedy what to do
/// @param source where the mechanism was read or reported
public record Explanation(
    int line,
    String text,
    OptionalInt rank,
    Optional<String> tensor,
    Optional<String> parameter,
    String mechanism,
    Optional<String> remedy,
    Optional<String> source) {
  /// The mechanism of what no rule knows.
  public static final String UNKNOWN = "unknown";

  /// Returns whether a rule knows the mechanism.
  public boolean isKnown() {
    return !mechanism.equals(UNKNOWN);
  }

  Explanation at(int number, OptionalInt who) {
    return new Explanation(number, text, who, tensor, parameter, mechanism, remedy, source);
  }
}
