package dev.gguf.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The values on a command line.
final class Arguments {
  private final Syntax syntax;
  private final Map<Syntax.Option, List<String>> values = new HashMap<>();
  private final List<String> positionals = new ArrayList<>();
  private List<String> rest = List.of();

  Arguments(Syntax syntax) {
    this.syntax = syntax;
  }

  /// Reads a plain command line, or returns null where there is anything to complain about or to
  /// help with: then [Picocli] takes its time to say so. Most lines are plain, and for them a
  /// library would take as long as opening and checking a model.
  static @Nullable Arguments plain(Syntax syntax, String[] line) {
    Arguments parsed = new Arguments(syntax);
    int at = 0;
    while (at < line.length) {
      String word = line[at++];
      if (word.equals("--")) {
        parsed.end(Arrays.asList(line).subList(at, line.length));
        break;
      }
      if (word.length() < 2 || word.charAt(0) != '-') {
        parsed.positionals.add(word);
        continue;
      }
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      Syntax.Option option = syntax.option(equals < 0 ? word : word.substring(0, equals));
      if (option == null || parsed.isRepeated(option)) {
        return null;
      }
      if (option.kind() == Syntax.Kind.FLAG) {
        if (equals >= 0 || isHelp(word)) {
          return null;
        }
        parsed.add(option, "");
      } else if (equals >= 0) {
        parsed.add(option, word.substring(equals + 1));
      } else if (at < line.length && !line[at].startsWith("-")) {
        parsed.add(option, line[at++]);
      } else {
        return null;
      }
    }
    int count = parsed.positionals.size();
    return count < syntax.leastPositionals() || count > syntax.mostPositionals() ? null : parsed;
  }

  private boolean isRepeated(Syntax.Option option) {
    return option.kind() != Syntax.Kind.VALUES && values.containsKey(option);
  }

  private static boolean isHelp(String word) {
    return word.equals("-h")
        || word.equals("--help")
        || word.equals("-V")
        || word.equals("--version");
  }

  void add(Syntax.Option option, String value) {
    List<String> known = values.get(option);
    if (known == null) {
      known = new ArrayList<>();
      values.put(option, known);
    }
    known.add(value);
  }

  void addPositionals(List<String> words) {
    positionals.addAll(words);
  }

  /// Takes what stands after `--`.
  void end(List<String> words) {
    if (syntax.rest() == null) {
      positionals.addAll(words);
    } else {
      rest = List.copyOf(words);
    }
  }

  /// Returns all values of an option, none where it is not there.
  ///
  /// @throws IllegalArgumentException if the command has no such option
  List<String> values(String name) {
    Syntax.Option option = syntax.option(name);
    if (option == null) {
      throw new IllegalArgumentException("this command has no option " + name);
    }
    return values.getOrDefault(option, List.of());
  }

  /// Returns the positional parameters in their order.
  List<String> positionals() {
    return positionals;
  }

  /// Returns what stands after `--`, for a command that takes it apart.
  List<String> rest() {
    return rest;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Arguments that
        && values.equals(that.values)
        && positionals.equals(that.positionals)
        && rest.equals(that.rest);
  }

  @Override
  public int hashCode() {
    return values.hashCode() + 31 * positionals.hashCode();
  }

  @Override
  public String toString() {
    return values + " " + positionals + " " + rest;
  }
}
