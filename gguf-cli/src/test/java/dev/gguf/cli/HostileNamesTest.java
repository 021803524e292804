package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.TensorType;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nothing that a file says reaches a terminal as a command to it.
class HostileNamesTest {
  private static final String EVIL = "\u001b]0;x\u0007\u009b2J\u202e\u2067\u200f\u0085|`\r\n\t,\"";

  private static final List<List<String>> LINES =
      List.of(
          List.of("check"),
          List.of("check", "-q"),
          List.of("info"),
          List.of("map"),
          List.of("map", "--patterns"),
          List.of("metadata"),
          List.of("metadata", "--full"),
          List.of("metadata", "--key", EVIL),
          List.of("metadata", "--key", "absent" + EVIL),
          List.of("tensors"),
          List.of("tensors", "--patterns"),
          List.of("tensors", "--format", "csv"),
          List.of("tensors", "--format", "markdown"),
          List.of("tensors", "--filter", "absent" + EVIL),
          List.of("verify"));

  @TempDir private Path folder;

  private Path file;

  @BeforeEach
  void writeFile() throws IOException {
    file = folder.resolve("model\u001b[31m\u202e.gguf");
    GgufWriter.of(
            Metadata.builder()
                .string("general.architecture", "llama")
                .string("general.name", EVIL)
                .string("tokenizer.ggml.model", EVIL)
                .string("tokenizer.ggml.pre", EVIL)
                .strings("tokenizer.ggml.tokens", List.of(EVIL, EVIL))
                .string(EVIL, EVIL)
                .strings("list" + EVIL, List.of(EVIL))
                .uint32("llama.block_count", 1)
                .build())
        .tensor("blk.0." + EVIL, TensorType.F32, TensorData.of(new byte[16]), 4)
        .tensor(EVIL, TensorType.F32, TensorData.of(new byte[16]), 4)
        .write(file);
  }

  @Test
  void noControlCharacterIsWritten() {
    for (List<String> line : LINES) {
      for (String format : List.of("text", "json")) {
        String[] args = arguments(line, format);

        Run run = Run.onTerminal(false, args);

        assertThat(run.status()).as(String.join(" ", line)).isBetween(0, 1);
        assertSafe(run.out(), line);
        assertSafe(run.err().replace("\r", "").replace("\u001b[K", ""), line);
      }
    }
  }

  private String[] arguments(List<String> line, String format) {
    List<String> words = new java.util.ArrayList<>(line);
    words.add(file.toString());
    if (!line.contains("--format")) {
      words.add("--format=" + format);
    }
    return words.toArray(new String[0]);
  }

  private static void assertSafe(String text, List<String> line) {
    assertThat(text.codePoints().filter(c -> c != '\n'))
        .as(String.join(" ", line))
        .noneMatch(c ->
            c < ' '
                || c >= 0x7f && c < 0xa0
                || c >= 0x202a && c <= 0x202e
                || c >= 0x2066 && c <= 0x2069
                || c == 0x200e
                || c == 0x200f
                || c == 0x061c);
  }

  @Test
  void theValueIsTheSameInJson() {
    assertThat(Run.gguf("info", file.toString(), "--format", "json").json())
        .containsEntry("name", EVIL)
        .containsEntry("path", file.toString());
  }
}
