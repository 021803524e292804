package dev.gguf.mapping.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes the page about engines from their profiles.
final class EngineDocs {
  private EngineDocs() {}

  static String page() {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # What engines load

        This page is written from the engine profiles, the data that `gguf check --engine` and `gguf preflight` interpret
        (`gguf-mapping/src/main/resources/dev/gguf/mapping/engine`). Do not edit it: change a profile, then run
        `./mvnw -pl gguf-mapping -am test -Dtest=EngineDocsTest -Dgguf.docs=write -Dsurefire.failIfNoSpecifiedTests=false`.

        A generation states only what it changes; everything else holds from the one before it. Each fact has its source and
        the releases that it holds for. How to add or override a profile: [preflight.md](preflight.md).

        """);
    page.append("| engine | generations |\n| --- | --- |\n");
    List<String> engines = new ArrayList<>(EngineProfiles.engines());
    engines.add("gguf-py");
    for (String engine : engines) {
      page.append("| ").append(engine).append(" | ");
      page.append(String.join(", ", EngineProfiles.generations(engine))).append(" |\n");
    }
    for (String engine : engines) {
      page.append("\n## ").append(engine).append('\n');
      Map<String, Fact> before = new TreeMap<>();
      for (String id : EngineProfiles.generations(engine)) {
        generation(page, EngineProfiles.named(id), before);
      }
    }
    page.append("\n## Known errors\n\n");
    page.append("What `gguf explain` knows.\n\n");
    page.append("| text | mechanism | source |\n| --- | --- | --- |\n");
    for (ErrorTexts.Known known : ErrorTexts.known()) {
      StringBuilder text = new StringBuilder(known.pieces().getFirst());
      for (int i = 1; i < known.pieces().size(); i++) {
        text.append('{').append(known.places().get(i - 1)).append('}');
        text.append(known.pieces().get(i));
      }
      page.append("| ").append(code(text.toString())).append(" | ");
      page.append(
          cell(
              known
                  .mechanism()
                  .replace("@unfilled", "see the profile's kv-b and split")
                  .replace("@alias", "no alias from {type} to {architecture}")
                  .replaceAll("@\\w+", "")));
      page.append(" | ").append(cell(known.source())).append(" |\n");
    }
    return page.toString();
  }

  private static void generation(
      StringBuilder page, EngineProfile profile, Map<String, Fact> before) {
    page.append("\n### ").append(profile.id()).append(" (").append(profile.versions());
    page.append(")\n\n| fact | value | source | releases |\n| --- | --- | --- | --- |\n");
    Map<String, Fact> now = new TreeMap<>(profile.table());
    now.forEach((key, fact) -> {
      if (!fact.equals(before.get(key))) {
        page.append("| ").append(code(key)).append(" | ").append(value(fact));
        page.append(" | ").append(cell(fact.source())).append(" | ");
        page.append(cell(fact.versions())).append(" |\n");
      }
    });
    before.forEach((key, fact) -> {
      if (!now.containsKey(key)) {
        page.append("| ").append(code(key)).append(" | no longer | | |\n");
      }
    });
    before.clear();
    before.putAll(now);
  }

  private static String value(Fact fact) {
    return code(fact.value());
  }

  private static String code(String text) {
    String fence = text.contains("`") ? "``" : "`";
    String pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
    return fence + pad + text.replace("|", "\\|") + pad + fence;
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_").replace("<", "\\<");
  }
}
