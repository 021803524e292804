package dev.gguf.mapping.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The parameters of a Hugging Face model type in the order of its state dictionary, and the names
/// that gguf-py has for them.
final class StateDict {
  /// One parameter: its Hugging Face name, and the GGUF name without suffix, or null where gguf-py
  /// has none.
  record Entry(String name, @Nullable String gguf) {}

  private record Line(List<String> conditions, String name, @Nullable String gguf) {}

  private static final class Table {
    static final Map<String, StateDict> MODELS = new HashMap<>();
    static final Map<String, String> TYPES = new HashMap<>();

    static {
      StateDict model = null;
      List<Line> part = new ArrayList<>();
      boolean types = false;
      for (String text : ProfileText.lines(EngineProfiles.text("state-dicts.txt"))) {
        if (text.isEmpty() || text.charAt(0) == '#') {
          continue;
        }
        List<String> words = ProfileText.words(text.strip());
        if (text.charAt(0) != ' ') {
          switch (words.getFirst()) {
            case "model" -> {
              model = new StateDict(words.get(2));
              MODELS.put(words.get(1), model);
              part = model.top;
            }
            case "layers" -> {
              model.prefix = words.get(1);
              part = model.layer;
            }
            case "end" -> part = model.end;
            default -> types = true;
          }
        } else if (types) {
          TYPES.put(words.get(0), words.get(1));
        } else {
          part.add(line(words));
        }
      }
    }

    private static Line line(List<String> words) {
      List<String> conditions = List.of();
      int at = 0;
      if (words.getFirst().endsWith(":")) {
        String first = words.getFirst();
        conditions = List.of(first.substring(0, first.length() - 1).split(","));
        at = 1;
      }
      String gguf = words.size() > at + 1 ? words.get(at + 1) : "-";
      return new Line(conditions, words.get(at), gguf.equals("-") ? null : gguf);
    }
  }

  private final String architecture;
  private String prefix = "";
  private final List<Line> top = new ArrayList<>();
  private final List<Line> layer = new ArrayList<>();
  private final List<Line> end = new ArrayList<>();

  private StateDict(String architecture) {
    this.architecture = architecture;
  }

  /// Returns the state dictionary of a model type, or empty if its names are not known here.
  static Optional<StateDict> of(String modelType) {
    return Optional.ofNullable(Table.MODELS.get(modelType));
  }

  /// Returns the model type that the configuration of a repository has whose file says this
  /// architecture.
  static String modelType(String architecture) {
    String known = Table.TYPES.get(architecture);
    return known == null ? architecture.replace('-', '_') : known;
  }

  String architecture() {
    return architecture;
  }

  /// Returns the prefix of a layer, without its number, such as `model.layers.`.
  String prefix() {
    return prefix;
  }

  /// Returns the GGUF names by Hugging Face name without suffix, relative to the layer.
  Map<String, String> bases(String ggufPy) {
    Map<String, String> bases = new HashMap<>();
    for (List<Line> part : List.of(top, layer, end)) {
      for (Line line : part) {
        String gguf = known(line.gguf(), ggufPy);
        if (gguf != null) {
          bases.put(base(line.name()), gguf);
        }
      }
    }
    return bases;
  }

  List<Entry> entries(EngineNames.Sizes sizes, String transformers, String ggufPy) {
    List<Entry> entries = new ArrayList<>();
    boolean five = Version.compare(transformers, "5") >= 0;
    for (Line line : top) {
      entries.add(new Entry(line.name(), known(line.gguf(), ggufPy)));
    }
    for (int i = 0; i < sizes.layers(); i++) {
      layer(entries, i, sizes, five, ggufPy);
    }
    for (Line line : end) {
      entries.add(new Entry(line.name(), known(line.gguf(), ggufPy)));
    }
    return entries;
  }

  private void layer(
      List<Entry> entries, int number, EngineNames.Sizes sizes, boolean five, String ggufPy) {
    String start = prefix + number + ".";
    String block = "blk." + number + ".";
    int at = 0;
    while (at < layer.size()) {
      Line line = layer.get(at);
      if (!line.name().contains("{e}")) {
        if (holds(line, number, sizes, five)) {
          String gguf = known(line.gguf(), ggufPy);
          entries.add(new Entry(start + line.name(), gguf == null ? null : block + gguf));
        }
        at++;
        continue;
      }
      int last = at;
      while (last < layer.size() && layer.get(last).name().contains("{e}")) {
        last++;
      }
      for (int e = 0; e < sizes.experts(); e++) {
        for (Line expert : layer.subList(at, last)) {
          if (holds(expert, number, sizes, five)) {
            String name = expert.name().replace("{e}", Integer.toString(e));
            entries.add(new Entry(start + name, null));
          }
        }
      }
      at = last;
    }
  }

  private static boolean holds(Line line, int layer, EngineNames.Sizes sizes, boolean five) {
    for (String condition : line.conditions()) {
      boolean holds =
          switch (condition) {
            case "dense" -> layer < sizes.denseLayers();
            case "moe" -> layer >= sizes.denseLayers();
            case "lora" -> sizes.queryLora();
            case "lite" -> !sizes.queryLora();
            case "t4" -> !five;
            case "t5" -> five;
            default -> throw new IllegalStateException("condition " + condition);
          };
      if (!holds) {
        return false;
      }
    }
    return true;
  }

  /// A name that only one release of gguf-py has is written as `py0.18.0=name`.
  private static @Nullable String known(@Nullable String gguf, String ggufPy) {
    if (gguf == null || !gguf.startsWith("py")) {
      return gguf;
    }
    int equals = gguf.indexOf('=');
    return gguf.substring(2, equals).equals(ggufPy) ? gguf.substring(equals + 1) : null;
  }

  static String base(String name) {
    if (name.endsWith(".weight")) {
      return name.substring(0, name.length() - 7);
    }
    return name.endsWith(".bias") ? name.substring(0, name.length() - 5) : name;
  }
}
