package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Judges the collection of small files that repeat what users met, each by its row of the
/// manifest: which verdicts are allowed, what has to be said, what must not be said.
class CasesTest {
  private static final List<String> ORDER = List.of("ok", "info", "warning", "error");

  /// A row of a manifest.
  record Case(String id, List<String> files, String args, String verdict, String must, String not) {
    @Override
    public String toString() {
      return id + " " + String.join(" ", files);
    }
  }

  static List<Case> cases() throws IOException {
    return read("manifest.tsv", "path");
  }

  static List<Case> pairs() throws IOException {
    return read("pairs.tsv", "files");
  }

  /// The rows that `check` answers without being asked about an engine.
  private static List<Case> read(String name, String files) throws IOException {
    if (!Shared.isThere()) {
      return List.of(new Case("absent", List.of(), "", "", "", ""));
    }
    List<Case> cases = new ArrayList<>();
    List<String> lines = Files.readAllLines(Shared.require("data/cases/" + name));
    String[] head = lines.getFirst().split("\t", -1);
    for (String line : lines.subList(1, lines.size())) {
      Map<String, String> row = new HashMap<>();
      String[] cells = line.split("\t", -1);
      for (int i = 0; i < cells.length; i++) {
        row.put(head[i], cells[i]);
      }
      if (row.get("command").equals("check")
          && !row.get("args").contains("--engine")
          && !"1".equals(row.get("sparse"))) {
        cases.add(
            new Case(
                row.get("id"),
                List.of(row.get(files).split(" ", -1)),
                row.get("args"),
                row.get("verdict"),
                row.get("must"),
                row.get("must_not")));
      }
    }
    return cases;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void aFileIsJudgedAsItsRowSays(Case row) throws IOException {
    judge(row);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pairs")
  void filesThatBelongTogetherAreJudgedAsTheirRowSays(Case row) throws IOException {
    judge(row);
  }

  private static void judge(Case row) throws IOException {
    Assumptions.assumeFalse(
        row.id().equals("absent"), "needs ../shared/data/cases beside the repository");
    Path folder = Shared.require("data/cases");
    List<String> line = new ArrayList<>(List.of("check", "--format", "json"));
    for (String file : row.files()) {
      line.add(folder.resolve(file).toString());
    }
    Run run = Run.gguf(line.toArray(String[]::new));
    Said said = Said.in(run.out());
    assertThat(row.verdict().split(",", -1)).as(said.text).contains(said.verdict);
    assertThat(said.worst).isEqualTo(said.verdict);
    assertThat(run.status()).isEqualTo(said.verdict.equals("error") ? 1 : 0);
    if (!row.must().isEmpty()) {
      assertThat(pattern(row.must()).matcher(said.text).find()).as(said.text).isTrue();
    }
    if (!row.not().isEmpty()) {
      assertThat(pattern(row.not()).matcher(said.text).find()).as(said.text).isFalse();
    }
  }

  private static Pattern pattern(String python) {
    return Pattern.compile(python, Pattern.CASE_INSENSITIVE);
  }

  /// The verdict and the text of all findings of a document.
  private static final class Said {
    private String verdict = "ok";
    private String worst = "ok";
    private String text = "";

    static Said in(String json) throws IOException {
      Said said = new Said();
      StringBuilder text = new StringBuilder();
      try (JsonParser parser = new JsonFactory().createParser(json)) {
        while (parser.nextToken() != null) {
          if (parser.currentToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
              case "verdict" -> said.verdict = worse(said.verdict, parser.getText());
              case "severity" -> said.worst = worse(said.worst, parser.getText());
              case "name", "file", "message" -> text.append(last(parser.getText())).append(' ');
              case "hint" -> text.append(parser.getText()).append('\n');
              default -> {}
            }
          }
        }
      }
      said.text = text.toString();
      return said;
    }

    private static String worse(String a, String b) {
      return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
    }

    /// Of a path its last part; everything else as it is.
    private static String last(String text) {
      return text.startsWith("/") ? text.substring(text.lastIndexOf('/') + 1) : text;
    }
  }
}
