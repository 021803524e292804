package dev.gguf.mapping.check;

import dev.gguf.Severity;
import dev.gguf.mapping.LegacyName;
import dev.gguf.mapping.Mapping;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Tensors under older names, with the names that they have now.
final class LegacyRules {
  private static final int MAX_NAMED = 12;

  private LegacyRules() {}

  static void check(Judged model, Mapping mapping) {
    if (mapping.legacyNames().isEmpty()) {
      return;
    }
    List<LegacyName> warnings = new ArrayList<>();
    List<LegacyName> infos = new ArrayList<>();
    for (LegacyName name : mapping.legacyNames()) {
      (name.severity() == Severity.WARNING ? warnings : infos).add(name);
    }
    tell(model, warnings, Severity.WARNING);
    tell(model, infos, Severity.INFO);
  }

  private static void tell(Judged model, List<LegacyName> names, Severity severity) {
    if (names.isEmpty()) {
      return;
    }
    Map<String, List<LegacyName>> alike = new LinkedHashMap<>();
    for (LegacyName name : names) {
      String key = folded(name.tensor().name());
      List<LegacyName> members = alike.get(key);
      if (members == null) {
        members = new ArrayList<>();
        alike.put(key, members);
      }
      members.add(name);
    }
    StringBuilder message = new StringBuilder();
    message
        .append(Words.count(names.size(), "tensor"))
        .append(names.size() == 1 ? " has an older name: " : " have older names: ");
    int told = 0;
    for (List<LegacyName> members : alike.values()) {
      if (told == MAX_NAMED) {
        message.append(", and ").append(alike.size() - told).append(" more kinds");
        break;
      }
      LegacyName first = members.getFirst();
      message.append(told++ == 0 ? "" : ", ").append(first.tensor().name());
      if (members.size() > 1) {
        message.append(" and ").append(members.size() - 1).append(" like it");
      }
      message
          .append(first.finalName().isEmpty() ? " (no longer written" : " (now ")
          .append(first.finalName())
          .append(')');
    }
    model.add(
        model
            .aboutTensor(ModelRule.NAME_LEGACY, names.getFirst().tensor(), message.toString())
            .withSeverity(severity)
            .withHint(
                severity == Severity.WARNING
                    ? "convert the model again; current engines do not look for these names"
                    : "the tensors feed their parameters all the same; gguf check --engine ENGINE says"
                        + " whether an engine takes the older names"));
  }

  /// Returns a name with its numbers taken out.
  private static String folded(String name) {
    StringBuilder folded = new StringBuilder();
    int at = 0;
    while (at < name.length()) {
      int dot = name.indexOf('.', at);
      int end = dot < 0 ? name.length() : dot;
      boolean number = end > at;
      for (int i = at; i < end; i++) {
        number &= name.charAt(i) >= '0' && name.charAt(i) <= '9';
      }
      folded.append(number ? "N" : name.substring(at, end)).append('.');
      at = end + 1;
    }
    return folded.toString();
  }
}
