package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HelpTest {
  @Test
  void ofCheck() {
    assertThat(Run.gguf("check", "--help").out())
        .isEqualTo(
            """
            Usage: gguf check [OPTIONS] FILE...

            Is the file sound, and is every tensor accounted for: the gate before a launch.
            Several FILEs that belong together, such as a model and its projector, are also held against each
            other.

                  FILE...              GGUF files; any shard stands for its whole set.
                  --engine=E           Also say whether this engine loads it; can be repeated.
                  --profile=P          File with a profile of an engine, to add to the known.
                  --config=C           config.json to hold the keys against; else the one beside the file.
                  --index=I            Weight index or checkpoint to hold the names against; else the one
                                         beside the file.
                  --format=text|json   Form of the answer; default text.
                  --fail-on=error|warning|never
                                       Which findings make the exit status 1; default error.
              -q, --quiet              Only the verdict, in one line.
                  --color=auto|always|never
                                       Colours; default auto: on a terminal only.
                  --debug              Show stack traces of errors.
              -h, --help               Show this help.
              -V, --version            Show the version.
            """);
  }

  @Test
  void ofTensors() {
    assertThat(Run.gguf("help", "tensors").out())
        .isEqualTo(
            """
            Usage: gguf tensors [OPTIONS] FILE

            The tensor table: names, types, dimensions, sizes and places.
            Dimensions are given in both orders: ne as the file has them, the length of a row first; shape as
            numpy and PyTorch write them, the length of a row last.

                  FILE            A GGUF file; any shard stands for its whole set.
                  --filter=GLOB   Only names that fit; * and ? stand for any characters.
                  --type=T        Only tensors of this type, such as Q4_K.
                  --layer=N       Only tensors of this layer.
                  --sort=name|size|offset|file
                                  Order; default file, the order of the table.
                  --patterns      Fold names that differ in numbers only.
                  --format=text|json|csv|markdown
                                  Form of the answer; default text.
                  --fail-on=error|warning|never
                                  Which findings make the exit status 1; default error.
                  --color=auto|always|never
                                  Colours; default auto: on a terminal only.
                  --debug         Show stack traces of errors.
              -h, --help          Show this help.
              -V, --version       Show the version.
            """);
  }

  @Test
  void ofAll() {
    assertThat(Run.gguf("--help").out())
        .startsWith(
            """
            Usage: gguf COMMAND [OPTION]... FILE...
            Reads GGUF model files and says whether an engine can load them.

              check      Is the file sound, and is every tensor accounted for: the gate before a launch
            """)
        .endsWith(
            """

            gguf COMMAND --help tells more about a command.
            Exit status: 0 fine; 1 a finding that counts (--fail-on), or something asked for is not there;
                         2 wrong usage, or a path that cannot be opened; 130 interrupted.
            """);
    assertThat(Run.gguf("-h").out()).isEqualTo(Run.gguf("help").out());
  }
}
