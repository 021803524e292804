package dev.gguf.mapping.internal;

import dev.gguf.mapping.ModelType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads map files; `docs/map-format.md` describes them.
public final class MapParser {
  private static final int MAX_INCLUDES = 32;

  private final Function<String, @Nullable String> files;
  private final List<MapFile.Model> models = new ArrayList<>();
  private final Map<String, Integer> variables = new HashMap<>();
  private final List<Expression> lets = new ArrayList<>();
  private final List<String> letNames = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();
  private final List<MapFile.Required> required = new ArrayList<>();
  private final List<Section> sections = new ArrayList<>();
  private final List<MapFile.Spelling> spellings = new ArrayList<>();
  private final List<MapFile.Spelling> modules = new ArrayList<>();
  private final List<String> checks = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<String, String> settings = new HashMap<>();
  private final ExpressionParser expressions = new ExpressionParser(variables, keys);
  private final RuleParser rules = new RuleParser(expressions);
  private final List<OpenChoice> open = new ArrayList<>();
  private final List<List<MapFile.Item>> sectionItems = new ArrayList<>();
  private int includes;
  private int current;

  /// @param files gives the text of a map file by its name without `.map`, or null
  private MapParser(Function<String, @Nullable String> files) {
    this.files = files;
    startSection(new Section("", "", null, Template.of("", List.of(""), List.of()), null, null));
  }

  /// Reads a map and the files that it includes.
  ///
  /// @param name of the file, without `.map`
  /// @param files gives the text of a map file by its name, or null where there is none
  /// @return the map, or null if there is no such file
  /// @throws MapSyntaxException if a file breaks the grammar
  public static @Nullable MapFile parse(String name, Function<String, @Nullable String> files) {
    String text = files.apply(name);
    if (text == null) {
      return null;
    }
    MapParser parser = new MapParser(files);
    parser.read(name, text);
    return parser.finish();
  }

  private MapFile finish() {
    for (int i = 0; i < sections.size(); i++) {
      sections.get(i).items(sectionItems.get(i));
    }
    return new MapFile(
        List.copyOf(models),
        List.copyOf(lets),
        List.copyOf(letNames),
        List.copyOf(keys),
        List.copyOf(required),
        List.copyOf(sections),
        List.copyOf(spellings),
        List.copyOf(modules),
        List.copyOf(checks),
        List.copyOf(notes));
  }

  private void read(String name, String text) {
    String file = name.concat(".map");
    int depth = open.size();
    int number = 0;
    int at = 0;
    String begun = "";
    while (at < text.length()) {
      int end = text.indexOf('\n', at);
      end = end < 0 ? text.length() : end;
      String line = stripped(text.substring(at, end));
      at = end + 1;
      number++;
      if (line.endsWith("\\")) {
        begun = begun.concat(line.substring(0, line.length() - 1).strip()).concat(" ");
        continue;
      }
      line = begun.isEmpty() ? line : begun.concat(line.strip());
      begun = "";
      if (!line.isBlank()) {
        statement(new LineReader(file, number, substituted(file, number, line)), file, number);
      }
    }
    if (open.size() != depth) {
      throw new MapSyntaxException(file + ": " + (open.size() - depth) + " when without end");
    }
  }

