package dev.gguf.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  @TempDir private Path folder;

  static Stream<String> commands() {
    return Commands.NAMES.stream();
  }

  @Test
  void saysItsVersion() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int status =
        Main.run(
            new String[] {"--version"},
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));

    assertThat(out.toString(UTF_8)).matches("gguf [0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?\\R");
    assertThat(err.toString(UTF_8)).isEmpty();
    assertThat(status).isEqualTo(0);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasTheCommonOptions(String command) {
    Run help = Run.gguf(command, "--help");

    assertThat(help.status()).isEqualTo(0);
    assertThat(help.err()).isEmpty();
    assertThat(help.out()).startsWith("Usage: gguf " + command + " ");
    assertThat(help.out())
        .contains("--format=text|json")
        .contains("--fail-on=error|warning|never")
        .contains("--color=auto|always|never")
        .contains("--debug")
        .contains("-h, --help")
        .contains("-V, --version");
    assertThat(help.out().contains("-q, --quiet")).isEqualTo(Commands.create(command).hasVerdict());
    assertThat(help.out().lines()).allSatisfy(line -> assertThat(line.length()).isLessThan(101));
    assertThat(Run.gguf("help", command).out()).isEqualTo(help.out());
    assertThat(Run.gguf(command, "--version").out()).startsWith("gguf ");
    assertThat(Run.gguf(command, "-h").out()).isEqualTo(help.out());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandRefusesAnUnknownOptionInOneLine(String command) {
    Syntax syntax = new Syntax();
    Commands.create(command).describe(syntax);
    List<String> args = new ArrayList<>(List.of(command));
    args.addAll(Collections.nCopies(syntax.leastPositionals(), Run.MINI));
    args.add("--no-such-option");

    Run run = Run.gguf(args.toArray(String[]::new));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo("gguf: unknown option --no-such-option; see gguf " + command + " --help\n");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandIsListed(String command) {
    assertThat(Run.gguf("--help").out()).containsPattern("(?m)^  " + command + " +[A-Z]");
    assertThat(Commands.create(command).summary()).doesNotEndWith(".").hasSizeLessThan(90);
  }

  @Test
  void saysWhichCommandsThereAre() {
    Run run = Run.gguf();

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("gguf: no command given; the commands are check, ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chek | chek: there is no such command; did you mean check?",
        "frobnicate | frobnicate: there is no such command; see gguf --help",
        "--format | --format: options come after the command, as in gguf check FILE --format"
      })
  void refusesWhatIsNoCommand(String word, String message) {
    Run run = Run.gguf(word);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("gguf: " + message + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--format | xml | --format xml: expected text or json",
        "--fail-on | info | --fail-on info: expected error, warning or never",
        "--color | yes | --color yes: expected auto, always or never"
      })
  void refusesWrongValuesOfCommonOptions(String option, String value, String message) {
    Run run = Run.gguf("info", Run.MINI, option, value);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo("gguf: " + message + "\n");
  }

  @Test
  void refusesQuietWhereThereIsNoVerdict() {
    Run run = Run.gguf("info", Run.MINI, "-q");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("gguf: --quiet: this answer has no verdict that could stand alone\n");
  }

  @Test
  void wantsAFile() {
    Run run = Run.gguf("check");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("gguf: missing required parameter: 'FILE'; see gguf check --help\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "info", "map", "metadata", "tensors"})
  void refusesPathsThatCannotBeOpened(String command) throws IOException {
    Files.createFile(folder.resolve("b.gguf"));
    Files.createFile(folder.resolve("a.gguf"));

    assertThat(Run.gguf(command, "-").err())
        .isEqualTo(
            "gguf: -: standard input cannot be read, since a GGUF file is read at many places;"
                + " save it to a file and name that\n");
    assertThat(Run.gguf(command, folder.toString()).err())
        .isEqualTo(
            "gguf: " + folder + ": is a folder; name a file in it; there is a.gguf, b.gguf\n");
    assertThat(Run.gguf(command, folder + "/c.gguf").err())
        .isEqualTo("gguf: " + folder + "/c.gguf: there is no such file; there is a.gguf, b.gguf\n");
    assertThat(Run.gguf(command, folder + "/x/c.gguf").err())
        .isEqualTo(
            "gguf: "
                + folder
                + "/x/c.gguf: there is no such file; its folder does not exist either\n");
    assertThat(Run.gguf(command, "https://example.org/a.gguf").err())
        .isEqualTo(
            "gguf: https://example.org/a.gguf: addresses cannot be read;"
                + " download the file and name the copy\n");
    assertThat(Run.gguf(command, "/dev/null").err())
        .isEqualTo(
            "gguf: /dev/null: is a pipe or a device; save the model to a file and name that\n");
    for (String path : new String[] {"-", folder.toString(), folder + "/c.gguf", "/dev/null"}) {
      assertThat(Run.gguf(command, path, "--format", "json").status()).isEqualTo(2);
      assertThat(Run.gguf(command, path, "--format", "json").out()).isEmpty();
    }
  }

  @Test
  void takesAFileWhoseNameBeginsLikeAnArgumentFile() throws IOException {
    Path file = folder.resolve("@model.gguf");
    Files.copy(Path.of(Run.MINI), file);

    assertThat(Run.gguf("check", file.toString()).status()).isEqualTo(0);
  }

  @Test
  void showsStackTracesOnlyWhenAsked() {
    Run plain = Run.gguf("info", "absent.gguf");
    Run debug = Run.gguf("info", "absent.gguf", "--debug");

    assertThat(plain.err().lines()).hasSize(1);
    assertThat(debug.err())
        .startsWith(plain.err())
        .contains("\n    at dev.gguf.cli.Inputs.file(Inputs.java:");
  }

  @Test
  void saysThatTheOutputCannotBeWritten() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int status =
        Main.run(new String[] {"info", Run.MINI}, new Environment(full, err, false, false, false));

    assertThat(status).isEqualTo(1);
    assertThat(err.toString(UTF_8))
        .isEqualTo("gguf: the output cannot be written: No space left on device\n");
  }

  @Test
  void saysNothingWhenTheReaderLeaves() {
    OutputStream gone =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int status =
        Main.run(
            new String[] {"tensors", Run.MINI}, new Environment(gone, err, false, false, false));

    assertThat(status).isEqualTo(0);
    assertThat(err.toString(UTF_8)).isEmpty();
  }
}
