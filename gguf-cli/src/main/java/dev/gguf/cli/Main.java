package dev.gguf.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/// The command `gguf`.
///
/// Commands are described by calls, not by annotations: for every kind of annotation the virtual
/// machine makes a class while the program starts, and together these take as long as everything
/// else on the way to an answer.
public final class Main {
  private Main() {}

  /// Runs the command and ends the process with its exit status.
  ///
  /// @param args the command line
  public static void main(String[] args) {
    int status = run(args, System.out, System.err);
    System.out.flush();
    System.err.flush();
    // Not System.exit: it first sets up a logger to be told of the exit, which costs more time than
    // there is to save
    // anywhere else. There are no shutdown hooks that it would have to run.
    Runtime.getRuntime().halt(status);
  }

  /// Runs the command in this process.
  ///
  /// @param args the command line
  /// @param out receives the answer
  /// @param err receives errors and notes
  /// @return the exit status: 0, 1 or 2
  public static int run(String[] args, PrintStream out, PrintStream err) {
    CommandSpec spec = CommandSpec.create().name("gguf").versionProvider(Main::version);
    spec.usageMessage()
        .description("Reads GGUF model files and says whether an engine can load them.");
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
    spec.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Show the version.")
            .build());
    CommandLine line = new CommandLine(spec);
    line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    line.setExecutionStrategy(parsed -> {
      Integer asked = CommandLine.executeHelpRequest(parsed);
      if (asked == null) {
        throw new ParameterException(line, "no command given");
      }
      return asked;
    });
    return line.execute(args);
  }

  private static String[] version() {
    try (InputStream in = Main.class.getResourceAsStream("version.txt")) {
      return new String[] {"gguf " + new String(in.readAllBytes(), StandardCharsets.UTF_8).strip()};
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
