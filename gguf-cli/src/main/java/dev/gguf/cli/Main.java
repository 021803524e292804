package dev.gguf.cli;

import dev.gguf.GgufException;
import dev.gguf.cli.render.Format;
import dev.gguf.cli.render.Output;
import dev.gguf.internal.Resources;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.Arrays;

/// The command `gguf`: finds the verb, builds that one command, and turns whatever happens into an
/// exit status and at most one line on the error stream.
public final class Main {
  private Main() {}

  /// Runs the command and ends the process with its exit status.
  ///
  /// @param args the command line
  public static void main(String[] args) {
    // Not System.out, which hides why it cannot be written to.
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    OutputStream err = new FileOutputStream(FileDescriptor.err);
    int status = run(args, Environment.ofProcess(out, err));
    if (status == Exit.FOUND && isEnding()) {
      status = Exit.INTERRUPTED;
    }
    // Not System.exit, which first sets up a logger to be told of the exit.
    Runtime.getRuntime().halt(status);
  }

  /// Returns whether the process has been told to end: what failed then failed for that.
  private static boolean isEnding() {
    try {
      Thread none = new Thread();
      Runtime.getRuntime().addShutdownHook(none);
      Runtime.getRuntime().removeShutdownHook(none);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /// Runs the command in this process, without a terminal.
  ///
  /// @param args the command line
  /// @param out receives the answer
  /// @param err receives errors and notes
  /// @return the exit status: 0, 1 or 2
  public static int run(String[] args, PrintStream out, PrintStream err) {
    return run(args, Environment.piped(out, err));
  }

  static int run(String[] args, Environment environment) {
    Output plain =
        new Output(environment.out(), environment.err(), Format.TEXT, environment.look("auto"));
    try {
      return dispatch(args, environment, plain);
    } catch (CommandException e) {
      return fail(plain, args, e, e.getMessage(), e.status());
    } catch (FileSystemException e) {
      return fail(plain, args, e, e.getFile() + ": " + OptionFiles.reason(e), Exit.FOUND);
    } catch (GgufException e) {
      return fail(plain, args, e, e.getMessage(), Exit.FOUND);
    } catch (IOException e) {
      return fail(plain, args, e, message(e), Exit.FOUND);
    } catch (UncheckedIOException e) {
      return fail(plain, args, e, message(e.getCause()), Exit.FOUND);
    } catch (OutOfMemoryError e) {
      return fail(plain, args, e, "not enough memory: " + e.getMessage(), Exit.FOUND);
    } catch (RuntimeException | Error e) {
      return fail(plain, args, e, "internal error: " + e + bugHint(args), Exit.FOUND);
    }
  }

  private static String message(Throwable e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static String bugHint(String[] args) {
    return isDebug(args) ? "" : "; a bug in gguf: run again with --debug and report what it says";
  }

  private static boolean isDebug(String[] args) {
    return Arrays.asList(args).contains("--debug");
  }

  private static int fail(Output plain, String[] args, Throwable e, String message, int status) {
    plain.note("gguf: " + message);
    if (isDebug(args)) {
      plain.trace(e);
    }
    return status;
  }

  private static int dispatch(String[] args, Environment environment, Output plain)
      throws IOException {
    String verb = args.length == 0 ? "" : args[0];
    return switch (verb) {
      case "" ->
          throw CommandException.usage(
              "no command given; the commands are " + String.join(", ", Commands.NAMES));
      case "-h", "--help", "help" -> help(args, plain);
      case "-V", "--version" -> say(plain, version());
      default -> run(verb, Arrays.copyOfRange(args, 1, args.length), environment, plain);
    };
  }

  private static int run(String verb, String[] args, Environment environment, Output plain)
      throws IOException {
    Command command = command(verb);
    Syntax syntax = syntax(command);
    Arguments line = Arguments.plain(syntax, args);
    if (line == null) {
      Picocli picocli = new Picocli(verb, command, syntax);
      line = picocli.parse(args);
      if (!line.values("--help").isEmpty()) {
        return say(plain, picocli.help());
      }
      if (!line.values("--version").isEmpty()) {
        return say(plain, version());
      }
    }
    Call call = CommonOptions.call(command, line, environment);
    int status;
    try {
      status = command.run(call);
    } catch (CommandException e) {
      if (e.status() == Exit.FOUND) {
        answerNothing(verb, command, call, e);
      }
      throw e;
    } catch (IOException | UncheckedIOException e) {
      answerNothing(verb, command, call, e);
      throw e;
    }
    if (status != Exit.OK && call.output().lacksDocument()) {
      command.writeNothing(call, call.output().json(verb));
    }
    call.output().close();
    return status;
  }

  /// Writes the one document that JSON promises, also where there is no answer.
  private static void answerNothing(String verb, Command command, Call call, Exception reason) {
    if (!call.output().lacksDocument()) {
      return;
    }
    try {
      command.writeNothing(call, call.output().json(verb));
      call.output().close();
    } catch (IOException | UncheckedIOException e) {
      reason.addSuppressed(e);
    }
  }

  static Syntax syntax(Command command) {
    Syntax syntax = new Syntax();
    command.describe(syntax);
    CommonOptions.describe(syntax, command);
    return syntax;
  }

  private static Command command(String verb) {
    Command command = Commands.create(verb);
    if (command != null) {
      return command;
    }
    if (verb.startsWith("-")) {
      throw CommandException.usage(
          verb + ": options come after the command, as in gguf check FILE " + verb);
    }
    String near = Nearest.to(verb, Commands.NAMES);
    throw CommandException.usage(
        verb
            + ": there is no such command"
            + (near == null ? "; see gguf --help" : "; did you mean " + near + "?"));
  }

  private static int help(String[] args, Output plain) throws IOException {
    if (args.length > 1 && args[0].equals("help")) {
      Command command = command(args[1]);
      return say(plain, new Picocli(args[1], command, syntax(command)).help());
    }
    StringBuilder text = new StringBuilder("Usage: gguf COMMAND [OPTION]... FILE...\n");
    text.append("Reads GGUF model files and says whether an engine can load them.\n\n");
    for (String name : Commands.NAMES) {
      Command command = Commands.create(name);
      if (command != null) {
        text.append("  ").append(name).append(" ".repeat(11 - name.length()));
        text.append(command.summary()).append('\n');
      }
    }
    text.append("\ngguf COMMAND --help tells more about a command.\n");
    text.append("Exit status: 0 fine; 1 a finding that counts (--fail-on), or something asked for");
    text.append(
        " is not there;\n             2 wrong usage, or a path that cannot be opened; 130 interrupted.");
    return say(plain, text.toString());
  }

  private static int say(Output plain, String text) throws IOException {
    for (String line : text.split("\n", -1)) {
      plain.text().line(line);
    }
    plain.close();
    return Exit.OK;
  }

  private static String version() {
    String version = new String(Resources.read(Main.class, "version.txt"), StandardCharsets.UTF_8);
    return "gguf " + version.strip();
  }
}
