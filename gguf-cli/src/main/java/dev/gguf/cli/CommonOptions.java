package dev.gguf.cli;

import dev.gguf.cli.render.Format;
import dev.gguf.cli.render.Output;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// The options that every command has.
final class CommonOptions {
  private CommonOptions() {}

  static void describe(CommandSpec spec, Command command) {
    Options.value(spec, "--format", words(command.formats()), "Form of the answer.");
    Options.value(
        spec,
        "--fail-on",
        "error|warning|never",
        "Which findings make the exit status 1; default error.");
    Options.flag(
        spec,
        command.hasVerdict()
            ? "Only the verdict, in one line."
            : "Of no use here: this answer has no verdict.",
        "-q",
        "--quiet");
    Options.value(
        spec, "--color", "auto|always|never", "Colours; default auto: on a terminal only.");
    Options.flag(spec, "Show stack traces of errors.", "--debug");
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
    spec.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Show the version.")
            .build());
  }

  private static String words(List<Format> formats) {
    StringBuilder words = new StringBuilder();
    for (Format format : formats) {
      words.append(words.isEmpty() ? "" : "|").append(format.label());
    }
    return words.toString();
  }

  /// Returns the call that a parsed command line asks for.
  ///
  /// @throws CommandException if an option has a value that it cannot have
  static Call call(Command command, ParseResult line, Environment environment) {
    String color = line.matchedOptionValue("--color", "auto");
    if (!color.equals("auto") && !color.equals("always") && !color.equals("never")) {
      throw CommandException.usage("--color " + color + ": expected auto, always or never");
    }
    String asked = line.matchedOptionValue("--format", "text");
    Format format = Format.of(asked);
    if (format == null || !command.formats().contains(format)) {
      throw CommandException.usage(
          "--format " + asked + ": expected " + words(command.formats()).replace("|", " or "));
    }
    String threshold = line.matchedOptionValue("--fail-on", "error");
    FailOn failOn = FailOn.of(threshold);
    if (failOn == null) {
      throw CommandException.usage("--fail-on " + threshold + ": expected error, warning or never");
    }
    boolean quiet = line.hasMatchedOption("--quiet");
    if (quiet && !command.hasVerdict()) {
      throw CommandException.usage("--quiet: this answer has no verdict that could stand alone");
    }
    Output output =
        new Output(environment.out(), environment.err(), format, environment.look(color));
    return new Call(line, output, failOn, quiet && format == Format.TEXT);
  }
}
