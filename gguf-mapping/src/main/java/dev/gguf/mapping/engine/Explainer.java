package dev.gguf.mapping.engine;

import dev.gguf.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Explains what an engine prints when a launch fails: which tensor it is about, what went wrong,
/// what to do. What no rule knows is called unknown.
public final class Explainer {
  private static final Pattern EXCEPTION =
      Pattern.compile("^(?:[A-Za-z_]\\w*\\.)*+[A-Z]\\w*(?:Error|Exception|Exit)(?:: |:?$)");
  private static final Pattern FUNCTION = Pattern.compile("^[a-z_][\\w.]*: ");
  private static final Pattern KEY_ERROR =
      Pattern.compile("(?:KeyError: |parameter named )['\"]([^'\"]+)['\"]");
  private static final Pattern FRAME = Pattern.compile("^ *File \"([^\"]+)\", line \\d+");
  private static final Pattern STARTED =
      Pattern.compile(
          "Application startup complete|Uvicorn running on|server is listening on|The server is fired up");

  private static final int MOST = 10_000;
  private static final String PRESENT_REMEDY =
      "see which file the engine was given: another file, an older or incomplete copy, or one shard"
          + " of a set; if it is this file, take a newer build";

  private final ParameterNames names;
  private final NameErrors nameErrors;

  /// Makes an explainer for the model that was to be loaded.
  public Explainer(Candidate model) {
    this.names = new ParameterNames(model);
    this.nameErrors = new NameErrors(names);
  }

  /// Explains an error's text, the name of a parameter or of a tensor.
  ///
  /// @return empty if the text names nothing and no rule knows it
  public Optional<Explanation> explain(String text) {
    String line = LogLine.of(text.strip()).text().strip();
    Optional<Explanation> error = error(line, "");
    if (error.isPresent() && error.get().isKnown()) {
      return error;
    }
    Optional<Explanation> name = name(unquoted(line));
    return name.isPresent() ? name : error;
  }

  private static String unquoted(String text) {
    int length = text.length();
    boolean quoted =
        length > 1
            && (text.charAt(0) == '\'' || text.charAt(0) == '"')
            && text.charAt(length - 1) == text.charAt(0);
    return quoted ? text.substring(1, length - 1) : text;
  }

  private Optional<Explanation> name(String name) {
    if (names.tensor(name) != null) {
      List<ParameterNames.Found> fed = names.fedBy(name);
      if (fed.isEmpty()) {
        return Optional.of(
            new Explanation(
                0,
                name,
                OptionalInt.empty(),
                Optional.of(name),
                Optional.empty(),
                "a tensor of the file that feeds no parameter of the checkpoint",
                Optional.empty(),
                Optional.empty()));
      }
      return Optional.of(fed(name, fed.getFirst(), Optional.of(name)));
    }
    Optional<ParameterNames.Found> found = names.parameter(name);
    if (found.isPresent()) {
      return Optional.of(fed(name, found.get(), NameErrors.only(found.get())));
    }
    return nameErrors.explain(name, name);
  }

  private static Explanation fed(String text, ParameterNames.Found found, Optional<String> tensor) {
    StringBuilder sources = new StringBuilder();
    for (Tensor source : found.tensors()) {
      sources.append(sources.isEmpty() ? "" : " and ").append(source.name());
      sources.append(" (").append(source.type().name()).append(')');
    }
    String how = found.transform().equals("none") ? "as it is" : found.transform();
    return new Explanation(
        0,
        text,
        OptionalInt.empty(),
        tensor,
        Optional.of(found.parameter()),
        found.parameter() + " is fed by " + sources + ", " + how,
        Optional.empty(),
        Optional.empty());
  }

  /// Explains a line that is an error.
  private Optional<Explanation> error(String line, String frame) {
    Matcher key = KEY_ERROR.matcher(line);
    if (key.find()) {
      Optional<Explanation> explained = nameErrors.explain(line, key.group(1));
      if (explained.isPresent()) {
        return explained;
      }
    }
    String place = line + " @ " + frame;
    for (ErrorTexts.Known known : ErrorTexts.known()) {
      Optional<Map<String, String>> places = known.in(line);
      if (places.isEmpty() && known.pieces().getFirst().contains(" @ ")) {
        places = known.in(place);
      }
      if (places.isPresent()) {
        return Optional.of(known(line, known, places.get()));
      }
    }
    return EXCEPTION.matcher(line).find()
        ? Optional.of(
            new Explanation(
                0,
                line,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Explanation.UNKNOWN,
                Optional.empty(),
                Optional.empty()))
        : Optional.empty();
  }

  private Explanation known(String line, ErrorTexts.Known known, Map<String, String> places) {
    Map<String, String> all = new LinkedHashMap<>(places);
    all.put("architecture", names.architecture());
    Optional<String> tensor = Optional.ofNullable(places.get("tensor"));
    Optional<ParameterNames.Found> named =
        Optional.ofNullable(places.get("name"))
            .filter(name -> name.contains("."))
            .flatMap(module -> names.parameter(module + ".weight"));
    if (tensor.isEmpty()) {
      tensor = named.flatMap(NameErrors::only);
    }
    if (named.isEmpty()) {
      named = onlyOfList(places.get("list")).flatMap(names::parameter);
      tensor = tensor.isPresent() ? tensor : named.flatMap(NameErrors::only);
    }
    Optional<String> parameter =
        named
            .map(ParameterNames.Found::parameter)
            .or(() -> onlyOfList(places.get("list")))
            .or(() -> onlyParameter(Optional.ofNullable(places.get("tensor"))));
    String present = present(line, places);
    return new Explanation(
        0,
        line,
        OptionalInt.empty(),
        tensor,
        parameter,
        present == null
            ? filled(known.mechanism(), all)
            : "the loader asks for " + present + " and misses it, but this file has it",
        Optional.of(present == null ? filled(known.remedy(), all) : PRESENT_REMEDY),
        Optional.of(known.source()));
  }

