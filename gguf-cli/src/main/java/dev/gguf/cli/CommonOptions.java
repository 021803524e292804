package dev.gguf.cli;

import dev.gguf.cli.render.Format;
import dev.gguf.cli.render.Output;
import java.util.List;

/// The options that every command has.
final class CommonOptions {
  private CommonOptions() {}

  static void describe(Syntax syntax, Command command) {
    syntax
        .value("--format", words(command.formats()), "Form of the answer; default text.")
        .value(
            "--fail-on",
            "error|warning|never",
            "Which findings make the exit status 1; default error.")
        .flag(
            // Elsewhere it is known only to be refused in words.
            command.hasVerdict() ? "Only the verdict, in one line." : "", "-q", "--quiet")
        .value("--color", "auto|always|never", "Colours; default auto: on a terminal only.")
        .flag("Show stack traces of errors.", "--debug")
        .flag("Show this help.", "-h", "--help")
        .flag("Show the version.", "-V", "--version");
  }

  private static String words(List<Format> formats) {
    StringBuilder words = new StringBuilder();
    for (Format format : formats) {
      words.append(words.isEmpty() ? "" : "|").append(format.label());
    }
    return words.toString();
  }

  /// Returns the call that a command line asks for.
  ///
  /// @throws CommandException if an option has a value that it cannot have
  static Call call(Command command, Arguments line, Environment environment) {
    String color = value(line, "--color", "auto");
    if (!color.equals("auto") && !color.equals("always") && !color.equals("never")) {
      throw CommandException.usage("--color " + color + ": expected auto, always or never");
    }
    String asked = value(line, "--format", "text");
    Format format = Format.of(asked);
    if (format == null || !command.formats().contains(format)) {
      throw CommandException.usage(
          "--format " + asked + ": expected " + words(command.formats()).replace("|", " or "));
    }
    String threshold = value(line, "--fail-on", "error");
    FailOn failOn = FailOn.of(threshold);
    if (failOn == null) {
      throw CommandException.usage("--fail-on " + threshold + ": expected error, warning or never");
    }
    boolean quiet = !line.values("--quiet").isEmpty();
    if (quiet && !command.hasVerdict()) {
      throw CommandException.usage("--quiet: this answer has no verdict that could stand alone");
    }
    Output output =
        new Output(environment.out(), environment.err(), format, environment.look(color));
    return new Call(line, output, failOn, quiet && format == Format.TEXT);
  }

  private static String value(Arguments line, String name, String absent) {
    List<String> values = line.values(name);
    return values.isEmpty() ? absent : values.getFirst();
  }
}
