package dev.gguf.mapping.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The reader of a profile's text.
final class ProfileText {
  private final String name;
  private final String text;
  private String id = "";
  private String engine = "";
  private String versions = "";
  private String source = "";
  private String holds = "";
  private String host = "";
  private final Set<String> removed = new HashSet<>();
  private final Map<String, Fact> facts = new LinkedHashMap<>();

  ProfileText(String name, String text) {
    this.name = name;
    this.text = text;
  }

  EngineProfile profile() {
    int number = 0;
    for (String raw : lines(text)) {
      String line = raw.strip();
      number++;
      if (!line.isEmpty() && line.charAt(0) != '#') {
        line(line, number);
      }
    }
    if (id.isEmpty() || engine.isEmpty() || versions.isEmpty()) {
      throw new IllegalArgumentException(
          name + ": a profile states its profile, engine and versions");
    }
    return made();
  }

  private void line(String line, int number) {
    if (line.startsWith("- ")) {
      String key = line.substring(2).strip();
      facts.remove(key);
      removed.add(key);
      return;
    }
    int equals = line.indexOf('=');
    int space = line.indexOf(' ');
    String word = space < 0 ? line : line.substring(0, space);
    String rest = space < 0 ? "" : line.substring(space + 1).strip();
    switch (word) {
      case "profile" -> id = rest;
      case "engine" -> engine = rest;
      case "versions" -> versions = rest;
      case "source" -> source = rest;
      case "holds" -> holds = rest;
      case "extends" -> parent(known(rest, number));
      case "host" -> host = rest;
      default -> {
        if (equals <= 0) {
          throw new IllegalArgumentException(
              name + ":" + number + ": expected `key = value`, found `" + line + "`");
        }
        fact(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
      }
    }
  }

  private void parent(EngineProfile parent) {
    facts.putAll(parent.own().facts());
    removed.addAll(parent.own().removed());
    host = host.isEmpty() ? parent.own().host() : host;
  }

  /// The facts of the host lie under those of the plugin and of every profile that it extends.
  private EngineProfile made() {
    EngineProfile.Own own = new EngineProfile.Own(facts, removed, host);
    if (host.isEmpty()) {
      return new EngineProfile(id, engine, versions, facts, own);
    }
    Map<String, Fact> all = new LinkedHashMap<>(EngineProfiles.of("vllm", host).table());
    all.keySet().removeAll(removed);
    all.putAll(facts);
    all.put("host", new Fact("host", host, source, versions));
    return new EngineProfile(id, engine, versions, all, own);
  }

  private EngineProfile known(String profile, int number) {
    try {
      return EngineProfiles.named(profile);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ":" + number + ": " + e.getMessage(), e);
    }
  }

  private void fact(String key, String rest) {
    String value = rest;
    String where = source;
    String when = holds.isEmpty() ? versions : holds;
    int bar = rest.indexOf(" | ");
    if (bar >= 0) {
      value = rest.substring(0, bar).strip();
      where = rest.substring(bar + 3).strip();
      int second = where.indexOf(" | ");
      if (second >= 0) {
        when = where.substring(second + 3).strip();
        where = where.substring(0, second).strip();
      }
    }
    facts.put(key, new Fact(key, value, where, when));
  }

  static boolean containsWord(String text, String word) {
    int at = word.isEmpty() ? -1 : text.indexOf(word);
    while (at >= 0) {
      int end = at + word.length();
      if ((at == 0 || text.charAt(at - 1) == ' ')
          && (end == text.length() || text.charAt(end) == ' ')) {
        return true;
      }
      at = text.indexOf(word, at + 1);
    }
    return false;
  }

  static List<String> lines(String text) {
    return pieces(text, '\n', true);
  }

  static List<String> words(String text) {
    return pieces(text, ' ', false);
  }

  private static List<String> pieces(String text, char between, boolean empty) {
    List<String> pieces = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int at = text.indexOf(between, from);
      int end = at < 0 ? text.length() : at;
      if (empty || end > from) {
        pieces.add(text.substring(from, end));
      }
      from = end + 1;
    }
    return pieces;
  }
}
