package dev.gguf.mapping.engine;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A line of a launch log without what processes, containers and terminals put around it.
///
/// @param process who wrote it: what stands in the prefixes, so that lines of one process belong
///   together
/// @param rank the rank that a prefix names
/// @param level what the line says about its own weight
/// @param text the rest; leading blanks are kept
record LogLine(String process, OptionalInt rank, Level level, String text) {
  /// How much a line says that it matters.
  enum Level {
    /// No prefix says.
    UNSAID,
    /// A note or a warning.
    HARMLESS,
    /// An error.
    ERROR
  }

  private static final String LEVELS =
      "(?<level>TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)";
  private static final Pattern COLOUR =
      Pattern.compile("\u001b(?:\\[[0-9;?]*[A-Za-z]|\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\))");
  private static final Pattern JOURNAL =
      Pattern.compile(
          "^[A-Z][a-z]{2} [ 0-9]\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)? \\S+ [^\\s\\[:]+(?:\\[\\d+])?: ?");
  private static final Pattern ISO =
      Pattern.compile(
          "^\\[?\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d[.,\\d]*(?:Z|[+-]\\d\\d:?\\d\\d)?]?"
              + "(?: std(?:out|err) [FP])?(?: [\\w.-]+ [\\w.-]+\\[\\d+]:)? ");
  private static final Pattern CONTAINER = Pattern.compile("^[\\w./-]+ +\\| ");
  private static final Pattern PROCESS =
      Pattern.compile("^\\(([\\w .:-]+?)(?:,? (?:pid|ip)=[^)]*)?\\)(?: |$)");
  private static final Pattern RANK = Pattern.compile("^\\[rank(\\d{1,6})]: ?");
  private static final Pattern BRACKETED = Pattern.compile("^\\[[^\\]]*?\\bTP(\\d{1,6})[^\\]]*] ");
  private static final Pattern PROGRESS =
      Pattern.compile("^[^()]{0,400}?[|%\\]][^()]{0,60}?(?=\\(\\w+ (?:pid|rank)=\\d+\\) )");
  private static final Pattern WORKER = Pattern.compile("(?:TP|rank=?|Rank=?)(\\d{1,6})");
  private static final Pattern DOCKER =
      Pattern.compile("^\\{\"(?:log|message|msg)\": ?\"((?:[^\"\\\\]++|\\\\.)*+)\"[,}]");
  private static final Pattern REPEATED =
      Pattern.compile(" ?\\[repeated \\d+x across cluster][^\\[]{0,200}$");
  private static final Pattern KEYED =
      Pattern.compile("^time=\\S+ level=" + LEVELS + " (?:source=\\S+ )?msg=(?<message>.*)$");
  private static final Pattern ERROR_FIELD =
      Pattern.compile("\\b(?:error|err)=(?:\"((?:[^\"\\\\]++|\\\\.)*+)\"|(\\S+))");

  /// Ways to write a level before a message.
  private static final List<Pattern> LEVELLED =
      List.of(
          // vLLM, with a bracket before the source file or, before 2025, only behind it
          Pattern.compile(
              "^"
                  + LEVELS
                  + ":? +(?:\\d\\d-\\d\\d )?\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?"
                  + " (?:\\[[^\\]]*]|[\\w./-]+:\\d+])(?: )?"),
          // loguru, logging, xinference, tracing of Rust
          Pattern.compile("^\\| " + LEVELS + " +\\| \\S+ - "),
          Pattern.compile("^- [\\w.]+ - " + LEVELS + " - "),
          Pattern.compile("^[\\w.]+ \\d+ " + LEVELS + " +"),
          Pattern.compile("^ *" + LEVELS + " +[\\w:]+: (?=\\S)"),
          Pattern.compile("^" + LEVELS + ":[\\w.-]+:"),
          Pattern.compile("^" + LEVELS + ": {2,}"),
          // spdlog, as hosts of llama.cpp write it
          Pattern.compile(
              "^\\[(?<level>trace|debug|info|warning|warn|error|critical)] (?:\\[[\\w-]+] )?"
                  + "(?:llama\\.cpp: )?"));

  private static final Pattern LETTER =
      Pattern.compile("^(?:[^|:]{0,40}\\| *)?\\d+\\.\\d\\d\\.\\d{3}\\.\\d{3} (?<level>[A-Z]) ");
  private static final Pattern HOSTED =
      Pattern.compile("^\\d{1,2}:\\d\\d[AP]M [A-Z]{3} (?:GRPC\\([^)]*\\): std(?:err|out) )?");

