package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ArgumentsProperties {
  /// A command line that is read without the library means what it means to the library.
  @Property
  void plainLinesMeanTheSameToBothReaders(@ForAll("lines") List<String> words) {
    for (String verb : List.of("tensors", "check", "metadata")) {
      Command command = Commands.create(verb);
      String[] line = words.toArray(new String[0]);

      Arguments plain = Arguments.plain(Main.syntax(command), line);

      if (plain != null) {
        Syntax syntax = Main.syntax(command);
        assertThat(plain).isEqualTo(new Picocli(verb, command, syntax).parse(line));
      }
    }
  }

  @Provide
  Arbitrary<List<String>> lines() {
    return Arbitraries.of(
            "a.gguf",
            "@b.gguf",
            "",
            "-",
            "--",
            "--filter",
            "--filter=blk.*",
            "--filter=",
            "--type",
            "Q4_K",
            "--patterns",
            "--patterns=true",
            "-q",
            "--quiet",
            "-qh",
            "-h",
            "--help",
            "-V",
            "--format",
            "--format=json",
            "json",
            "--key",
            "--key=x=y",
            "--full",
            "--engine",
            "vllm",
            "--debug",
            "-x",
            "--col",
            "--layer=-1",
            "'quoted'",
            "\"quoted\"",
            "a b")
        .list()
        .ofMaxSize(6);
  }
}
