package dev.gguf.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a command line may hold: the options and positional parameters of one command, in the order
/// in which its help lists them. All values are strings; the commands convert them, and can say
/// what they expect.
final class Syntax {
  private final List<Option> options = new ArrayList<>();
  private final List<Positional> positionals = new ArrayList<>();
  private @Nullable Positional rest;

  /// Whether an option takes a value.
  enum Kind {
    /// There or not.
    FLAG,
    /// One value.
    VALUE,
    /// One value each time it is given.
    VALUES
  }

  /// An option.
  ///
  /// @param kind whether it takes a value
  /// @param label what the help writes for the value; empty for flags
  /// @param description one or two sentences; empty for one that the help does not list
  /// @param names all spellings, dashes included
  record Option(Kind kind, String label, String description, List<String> names) {}

  /// A positional parameter.
  ///
  /// @param label what the help writes for it
  /// @param description one or two sentences
  /// @param least how many there must be
  /// @param most how many there may be
  record Positional(String label, String description, int least, int most) {}

  /// Adds an option that is there or not.
  ///
  /// @param names all spellings; the last one is the one to ask for
  Syntax flag(String description, String... names) {
    options.add(new Option(Kind.FLAG, "", description, List.of(names)));
    return this;
  }

  /// Adds an option with one value.
  Syntax value(String name, String label, String description) {
    options.add(new Option(Kind.VALUE, label, description, List.of(name)));
    return this;
  }

  /// Adds an option with one value that can be repeated.
  Syntax values(String name, String label, String description) {
    options.add(new Option(Kind.VALUES, label, description, List.of(name)));
    return this;
  }

  /// Adds a positional parameter.
  ///
  /// @param least 0 or 1
  /// @param most 1, or [Integer#MAX_VALUE] for the last one
  Syntax positional(String label, String description, int least, int most) {
    positionals.add(new Positional(label, description, least, most));
    return this;
  }

  /// Adds the parameter FILE.
  Syntax file() {
    return positional("FILE", "A GGUF file; any shard stands for its whole set.", 1, 1);
  }

  /// Adds the parameter FILE that can be repeated.
  Syntax files() {
    return positional(
        "FILE", "GGUF files; any shard stands for its whole set.", 1, Integer.MAX_VALUE);
  }

  /// Takes everything after `--` apart, see [Arguments#rest()]. Without this it is positional.
  Syntax rest(String label, String description) {
    rest = new Positional(label, description, 0, Integer.MAX_VALUE);
    return this;
  }

  List<Option> options() {
    return options;
  }

  List<Positional> positionals() {
    return positionals;
  }

  @Nullable Positional rest() {
    return rest;
  }

  /// Returns the option with this spelling, or null.
  @Nullable Option option(String name) {
    for (Option option : options) {
      if (option.names().contains(name)) {
        return option;
      }
    }
    return null;
  }

  int leastPositionals() {
    int least = 0;
    for (Positional positional : positionals) {
      least += positional.least();
    }
    return least;
  }

  int mostPositionals() {
    int most = 0;
    for (Positional positional : positionals) {
      if (positional.most() == Integer.MAX_VALUE) {
        return Integer.MAX_VALUE;
      }
      most += positional.most();
    }
    return most;
  }
}
