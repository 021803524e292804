package dev.gguf.cli;

import dev.gguf.Severity;
import dev.gguf.cli.render.Envelope;
import dev.gguf.cli.render.Judged;
import dev.gguf.cli.render.Output;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One call of a command: its parsed command line and where the answer goes.
///
/// @param line the values of options and positional parameters
/// @param output takes the answer
/// @param failOn which findings make the exit status 1
/// @param quiet whether only the verdict is wanted
record Call(Arguments line, Output output, FailOn failOn, boolean quiet) {
  /// Returns whether an option or flag is on the command line.
  boolean has(String option) {
    return !line.values(option).isEmpty();
  }

  /// Returns the value of an option, or null where it is not on the command line.
  @Nullable String option(String name) {
    List<String> values = line.values(name);
    return values.isEmpty() ? null : values.getFirst();
  }

  /// Returns the value of an option, or `absent`.
  String option(String name, String absent) {
    List<String> values = line.values(name);
    return values.isEmpty() ? absent : values.getFirst();
  }

  /// Returns all values of an option that can be repeated, in their order.
  List<String> options(String name) {
    return line.values(name);
  }

  /// Returns the value of an option as a whole number, or `absent`.
  ///
  /// @throws CommandException if it is no number from `least` to `most`
  long number(String name, long absent, long least, long most) {
    String text = option(name);
    if (text == null) {
      return absent;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, with the bounds.
    }
    String bounds = most == Long.MAX_VALUE ? "from " + least : "from " + least + " to " + most;
    throw CommandException.usage(name + " " + text + ": expected a whole number " + bounds);
  }

  /// Returns the value of an option if it is one of the words.
  ///
  /// @throws CommandException if it is none of them
  @Nullable String word(String name, String... words) {
    String text = option(name);
    if (text == null) {
      return null;
    }
    for (String word : words) {
      if (word.equals(text)) {
        return text;
      }
    }
    throw CommandException.usage(
        name + " " + text + ": expected one of " + String.join(", ", words));
  }

  /// Returns the share of the data that `--sample` asks for, above 0; 1 without the option.
  ///
  /// @throws CommandException if it is no such number
  double sample() {
    String text = option("--sample", "1");
    try {
      double share = Double.parseDouble(text);
      if (share > 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // Told below, with the bounds.
    }
    throw CommandException.usage(
        "--sample " + text + ": expected a share above 0 and at most 1, such as 0.01");
  }

  /// Returns a positional parameter.
  ///
  /// @param index from 0
  /// @throws IndexOutOfBoundsException if there are fewer
  String positional(int index) {
    return positionals().get(index);
  }

  /// Returns all positional parameters in their order.
  List<String> positionals() {
    return line.positionals();
  }

  /// Returns what stands after `--`, for a command whose [Syntax#rest] takes it apart.
  List<String> rest() {
    return line.rest();
  }

  /// Shows judged models and returns the exit status: 1 if a finding counts or an engine that was
  /// asked refuses, else 0.
  ///
  /// @param command the verb
  int judge(String command, List<Judged> models) {
    Envelope.write(output, command, models, quiet);
    int status = Exit.OK;
    for (Judged model : models) {
      if (failOn.counts(model.worst()) || model.isRefused()) {
        status = Exit.FOUND;
      }
    }
    return status;
  }

  /// Returns the exit status for the worst finding.
  ///
  /// @param worst severity, or null without a finding
  int status(@Nullable Severity worst) {
    return failOn.counts(worst) ? Exit.FOUND : Exit.OK;
  }
}
