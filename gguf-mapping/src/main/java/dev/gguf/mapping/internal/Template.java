package dev.gguf.mapping.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A name with places for numbers: `{L}` or any formula in braces, and `{E}` for an expert.
public final class Template {
  private final String text;
  private final String @Nullable [] literals;
  private final Expression @Nullable [] numbers;
  private final int expert;

  private Template(
      String text, String @Nullable [] literals, Expression @Nullable [] numbers, int expert) {
    this.text = text;
    this.literals = literals;
    this.numbers = numbers;
    this.expert = expert;
  }

  /// @param literals what stands between the numbers, one more than these; null where `{E}` stands
  static Template of(String text, List<String> literals, List<@Nullable Expression> numbers) {
    if (numbers.isEmpty()) {
      return new Template(text, null, null, -1);
    }
    if (numbers.size() == 1 && numbers.getFirst() == null) {
      return new Template(text, literals.toArray(new String[0]), null, 0);
    }
    int expert = -1;
    for (int i = 0; i < numbers.size(); i++) {
      expert = numbers.get(i) == null ? i : expert;
    }
    return new Template(
        text, literals.toArray(new String[0]), numbers.toArray(new Expression[0]), expert);
  }

  /// Returns the text as the map file has it.
  public String text() {
    return text;
  }

  /// Returns whether `{E}` stands in the name.
  public boolean hasExpert() {
    return expert >= 0;
  }

  /// Returns the name, or of one with `{E}` what stands before it.
  public String head(Scope scope) {
    if (literals == null) {
      return text;
    }
    if (numbers == null) {
      return literals[0];
    }
    return join(scope, 0, expert < 0 ? numbers.length : expert);
  }

  /// Returns what stands behind `{E}`; empty for a name without it.
  public String tail(Scope scope) {
    if (literals == null || expert < 0) {
      return "";
    }
    return numbers == null ? literals[1] : join(scope, expert + 1, numbers.length);
  }

  private String join(Scope scope, int from, int to) {
    StringBuilder joined = new StringBuilder(literals[from]);
    for (int i = from; i < to; i++) {
      joined.append(numbers[i].value(scope)).append(literals[i + 1]);
    }
    return joined.toString();
  }
}
