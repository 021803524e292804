package dev.gguf.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class MainTest {
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
}