  /// Returns the tensor or key that the error misses, if this file has it after all; else null.
  private @Nullable String present(String line, Map<String, String> places) {
    String tensor = places.get("tensor");
    if (line.contains("can't find blk.") && places.get("layer") != null) {
      tensor = "blk." + places.get("layer") + ".attn_kv_b.weight";
    }
    boolean missed =
        line.contains("missing tensor '")
            || line.contains("' not found")
            || line.contains("can't find blk.");
    if (missed && tensor != null && names.tensor(tensor) != null) {
      return tensor;
    }
    String key = places.get("key");
    if (key != null
        && line.contains("key not found in model: ")
        && names.model().metadata().find(key.strip()).isPresent()) {
      return key.strip();
    }
    return null;
  }

  /// Returns the name of a Python list that has only one.
  private static Optional<String> onlyOfList(@Nullable String list) {
    if (list == null || list.indexOf(',') >= 0) {
      return Optional.empty();
    }
    return Optional.of(unquoted(list.strip())).filter(name -> !name.isEmpty());
  }

  private Optional<String> onlyParameter(Optional<String> tensor) {
    List<ParameterNames.Found> fed = tensor.map(names::fedBy).orElse(List.of());
    return fed.size() == 1 ? Optional.of(fed.getFirst().parameter()) : Optional.empty();
  }

  private String filled(String text, Map<String, String> places) {
    boolean halves = false;
    boolean whole = false;
    for (Tensor tensor : names.model().tensors()) {
      String rest = Attempt.rest(tensor.name());
      halves |= rest.equals("attn_k_b.weight");
      whole |= rest.equals("attn_kv_b.weight");
    }
    boolean kvB = halves && !whole;
    boolean split = names.model().files() > 1;
    String filled =
        text.replace(
                "@unfilled-remedy",
                kvB
                    ? "join attn_k_b and attn_v_b per head into kv_b_proj, or take a file with"
                        + " attn_kv_b"
                    : split
                        ? "merge the set into one file: gguf merge"
                        : "gguf map names what each tensor feeds")
            .replace(
                "@unfilled",
                kvB
                    ? "kv_b_proj, since the map looks for attn_kv_b and the file has attn_k_b and"
                        + " attn_v_b"
                    : split
                        ? "up to vLLM 0.19.1 only the file named is read of a split set"
                        : "no tensor of the file feeds it, or a shard of its fused module is"
                            + " absent");
    for (Map.Entry<String, String> place : places.entrySet()) {
      filled = filled.replace("{" + place.getKey() + "}", place.getValue());
    }
    return filled;
  }

  /// What a log says.
  ///
  /// @param matches the errors in it, each text once, in the order of the log
  /// @param first index of the first real cause, or -1 if there is none
  /// @param recognised whether a line of it looks like one that an engine prints
  public record Log(List<Explanation> matches, int first, boolean recognised) {
    /// Copies the matches.
    public Log {
      matches = List.copyOf(matches);
    }
  }

  /// Reads the log of a launch and finds the first real cause among what follows from it.
  ///
  /// A log whose launch succeeded has no cause: errors before its last start were survived. Lines
  /// are read one by one, and at most 10000 different errors are kept.
  public Log explainLog(Iterable<String> lines) {
    Map<String, Explanation> found = new LinkedHashMap<>();
    Map<String, String> frames = new HashMap<>();
    Set<String> ignoring = new HashSet<>();
    int number = 0;
    boolean recognised = false;
    for (String raw : lines) {
      number++;
      LogLine line = LogLine.of(raw);
      String text = line.text();
      recognised = recognised || EngineLog.has(raw, line);
      Matcher frame = FRAME.matcher(text);
      if (frame.find()) {
        frames.put(line.process(), frame.group(1));
        continue;
      }
      if (STARTED.matcher(text).find()) {
        recognised = true;
        found.clear();
        continue;
      }
      if (text.startsWith("Exception ignored in")) {
        ignoring.add(line.process());
        continue;
      }
      boolean ignored = EXCEPTION.matcher(text).find() && ignoring.remove(line.process());
      if (!ignored && isError(text) && !ErrorTexts.isNoise(text)) {
        String stripped = text.strip();
        Optional<Explanation> error = error(stripped, frames.getOrDefault(line.process(), ""));
        if (error.isPresent() && (found.size() < MOST || error.get().isKnown())) {
          found.putIfAbsent(stripped, error.get().at(number, line.rank()));
        }
      }
    }
    List<Explanation> matches = new ArrayList<>(found.values());
    int first = matches.isEmpty() ? -1 : 0;
    for (int i = matches.size() - 1; i >= 0; i--) {
      if (matches.get(i).isKnown()) {
        first = i;
      }
    }
    return new Log(matches, first, recognised || !matches.isEmpty());
  }

  /// Lines of source and of tracebacks are indented; errors are not, except those of pydantic.
  private static boolean isError(String text) {
    if (text.startsWith("  Value error, ")) {
      return true;
    }
    if (text.isEmpty() || text.charAt(0) == ' ' || text.charAt(0) == '\t') {
      return false;
    }
    return EXCEPTION.matcher(text).find()
        || FUNCTION.matcher(text).find()
        || text.startsWith("error")
        || text.startsWith("Error");
  }
}
