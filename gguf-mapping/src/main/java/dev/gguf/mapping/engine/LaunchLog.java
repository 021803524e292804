package dev.gguf.mapping.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the lines of a launch and keeps the errors that may be its cause.
final class LaunchLog {
  private static final Pattern FRAME =
      Pattern.compile("^ *File (?:\"([^\"]+)\", line \\d+|([^\\s\":]+):\\d+, in )");
  private static final List<String> STARTED =
      List.of(
          "Application startup complete",
          "Uvicorn running on",
          "server is listening on",
          "The server is fired up",
          "all slots are idle",
          "lama runner started",
          "Serving on http");

  /// Lines that say that a launch failed, and not why.
  private static final List<String> FAILED =
      List.of(
          "Engine core initialization failed",
          "EngineCore failed to start",
          "WorkerProc failed to start",
          "WorkerProc initialization failed",
          "Engine process failed to start",
          "Scheduler hit an exception",
          "failed to load model",
          "unable to load model",
          "exiting due to model loading error",
          "runner process has terminated",
          "erver process has terminated",
          "Received sigquit from a child process",
          "terminate called after throwing");

  private static final int MOST = 10_000;
  private static final int CONTINUED = 3;

  private final Explainer explainer;
  private final Map<String, Explanation> found = new LinkedHashMap<>();
  private final Map<String, String> frames = new HashMap<>();
  private final Set<String> ignoring = new HashSet<>();
  private int number;
  private boolean recognised;
  private boolean causedBy;
  private @Nullable Explanation failed;
  private final Map<String, Open> open = new HashMap<>();
  private @Nullable Open last;

  /// An error that no rule knows yet: its next lines may belong to it.
  private static final class Open {
    final LogLine line;
    final int number;
    final String frame;
    String text;
    int lines;

    Open(LogLine line, int number, String frame) {
      this.line = line;
      this.number = number;
      this.frame = frame;
      this.text = line.text().strip();
    }
  }

  LaunchLog(Explainer explainer) {
    this.explainer = explainer;
  }

  void read(String raw) {
    number++;
    LogLine line = LogLine.of(raw);
    String text = line.text();
    recognised = recognised || EngineLog.has(line);
    Matcher frame = FRAME.matcher(text);
    if (frame.lookingAt()) {
      frames.put(line.process(), frame.group(1) == null ? frame.group(2) : frame.group(1));
      close(line.process());
      return;
    }
    if (holds(text, STARTED)) {
      recognised = true;
      found.clear();
      failed = null;
      last = null;
      open.clear();
      return;
    }
    if (text.startsWith("Exception ignored in")) {
      ignoring.add(line.process());
      return;
    }
    boolean ignored = Explainer.looksLikeAnError(text) && ignoring.remove(line.process());
    if (ignored || line.level() == LogLine.Level.HARMLESS) {
      return;
    }
    if (failed == null && holds(text, FAILED)) {
      failed = Explainer.unknown(text.strip()).at(number, line.rank());
    }
    if (!ErrorTexts.isNoise(text)) {
      judge(line);
    }
    causedBy = text.equals("Caused by:") || causedBy && text.startsWith("    ");
  }

  private static boolean holds(String text, List<String> parts) {
    for (String part : parts) {
      if (text.contains(part)) {
        return true;
      }
    }
    return false;
  }

  private void judge(LogLine line) {
    String text = line.text();
    String stripped = text.strip();
    String frame = frames.getOrDefault(line.process(), "");
    Optional<Explanation> error =
        isOwn(text) || causedBy ? explainer.error(stripped, frame) : Optional.empty();
    if (error.isPresent() && error.get().isKnown()) {
      close(line.process());
      keep(stripped, error.get().at(number, line.rank()));
      return;
    }
    if (error.isPresent()) {
      keep(stripped, explainer.cut(stripped).or(() -> error).get().at(number, line.rank()));
      last = new Open(line, number, frame);
      open.put(line.process(), last);
    } else {
      goOn(line);
    }
  }

  /// Lines of source and of tracebacks are indented; errors are not, except those of pydantic and
  /// of exceptions in C++.
  private static boolean isOwn(String text) {
    if (text.startsWith("  Value error, ") || text.startsWith("  what():  ")) {
      return true;
    }
    return !text.isEmpty() && text.charAt(0) != ' ' && text.charAt(0) != '\t';
  }

  /// An error may go on in the next lines: its message has several, or a terminal broke it.
  private void goOn(LogLine line) {
    Open error = line.process().isEmpty() ? last : open.get(line.process());
    if (error == null || line.text().isBlank()) {
      return;
    }
    String next = line.text().stripTrailing();
    for (String text : List.of(error.text + next, error.text + " " + next.strip())) {
      Optional<Explanation> known = explainer.known(text, error.frame);
      if (known.isPresent() && known.get().isKnown()) {
        found.remove(error.line.text().strip());
        keep(text, known.get().at(error.number, error.line.rank()));
        close(error.line.process());
        return;
      }
    }
    error.text = error.text + " " + next.strip();
    if (++error.lines == CONTINUED) {
      close(error.line.process());
    }
  }

  private void close(String process) {
    Open closed = open.remove(process);
    last = closed != null && closed == last ? null : last;
  }

  private void keep(String text, Explanation error) {
    if (found.size() < MOST || error.isKnown()) {
      found.putIfAbsent(text, error);
    }
  }

  Explainer.Log end() {
    List<Explanation> matches = new ArrayList<>(found.values());
    if (matches.isEmpty() && failed != null) {
      matches.add(failed);
    }
    matches.sort(Comparator.comparingInt(Explanation::line));
    int first = matches.isEmpty() ? -1 : 0;
    for (int i = matches.size() - 1; i >= 0; i--) {
      first = matches.get(i).isKnown() ? i : first;
    }
    return new Explainer.Log(matches, first, recognised || !matches.isEmpty());
  }
}