  static LogLine of(String raw) {
    return new Reader(unwrapped(raw)).read();
  }

  /// Undoes what containers make of a line, and what a terminal would no longer show.
  private static String unwrapped(String raw) {
    String text = raw.indexOf('\u001b') < 0 ? raw : COLOUR.matcher(raw).replaceAll("");
    Matcher docker = DOCKER.matcher(text);
    text = docker.lookingAt() ? unescaped(docker.group(1)) : text;
    text = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    text = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    text = text.substring(text.lastIndexOf('\r') + 1);
    if (text.contains("x across cluster]")) {
      text = REPEATED.matcher(text).replaceFirst("").stripTrailing();
    }
    if (text.indexOf("pid=") < 0 && text.indexOf("rank=") < 0) {
      return text;
    }
    Matcher progress = PROGRESS.matcher(text);
    return progress.lookingAt() ? text.substring(progress.end()) : text;
  }

  private static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != '\\' || at == text.length()) {
        plain.append(c);
        continue;
      }
      char escaped = text.charAt(at++);
      switch (escaped) {
        case 'n' -> plain.append('\n');
        case 't' -> plain.append('\t');
        case 'r' -> plain.append('\r');
        case 'u' -> {
          int end = Math.min(at + 4, text.length());
          plain.append(character(text.substring(at, end)));
          at = end;
        }
        default -> plain.append(escaped);
      }
    }
    return plain.toString();
  }

  private static String character(String digits) {
    try {
      return String.valueOf((char) Integer.parseInt(digits, 16));
    } catch (NumberFormatException e) {
      return digits;
    }
  }

  private static Level level(String word) {
    return switch (word.toUpperCase(Locale.ROOT)) {
      case "ERROR", "CRITICAL", "FATAL", "E", "F" -> Level.ERROR;
      default -> Level.HARMLESS;
    };
  }

  /// Takes one prefix after the other off a line.
  private static final class Reader {
    private final StringBuilder process = new StringBuilder();
    private OptionalInt rank = OptionalInt.empty();
    private Level level = Level.UNSAID;
    private String text;

    Reader(String text) {
      this.text = text;
    }

    LogLine read() {
      boolean more = true;
      while (more) {
        int before = text.length();
        without(JOURNAL);
        // Before the time, which SGLang writes into the same brackets.
        ranked(RANK);
        ranked(BRACKETED);
        without(ISO);
        without(HOSTED);
        without(CONTAINER);
        process();
        for (Pattern pattern : LEVELLED) {
          levelled(pattern);
        }
        levelled(LETTER);
        keyed();
        more = text.length() < before;
      }
      return new LogLine(process.toString(), rank, level, text);
    }

    private void without(Pattern prefix) {
      Matcher matcher = prefix.matcher(text);
      if (matcher.lookingAt()) {
        text = text.substring(matcher.end());
      }
    }

    private void ranked(Pattern prefix) {
      Matcher matcher = prefix.matcher(text);
      if (matcher.lookingAt()) {
        process.append("rank").append(matcher.group(1));
        rank = OptionalInt.of(Integer.parseInt(matcher.group(1)));
        text = text.substring(matcher.end());
      }
    }

    private void process() {
      Matcher matcher = PROCESS.matcher(text);
      if (matcher.lookingAt()) {
        process.append(matcher.group(1));
        Matcher worker = WORKER.matcher(matcher.group(1));
        rank = worker.find() ? OptionalInt.of(Integer.parseInt(worker.group(1))) : rank;
        text = text.substring(matcher.end());
      }
    }

    private void levelled(Pattern prefix) {
      Matcher matcher = prefix.matcher(text);
      if (matcher.lookingAt()) {
        level = level(matcher.group("level"));
        text = text.substring(matcher.end());
      }
    }

    /// Of fields with keys the error is the text, where there is one, else the message.
    private void keyed() {
      Matcher matcher = KEYED.matcher(text);
      if (!matcher.lookingAt()) {
        return;
      }
      level = level(matcher.group("level"));
      String message = matcher.group("message");
      Matcher error = ERROR_FIELD.matcher(message);
      if (level == Level.ERROR && error.find()) {
        String quoted = error.group(1);
        text = quoted == null ? error.group(2) : unescaped(quoted);
      } else {
        text = message;
      }
    }
  }
}
