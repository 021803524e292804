package dev.gguf.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Everything about a command line that needs words: the help, and what is wrong.
final class Picocli {
  private final String verb;
  private final Syntax syntax;
  private final CommandLine line;

  Picocli(String verb, Command command, Syntax syntax) {
    this.verb = verb;
    this.syntax = syntax;
    CommandSpec spec = CommandSpec.create().name("gguf " + verb);
    int index = 0;
    for (Syntax.Positional positional : syntax.positionals()) {
      spec.addPositional(positional(positional, index++));
    }
    for (Syntax.Option option : syntax.options()) {
      spec.addOption(option(option));
    }
    spec.usageMessage()
        .width(100)
        .autoWidth(false)
        .sortOptions(false)
        .abbreviateSynopsis(true)
        .descriptionHeading("%n")
        .parameterListHeading("%n")
        .description(description(command));
    line = new CommandLine(spec);
    Syntax.Positional rest = syntax.rest();
    if (rest != null) {
      String synopsis = line.getHelp().abbreviatedSynopsis().strip();
      spec.usageMessage().customSynopsis(synopsis + " [-- " + rest.label() + "]");
    }
    // A file may be called @x, and arguments are not the place to read files from.
    line.setExpandAtFiles(false);
    line.setPosixClusteredShortOptionsAllowed(false);
  }

  private static PositionalParamSpec positional(Syntax.Positional positional, int index) {
    boolean many = positional.most() == Integer.MAX_VALUE;
    return PositionalParamSpec.builder()
        .index(many ? index + "..*" : Integer.toString(index))
        .arity(positional.least() + (many ? "..*" : ".." + positional.most()))
        .required(positional.least() > 0)
        .type(many ? List.class : String.class)
        .auxiliaryTypes(String.class)
        .paramLabel(positional.label())
        .description(escaped(positional.description()))
        .build();
  }

  private static OptionSpec option(Syntax.Option option) {
    OptionSpec.Builder spec =
        OptionSpec.builder(option.names().toArray(new String[0]))
            .description(escaped(option.description()))
            .hidden(option.description().isEmpty());
    boolean help = option.names().contains("--help");
    boolean version = option.names().contains("--version");
    return switch (option.kind()) {
      case FLAG -> spec.type(boolean.class).arity("0").usageHelp(help).versionHelp(version).build();
      case VALUE -> spec.type(String.class).arity("1").paramLabel(option.label()).build();
      case VALUES ->
          spec.type(List.class)
              .auxiliaryTypes(String.class)
              .arity("1")
              .paramLabel(option.label())
              .build();
    };
  }

  private static String escaped(String text) {
    return text.replace("%", "%%");
  }

  private String[] description(Command command) {
    List<String> paragraphs = new ArrayList<>();
    paragraphs.add(escaped(command.summary()) + ".");
    for (String paragraph : command.description()) {
      paragraphs.add(escaped(paragraph));
    }
    Syntax.Positional rest = syntax.rest();
    if (rest != null) {
      paragraphs.add(escaped("After --: " + rest.description()));
    }
    return paragraphs.toArray(new String[0]);
  }

  /// Returns the help, without a line feed at its end.
  String help() {
    return line.getUsageMessage(Ansi.OFF).stripTrailing();
  }

  /// Reads any command line. Asking for help or the version counts as an option like others.
  ///
  /// @throws CommandException if something is wrong with it
  Arguments parse(String[] words) {
    String[] before = words;
    Arguments parsed = new Arguments(syntax);
    int end = Arrays.asList(words).indexOf("--");
    if (syntax.rest() != null && end >= 0) {
      before = Arrays.copyOf(words, end);
      parsed.end(Arrays.asList(words).subList(end + 1, words.length));
    }
    try {
      ParseResult result = line.parseArgs(before);
      // An option that is repeated may be listed once for each time.
      for (OptionSpec option : new LinkedHashSet<OptionSpec>(result.matchedOptions())) {
        copy(option, parsed);
      }
      parsed.addPositionals(positionals(result));
    } catch (ParameterException e) {
      throw CommandException.usage(problem(before, e), e);
    }
    return parsed;
  }

  private void copy(OptionSpec option, Arguments into) {
    Syntax.@Nullable Option known = syntax.option(option.longestName());
    if (known == null) {
      throw new IllegalStateException(option.longestName());
    }
    if (known.kind() == Syntax.Kind.FLAG) {
      into.add(known, "");
    } else {
      for (String value : option.originalStringValues()) {
        into.add(known, value);
      }
    }
  }

  private static List<String> positionals(ParseResult result) {
    List<String> all = new ArrayList<>();
    // A parameter that takes many words may be listed once for each of them.
    for (ArgSpec positional : new LinkedHashSet<ArgSpec>(result.matchedPositionals())) {
      all.addAll(positional.originalStringValues());
    }
    return all;
  }

  private String problem(String[] words, ParameterException e) {
    String see = "; see gguf " + verb + " --help";
    String unknown = unknown(words);
    if (unknown != null) {
      String near = Nearest.to(unknown, known());
      return "unknown option " + unknown + (near == null ? see : "; did you mean " + near + "?");
    }
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      return unmatched.getUnmatched().getFirst() + ": " + verb + " takes " + positionals() + see;
    }
    String message = e.getMessage().lines().findFirst().orElse("wrong usage");
    return Character.toLowerCase(message.charAt(0)) + message.substring(1) + see;
  }

  /// Returns the first word that looks like an option and is none, or null.
  private @Nullable String unknown(String[] words) {
    for (int i = 0; i < words.length && !words[i].equals("--"); i++) {
      String word = words[i];
      if (word.length() > 1 && word.charAt(0) == '-') {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Syntax.Option option = syntax.option(name);
        if (option == null) {
          return name;
        }
        i += option.kind() != Syntax.Kind.FLAG && equals < 0 ? 1 : 0;
      }
    }
    return null;
  }

  private List<String> known() {
    List<String> names = new ArrayList<>();
    for (Syntax.Option option : syntax.options()) {
      if (!option.description().isEmpty()) {
        names.addAll(option.names());
      }
    }
    return names;
  }

  private String positionals() {
    List<String> labels = new ArrayList<>();
    for (Syntax.Positional positional : syntax.positionals()) {
      labels.add(positional.label());
    }
    return "one " + String.join(" and one ", labels) + " only";
  }
}
