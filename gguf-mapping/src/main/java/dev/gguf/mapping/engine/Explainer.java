package dev.gguf.mapping.engine;

import dev.gguf.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Explains what an engine prints when a launch fails: which tensor it is about, what went wrong,
/// what to do. What no rule knows is called unknown.
public final class Explainer {
  private static final Pattern EXCEPTION =
      Pattern.compile(
          "^(?:[A-Za-z_]\\w*\\.)*+(?:[A-Z]\\w*)?(?:Error|Exception|Exit)(?:: |:?\\s*$)");

  /// What a program in C++, Go or Rust prints when it gives up, by what says so.
  private static final Pattern GIVEN_UP =
      Pattern.compile(
          " *what\\(\\): |panic: |Candle error: |GGML_ASSERT\\(|\\S*: ?GGML_ASSERT\\("
              + "|called `Result::unwrap\\(\\)` on an `Err` value: ");

  private static final Pattern KEY_ERROR =
      Pattern.compile("(?:KeyError: |parameter named )['\"]([^'\"]+)(['\"]|$)");
  private static final String PRESENT_KEY = "key not found in model: ";
  private static final String PRESENT_REMEDY =
      "see which file the engine was given: another file, an older or incomplete copy, or one shard"
          + " of a set; if it is this file, take a newer build";

  private final ParameterNames names;
  private final NameErrors nameErrors;
  private final ErrorNotes notes;

  /// Makes an explainer for the model that was to be loaded.
  public Explainer(Candidate model) {
    this.names = new ParameterNames(model);
    this.nameErrors = new NameErrors(names);
    this.notes = new ErrorNotes(names.model());
  }

  /// Explains an error's text, the name of a parameter or of a tensor.
  ///
  /// @return empty if the text names nothing and no rule knows it
  public Optional<Explanation> explain(String text) {
    if (text.strip().indexOf('\n') >= 0) {
      Log log = explainLog(text.lines().toList());
      return log.first() < 0
          ? Optional.empty()
          : Optional.of(log.matches().get(log.first()).at(0, OptionalInt.empty()));
    }
    String line = LogLine.of(text.strip()).text().strip();
    Optional<Explanation> error = error(line, "").or(() -> cut(line));
    if (error.isPresent() && error.get().isKnown()) {
      return error;
    }
    Optional<Explanation> name = name(ErrorNotes.unquoted(line));
    return name.isPresent() ? name : error;
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

  /// Explains a line that is an error: a text that is known, or one that looks like an error.
  ///
  /// @param frame the source file in which it arose, or empty
  Optional<Explanation> error(String line, String frame) {
    Optional<Explanation> known = known(line, frame);
    return known.isPresent() || !looksLikeAnError(line) ? known : Optional.of(unknown(line));
  }

  static boolean looksLikeAnError(String line) {
    return EXCEPTION.matcher(line).lookingAt()
        || line.contains("error loading model: ")
        || GIVEN_UP.matcher(line).lookingAt();
  }

  static Explanation unknown(String line) {
    return new Explanation(
        0,
        line,
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Explanation.UNKNOWN,
        Optional.empty(),
        Optional.empty());
  }

  /// Explains a text that a rule knows.
  Optional<Explanation> known(String line, String frame) {
    Matcher key = KEY_ERROR.matcher(line);
    if (key.find()) {
      Optional<Explanation> explained =
          nameErrors.explain(
              line, key.group(2).isEmpty() ? NameErrors.completed(key.group(1)) : key.group(1));
      if (explained.isPresent()) {
        return explained;
      }
    }
    String place = line + " @ " + frame;
    for (ErrorTexts.Known known : ErrorTexts.known()) {
      Optional<Map<String, String>> places = known.in(known.hasFrame() ? place : line);
      if (places.isPresent()) {
        return Optional.of(known(line, known, places.get()));
      }
    }
    return Optional.empty();
  }

  /// Explains a line that a terminal or a pager cut off.
  Optional<Explanation> cut(String line) {
    String text =
        line.endsWith(">") || line.endsWith("…") ? line.substring(0, line.length() - 1) : line;
    if (!looksLikeAnError(text)) {
      return Optional.empty();
    }
    for (ErrorTexts.Known known : ErrorTexts.known()) {
      Optional<Map<String, String>> places = known.inCut(text);
      if (places.isPresent()) {
        return Optional.of(known(line, known, places.get()));
      }
    }
    return Optional.empty();
  }

  private Explanation known(String line, ErrorTexts.Known known, Map<String, String> places) {
    Map<String, String> all = new LinkedHashMap<>(places);
    all.put("architecture", names.architecture());
    Optional<String> tensor = Optional.ofNullable(places.get("tensor")).map(ErrorNotes::unquoted);
    Optional<ParameterNames.Found> named = Optional.empty();
    String about = known.about();
    if (!about.isEmpty()) {
      about = ErrorNotes.filled(about, places);
      tensor = names.tensor(about) == null ? tensor : Optional.of(about);
      named = tensor.isPresent() ? Optional.empty() : names.parameter(about);
    } else if (places.get("name") != null && places.get("name").contains(".")) {
      named = names.parameter(places.get("name") + ".weight");
    }
    if (named.isEmpty()) {
      named = onlyOfList(places.get("list")).flatMap(names::parameter);
    }
    Optional<ParameterNames.Found> fed = named;
    tensor = tensor.or(() -> fed.flatMap(NameErrors::only));
    Optional<String> own = tensor;
    Optional<String> parameter =
        named
            .map(ParameterNames.Found::parameter)
            .or(() -> onlyOfList(places.get("list")))
            .or(() -> own.flatMap(names::wouldFeed))
            .or(() -> own.isPresent() ? Optional.empty() : parameterOf(known, places));
    String present = present(line, places);
    return new Explanation(
        0,
        line,
        OptionalInt.empty(),
        tensor,
        parameter,
        present == null
            ? notes.notes(known.mechanism(), all)
            : "the loader asks for " + present + " and misses it, but this file has it",
        Optional.of(present == null ? notes.notes(known.remedy(), all) : PRESENT_REMEDY),
        Optional.of(known.source()));
  }

  /// Returns the parameter that the text is about even if nothing in this file feeds it.
  private static Optional<String> parameterOf(ErrorTexts.Known known, Map<String, String> places) {
    String name = ErrorNotes.filled(known.about(), places);
    return name.isEmpty() || name.startsWith("blk.") ? Optional.empty() : Optional.of(name);
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
            || line.contains("annot find tensor ")
            || line.contains(" not found in ")
            || line.contains("can't find blk.");
    if (missed && tensor != null && names.tensor(ErrorNotes.unquoted(tensor)) != null) {
      return ErrorNotes.unquoted(tensor);
    }
    String key = places.get("key");
    if (key != null
        && line.contains(PRESENT_KEY)
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
    return Optional.of(ErrorNotes.unquoted(list.strip())).filter(name -> !name.isEmpty());
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
    LaunchLog log = new LaunchLog(this);
    for (String line : lines) {
      log.read(line);
    }
    return log.end();
  }
}
