package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// `docs/architectures.md` is made from the map files. With `-Dwrite` the page is written anew.
final class ArchitecturesPageTest {
  private static final Map<String, String> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put("converter", "converted checkpoints");
    KINDS.put("table", "tensor tables of published models");
    KINDS.put("built", "built models");
    KINDS.put("accepted", "accepted checkpoints");
    KINDS.put("names", "lists of checkpoint parameters");
    KINDS.put("module-names", "lists of module parameters");
  }

  @Test
  void thePageIsWhatTheMapsSay() throws IOException {
    Path file = Shared.root().resolve("docs/architectures.md");
    String page = page();
    if (System.getProperty("write") != null) {
      Files.writeString(file, page);
    }
    assertThat(Files.readString(file)).as("docs/architectures.md").isEqualTo(page);
  }

  private static String page() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Architectures with a name map

            Made from the map files by `ArchitecturesPageTest`; after a change of a map run it with \
            `-Dwrite`.

            *Checked against* says what tests hold a map against:

            | | |
            | --- | --- |
            | converted checkpoints | files that the format's own converter made: every tensor comes \
            from the parameter that the map says, by the transform that it says, row by row |
            | tensor tables of published models | every tensor is mapped or set aside for a reason, \
            nothing is missing, and all dimensions follow from the keys |
            | built models | a model built by transformers, whose parameters are produced exactly |
            | accepted checkpoints | a small checkpoint of a model that transformers does not know, \
            whose names the format's own converter took; its parameters are produced exactly from the \
            tensors that came out |
            | lists of checkpoint or module parameters | the parameters, with their shapes, are \
            produced exactly from the tensors that the map expects |

            *Unchecked* means that only a rule of thumb stands behind the map: the names that the \
            converter's tables and the model's code have, never held against a file or a list. Of the \
            others the names are sure as far as what they were checked against goes; optional tensors, \
            older spellings and variants that none of it has are not.

            | architecture | model types of Hugging Face | checked against | not covered |
            | --- | --- | --- | --- |
            """);
    for (String architecture : MapFilesTest.architectures()) {
      NameMap map = NameMap.forArchitecture(architecture).orElseThrow();
      page.append("| ").append(architecture).append(" | ").append(types(map)).append(" | ");
      page.append(checks(map)).append(" | ").append(String.join(" ", map.notes()));
      page.append(map.notes().isEmpty() ? "|\n" : " |\n");
    }
    return page.toString();
  }

  private static String types(NameMap map) {
    List<String> types = new ArrayList<>();
    for (ModelType type : map.modelTypes()) {
      types.add(type.modelType() + " (" + type.className() + ")");
    }
    return String.join(", ", types);
  }

  private static String checks(NameMap map) {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, String> kind : KINDS.entrySet()) {
      List<String> names = new ArrayList<>();
      for (String check : map.checks()) {
        if (check.startsWith(kind.getKey() + " ")) {
          names.add(check.substring(kind.getKey().length() + 1));
        }
      }
      if (!names.isEmpty()) {
        parts.add(kind.getValue() + ": " + String.join(", ", names));
      }
    }
    return parts.isEmpty() ? "**unchecked**" : String.join("; ", parts);
  }
}