  /// Returns a line without its comment and the spaces at its end.
  private static String stripped(String line) {
    int end = line.length();
    boolean quoted = false;
    if (line.indexOf('#') >= 0) {
      for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        quoted ^= c == '"';
        if (c == '#' && !quoted && (i == 0 || line.charAt(i - 1) == ' ')) {
          end = i;
          break;
        }
      }
    }
    while (end > 0 && line.charAt(end - 1) <= ' ') {
      end--;
    }
    return line.substring(0, end);
  }

  /// Returns a line with `$NAME` replaced by what a `set` line gives it.
  private String substituted(String file, int number, String line) {
    int dollar = line.indexOf('$');
    if (dollar < 0) {
      return line;
    }
    StringBuilder result = new StringBuilder();
    int at = 0;
    while (dollar >= 0) {
      int end = dollar + 1;
      while (end < line.length()
          && (Character.isLetterOrDigit(line.charAt(end)) || line.charAt(end) == '_')) {
        end++;
      }
      String value = settings.get(line.substring(dollar + 1, end));
      if (value == null) {
        throw new MapSyntaxException(
            file
                + ":"
                + number
                + ": no set line before this one gives "
                + line.substring(dollar, end));
      }
      result.append(line, at, dollar).append(value);
      at = end;
      dollar = line.indexOf('$', at);
    }
    return result.append(line, at, line.length()).toString();
  }

  private void statement(LineReader in, String file, int number) {
    if (in.acceptWord("when")) {
      when(in, file + ":" + number);
    } else if (in.acceptWord("else")) {
      orElse(in);
    } else if (in.acceptWord("end")) {
      end(in);
    } else if (in.acceptWord("let")) {
      let(in);
    } else if (in.acceptWord("layers")) {
      layers(in);
    } else if (in.acceptWord("globals")) {
      in.end();
      noOpenChoice(in);
      current = 0;
    } else if (in.acceptWord("drop")) {
      drop(in);
    } else if (in.acceptWord("alias")) {
      alias(in);
    } else if (!header(in)) {
      add(rules.rule(in, section(), file + ":" + number));
    }
  }

  /// Reads the lines that describe the map as a whole.
  private boolean header(LineReader in) {
    if (in.acceptWord("model")) {
      ModelType type = new ModelType(in.name(), in.name());
      models.add(new MapFile.Model(type, in.acceptWord("when") ? expressions.parse(in) : null));
    } else if (in.acceptWord("require")) {
      String key = in.name();
      String reason = in.sentence();
      required.add(
          new MapFile.Required(key, reason, in.acceptWord("when") ? expressions.parse(in) : null));
    } else if (in.acceptWord("set")) {
      settings.putIfAbsent(in.identifier(), in.rest());
    } else if (in.acceptWord("include")) {
      include(in);
    } else if (in.acceptWord("spelling")) {
      spellings.add(spelling(in));
    } else if (in.acceptWord("modules")) {
      modules.add(spelling(in));
    } else if (in.acceptWord("checked")) {
      checks.add(in.rest());
    } else if (in.acceptWord("note")) {
      notes.add(in.sentence());
    } else {
      return false;
    }
    in.end();
    return true;
  }

  private static MapFile.Spelling spelling(LineReader in) {
    String prefix = in.name();
    in.expect("->");
    return new MapFile.Spelling(prefix, in.name());
  }

  private void include(LineReader in) {
    String name = in.name();
    String text = files.apply(name);
    if (text == null) {
      throw in.error("there is no map " + name);
    }
    if (++includes > MAX_INCLUDES) {
      throw in.error("maps include each other");
    }
    read(name, text);
  }

  private void let(LineReader in) {
    String name = in.identifier();
    in.expect("=");
    Expression value = expressions.parse(in);
    in.end();
    if (variables.containsKey(name) || Expressions.Given.named(name) != null) {
      throw in.error(name + " has a value already");
    }
    variables.put(name, lets.size());
    lets.add(value);
    letNames.add(name);
  }

  private void layers(LineReader in) {
    noOpenChoice(in);
    String pattern = in.name();
    int number = pattern.indexOf("{L}");
    if (number <= 0) {
      throw in.error("expected {L} in the pattern of the layers");
    }
    Expression count = in.acceptWord("of") ? expressions.parse(in) : null;
    in.expect("->");
    Template prefix = rules.template(in.name(), in);
    Template mtp = null;
    Template module = null;
    while (!in.atEnd()) {
      if (in.accept("mtp-module ")) {
        module = rules.template(in.name(), in);
      } else {
        in.expect("mtp ");
        mtp = rules.template(in.name(), in);
      }
    }
    in.end();
    startSection(
        new Section(
            pattern.substring(0, number),
            pattern.substring(number + 3),
            count,
            prefix,
            mtp,
            module));
  }

  private Section section() {
    return sections.get(current);
  }

  private void startSection(Section section) {
    current = sections.size();
    sections.add(section);
    sectionItems.add(new ArrayList<>());
  }

  private void noOpenChoice(LineReader in) {
    if (!open.isEmpty()) {
      throw in.error("a when before this line has no end");
    }
  }

  private void drop(LineReader in) {
    String name = in.name();
    String group = in.name();
    String reason = in.sentence();
    String finalName = in.acceptWord("now") ? in.sentence() : null;
    in.end();
    if (dev.gguf.mapping.Group.of(group).isEmpty()) {
      throw in.error("there is no group " + group);
    }
    Section section = section();
    if (section.slot(name) >= 0) {
      throw in.error(name + " stands in the map already");
    }
    section.drop(section.addSlot(name), new Section.Drop(group, reason, finalName));
  }

  private void alias(LineReader in) {
    String name = in.name();
    in.expect("->");
    String current = in.name();
    boolean warning = in.acceptWord("warning");
    if (!warning && !in.acceptWord("info")) {
      throw in.error("expected info or warning");
    }
    in.end();
    Section section = section();
    if (section.slot(name) >= 0) {
      throw in.error(name + " stands in the map already");
    }
    section.alias(section.addSlot(name), new Section.Alias(section.addSlot(current), warning));
  }

  /// A choice whose end has not been read.
  private static final class OpenChoice {
    final List<MapFile.Branch> branches = new ArrayList<>();
    @Nullable Expression condition;
    @Nullable String otherwise;
    List<MapFile.Item> items = new ArrayList<>();
    boolean last;
    final String line;

    OpenChoice(String line) {
      this.line = line;
    }

    void close() {
      branches.add(new MapFile.Branch(condition, otherwise, List.copyOf(items)));
      items = new ArrayList<>();
    }
  }

  private void when(LineReader in, String line) {
    OpenChoice choice = new OpenChoice(line);
    condition(choice, in);
    open.add(choice);
  }

  private void condition(OpenChoice choice, LineReader in) {
    choice.condition = expressions.parse(in);
    choice.otherwise = in.acceptWord("otherwise") ? in.sentence() : null;
    in.end();
  }

  private OpenChoice innermost(LineReader in) {
    if (open.isEmpty()) {
      throw in.error("no when before this line");
    }
    return open.getLast();
  }

  private void orElse(LineReader in) {
    OpenChoice choice = innermost(in);
    if (choice.last) {
      throw in.error("an else without condition is the last one");
    }
    choice.close();
    if (in.acceptWord("when")) {
      condition(choice, in);
      return;
    }
    choice.condition = null;
    choice.otherwise = in.acceptWord("otherwise") ? in.sentence() : null;
    choice.last = true;
    in.end();
  }

  private void end(LineReader in) {
    OpenChoice choice = innermost(in);
    in.end();
    choice.close();
    open.removeLast();
    add(new MapFile.Choice(List.copyOf(choice.branches), choice.line));
  }

  private void add(MapFile.Item item) {
    if (item instanceof MapFile.Rule rule) {
      for (OpenChoice choice : open) {
        if (choice.otherwise != null) {
          for (MapFile.Source source : rule.sources()) {
            section().otherwise(source.slot(), choice.otherwise);
          }
        }
      }
    }
    if (open.isEmpty()) {
      sectionItems.get(current).add(item);
    } else {
      open.getLast().items.add(item);
    }
  }
}
