package dev.gguf.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// Short forms for describing options. All values are strings and converted by the commands, which
/// can say better what is expected than a converter; and picocli's converters need not be loaded.
final class Options {
  private Options() {}

  /// Adds an option that is there or not.
  static void flag(CommandSpec spec, String description, String... names) {
    spec.addOption(
        OptionSpec.builder(names).type(boolean.class).arity("0").description(description).build());
  }

  /// Adds an option with one value.
  static void value(CommandSpec spec, String name, String label, String description) {
    spec.addOption(
        OptionSpec.builder(name)
            .type(String.class)
            .arity("1")
            .paramLabel(label)
            .description(description)
            .build());
  }

  /// Adds an option with one value that can be repeated.
  static void values(CommandSpec spec, String name, String label, String description) {
    spec.addOption(
        OptionSpec.builder(name)
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("1")
            .paramLabel(label)
            .description(description)
            .build());
  }

  /// Adds a positional parameter.
  ///
  /// @param index such as `0` or `1..*`
  /// @param arity how many, such as `1` or `0..1` or `1..*`
  static void positional(
      CommandSpec spec, String index, String arity, String label, String description) {
    spec.addPositional(
        PositionalParamSpec.builder()
            .index(index)
            .arity(arity)
            .required(!arity.startsWith("0"))
            .type(index.contains("*") ? List.class : String.class)
            .auxiliaryTypes(String.class)
            .paramLabel(label)
            .description(description)
            .build());
  }

  /// Adds the parameter FILE.
  static void file(CommandSpec spec) {
    positional(spec, "0", "1", "FILE", "A GGUF file; any shard stands for its whole set.");
  }

  /// Adds the parameter FILE that can be repeated.
  static void files(CommandSpec spec) {
    positional(spec, "0..*", "1..*", "FILE", "GGUF files; any shard stands for its whole set.");
  }

  static List<String> positionals(ParseResult line) {
    List<String> all = new ArrayList<>();
    for (ArgSpec positional : line.matchedPositionals()) {
      all.addAll(positional.originalStringValues());
    }
    return all;
  }
}
