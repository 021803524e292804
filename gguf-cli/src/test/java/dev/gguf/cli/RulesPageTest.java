package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Rule;
import dev.gguf.fixture.Shared;
import dev.gguf.mapping.engine.EngineRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The page of rules and the rules of the code are the same.
class RulesPageTest {
  /// Finds every enum of rules by the text of the sources, so that a new one cannot be left out.
  private static List<Rule> rules() throws IOException {
    List<Rule> rules = new ArrayList<>();
    for (String module : List.of("gguf-core", "gguf-mapping")) {
      Path sources = Shared.root().resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(each -> each.toString().endsWith("Rule.java")).toList()) {
          if (Files.readString(file).contains(" implements Rule ")) {
            String name = sources.relativize(file).toString().replace('/', '.');
            rules.addAll(constants(name.substring(0, name.length() - ".java".length())));
          }
        }
      }
    }
    return rules;
  }

  private static List<Rule> constants(String name) {
    try {
      List<Rule> rules = new ArrayList<>();
      for (Object constant : Class.forName(name).getEnumConstants()) {
        rules.add((Rule) constant);
      }
      return rules;
    } catch (ClassNotFoundException e) {
      throw new AssertionError(name, e);
    }
  }

  /// What the code says of a rule, as the first columns of the page write it.
  private static String columns(Rule rule) {
    if (rule instanceof EngineRule engine) {
      return engine.meaning();
    }
    return rule.severity().label() + " | " + (rule.opens() ? "yes" : "no");
  }

  @Test
  void thePageListsEveryRuleWithItsSeverity() throws IOException {
    TreeMap<String, String> code = new TreeMap<>();
    for (Rule rule : rules()) {
      assertThat(code.put(rule.id(), columns(rule))).as(rule.id() + " is in two lists").isNull();
    }
    TreeMap<String, String> page = new TreeMap<>();
    for (String line : Files.readAllLines(Shared.root().resolve("docs/rules.md"))) {
      String[] cells = line.split(" *\\| *", -1);
      if (line.startsWith("| ") && !cells[1].equals("id") && !cells[1].startsWith("---")) {
        boolean engine = cells.length == 4;
        page.put(cells[1], engine ? cells[2] : cells[2] + " | " + cells[3]);
      }
    }
    assertThat(page).containsExactlyInAnyOrderEntriesOf(code);
  }
}
