package dev.gguf.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `gguf`.
@Command(
    name = "gguf",
    description = "Reads GGUF model files and says whether an engine can load them.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class)
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  private Main() {}

  /// Runs the command and ends the process with its exit status.
  ///
  /// @param args the command line
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  /// Runs the command in this process.
  ///
  /// @param args the command line
  /// @param out receives the answer
  /// @param err receives errors and notes
  /// @return the exit status: 0, 1 or 2
  public static int run(String[] args, PrintStream out, PrintStream err) {
    CommandLine line = new CommandLine(new Main());
    line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    return line.execute(args);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "No command given.");
  }

  /// Reads the version only when it is asked for.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      try (InputStream in = Main.class.getResourceAsStream("version.txt")) {
        return new String[] {
          "gguf " + new String(in.readAllBytes(), StandardCharsets.UTF_8).strip()
        };
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
