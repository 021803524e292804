package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfoCommandTest {
  @TempDir private Path folder;

  @Test
  void saysWhatAModelIs() {
    Run run = Run.gguf("info", Run.MINI);

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            GLM DSA miniature
              file          ../testdata/glm-dsa-mini.gguf, 330.4 KiB (338336 bytes)
              format        GGUF version 3
              kind          model: weights that an engine can run
              architecture  glm-dsa
              parameters    301.7 K in all, 219.9 K of them in the main model
              precision     8.71 bits per weight (320.8 KiB of tensor data over all parameters)
              layers        3 + 1 MTP (multi-token prediction: an extra for faster decoding, 87.3 KiB)
              context       trained for 4,096 tokens
              tokenizer     gpt2 (glm4), 96 tokens, 24 merges, with a chat template

              type  tensors       size   bytes   share
              Q8_0       56  310.3 KiB  317696  96.7 %
              F32        38   10.5 KiB   10800   3.3 %
            """);
  }

  @Test
  void writesTheDocument() {
    Run run = Run.gguf("info", Run.MINI, "--format", "json");

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out())
        .isEqualTo(
            """
            {
             "schema":"gguf/info/1",
             "path":"../testdata/glm-dsa-mini.gguf",
             "kind":"model",
             "architecture":"glm-dsa",
             "name":"GLM DSA miniature",
             "parameters":{"all":301708,"main":219944},
             "bitsPerWeight":8.71030267676031,
             "bytes":{"file":338336,"data":328496,"mtp":89424},
             "layers":{"main":3,"mtp":1},
             "context":4096,
             "types":[
              {"type":"Q8_0","tensors":56,"bytes":317696},
              {"type":"F32","tensors":38,"bytes":10800}],
             "tokenizer":{"model":"gpt2","pre":"glm4","tokens":96,"merges":24,"chatTemplate":true},
             "files":[
              {"path":"../testdata/glm-dsa-mini.gguf","bytes":338336,"version":3,"byteOrder":"little","tensors":94,"metadata":45}],
             "findings":[]
            }
            """);
  }

  @Test
  void takesAnyShardForTheSet() {
    Run run = Run.gguf("info", Run.TESTDATA + "glm-dsa-mini-split-00002-of-00003.gguf");

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out())
        .contains("  shards        3 files that are one model\n")
        .contains("  parameters    301.7 K in all, 219.9 K of them in the main model\n");
  }

  @Test
  void showsWhatIsLeftOfACutFile() throws IOException {
    Path file = folder.resolve("cut.gguf");
    Files.write(file, Arrays.copyOf(Files.readAllBytes(Path.of(Run.MINI)), 200_000));

    Run run = Run.gguf("info", file.toString());

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("  architecture  glm-dsa\n")
        .contains("138336 bytes")
        .contains("[tensor-outside-file]\n");
    assertThat(Run.gguf("info", file.toString(), "--fail-on", "never").status()).isEqualTo(0);
  }

  @Test
  void hasADocumentForAFileThatIsNoGguf() throws IOException {
    Path file = folder.resolve("page.gguf");
    Files.writeString(file, "<html>\u001b[31m</html>");

    Run run = Run.gguf("info", file.toString(), "--format", "json");

    assertThat(run.status()).isEqualTo(1);
    Map<String, Object> document = run.json();
    assertThat(document).containsEntry("kind", "not-gguf").containsEntry("architecture", null);
    assertThat(document.get("files")).isEqualTo(List.of(unknownFile(file)));
    assertThat(Run.gguf("info", file.toString()).out())
        .startsWith(file + ": not a GGUF file, 18 bytes\n");
  }

  @Test
  void neverLetsAFileSteerTheTerminal() throws IOException {
    Path file = folder.resolve("hostile.gguf");
    String hostile = "evil\u001b[2J\u009b31m\u202eabc\u2066\r\n\u0007";
    GgufWriter.of(
            Metadata.builder()
                .string("general.architecture", hostile)
                .string("general.name", hostile)
                .build())
        .write(file);

    for (String format : new String[] {"text", "json"}) {
      Run run = Run.onTerminal(false, "info", file.toString(), "--format", format);
      assertThat(run.out())
          .containsIgnoringCase("\\u001b[2J")
          .contains("\\u009b31m\\u202eabc\\u2066");
      assertThat(run.out().replace("\n", "").chars())
          .allMatch(c -> c >= ' ' && c < 0x7f || c > 0x9f && c < 0x2000);
    }
    assertThat(Run.gguf("info", file.toString(), "--format", "json").json())
        .containsEntry("name", hostile);
  }

  private static Map<String, Object> unknownFile(Path file) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("path", file.toString());
    fields.put("bytes", 18);
    fields.put("version", null);
    fields.put("byteOrder", null);
    fields.put("tensors", null);
    fields.put("metadata", null);
    return fields;
  }
}
