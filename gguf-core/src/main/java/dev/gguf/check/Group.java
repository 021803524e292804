package dev.gguf.check;

import dev.gguf.Finding;
import dev.gguf.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The things of one kind that break one rule: how many they are, and the finding of the first, so
/// that a file with 100,000 faults is told in one line.
final class Group {
  private final Rule rule;
  private final String things;
  private int count;
  private @Nullable Finding first;

  /// Starts without any.
  ///
  /// @param things what is counted, in the plural
  Group(Rule rule, String things) {
    this.rule = rule;
    this.things = things;
  }

  /// Counts one more; true if it is the first, whose finding has to be [#set].
  boolean add() {
    return ++count == 1;
  }

  void set(Finding finding) {
    first = finding;
  }

  Rule rule() {
    return rule;
  }

  int count() {
    return count;
  }

  /// Adds the finding of the first, with the number of all in front of it where there are more.
  void addTo(List<Finding> findings) {
    if (first == null) {
      return;
    }
    Finding told = first;
    if (count > 1) {
      told =
          new Finding(
              told.rule(),
              told.severity(),
              told.subject(),
              told.file(),
              told.byteOffset(),
              count + " " + things + ", first " + told.message(),
              told.hint());
    }
    findings.add(told);
  }
}
