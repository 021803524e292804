package dev.gguf.cli;

import dev.gguf.cli.render.Output;
import java.io.OutputStream;

/// What surrounds a call: its streams and what is known about them.
///
/// @param out takes the answer
/// @param err takes errors, notes and progress
/// @param outIsTerminal whether `out` leads to a terminal
/// @param errIsTerminal whether `err` leads to a terminal
/// @param mayColour whether a terminal may get colours where the command line says nothing
record Environment(
    OutputStream out,
    OutputStream err,
    boolean outIsTerminal,
    boolean errIsTerminal,
    boolean mayColour) {
  /// The launcher's word for which streams lead to a terminal: it knows at no cost, while asking
  /// the platform for a console takes a good part of the time that a start has.
  private static final String TERMINALS = "gguf.terminals";

  /// Returns the environment of this process.
  @SuppressWarnings("SystemConsoleNull") // It is null where the platform has no console at all.
  static Environment ofProcess(OutputStream out, OutputStream err) {
    String terminals = System.getProperty(TERMINALS);
    boolean terminal = false;
    if (terminals == null) {
      java.io.Console console = System.console();
      terminal = console != null && console.isTerminal();
    }
    String noColor = System.getenv("NO_COLOR");
    boolean mayColour =
        (noColor == null || noColor.isEmpty()) && !"dumb".equals(System.getenv("TERM"));
    return new Environment(
        out,
        err,
        terminals == null ? terminal : terminals.contains("out"),
        terminals == null ? terminal : terminals.contains("err"),
        mayColour);
  }

  /// Returns an environment without terminals.
  static Environment piped(OutputStream out, OutputStream err) {
    return new Environment(out, err, false, false, false);
  }

  Output.Look look(String color) {
    boolean colour =
        switch (color) {
          case "always" -> true;
          case "never" -> false;
          default -> outIsTerminal && mayColour;
        };
    return new Output.Look(colour, outIsTerminal, errIsTerminal);
  }
}
