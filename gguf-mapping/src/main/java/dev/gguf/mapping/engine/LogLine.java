package dev.gguf.mapping.engine;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A line of a launch log without what the processes put before it.
///
/// @param process who wrote it: what stands in the prefixes, so that lines of one process belong
///   together
/// @param rank the rank that a prefix names
/// @param text the rest; leading blanks are kept
record LogLine(String process, OptionalInt rank, String text) {
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");
  private static final Pattern JOURNAL =
      Pattern.compile(
          "^[A-Z][a-z]{2} [ 0-9]\\d \\d\\d:\\d\\d:\\d\\d \\S+ [^\\s\\[:]+(?:\\[\\d+])?: ?");
  private static final Pattern ISO =
      Pattern.compile(
          "^\\[?\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d[.,\\d]*(?:Z|[+-]\\d\\d:?\\d\\d)?]?"
              + "(?: std(?:out|err) [FP])?(?: [\\w.-]+ [\\w.-]+\\[\\d+]:)? ");
  private static final Pattern CONTAINER = Pattern.compile("^[\\w.-]+ +\\| ");
  private static final Pattern PROCESS =
      Pattern.compile("^\\(([\\w .:-]+?)(?:,? (?:pid|ip)=[^)]*)?\\) ");
  private static final Pattern RANK = Pattern.compile("^\\[rank(\\d{1,6})]: ?");
  private static final Pattern BRACKETED = Pattern.compile("^\\[[^\\]]*?\\bTP(\\d{1,6})[^\\]]*] ");
  private static final Pattern LEVEL =
      Pattern.compile(
          "^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):? +(?:\\d\\d-\\d\\d )?\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?"
              + " \\[[^\\]]*](?: )?");
  private static final Pattern WORKER = Pattern.compile("(?:TP|rank=?|Rank=?)(\\d{1,6})");

  static LogLine of(String raw) {
    String text = raw.indexOf('\u001b') < 0 ? raw : COLOUR.matcher(raw).replaceAll("");
    text = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    StringBuilder process = new StringBuilder();
    OptionalInt rank = OptionalInt.empty();
    boolean more = true;
    while (more) {
      int before = text.length();
      text = without(JOURNAL, text);
      // Before the time, which SGLang writes into the same brackets.
      for (Pattern pattern : new Pattern[] {RANK, BRACKETED}) {
        Matcher ranked = pattern.matcher(text);
        if (ranked.find()) {
          process.append("rank").append(ranked.group(1));
          rank = OptionalInt.of(Integer.parseInt(ranked.group(1)));
          text = text.substring(ranked.end());
        }
      }
      text = without(ISO, text);
      text = without(CONTAINER, text);
      Matcher matcher = PROCESS.matcher(text);
      if (matcher.find()) {
        process.append(matcher.group(1));
        Matcher worker = WORKER.matcher(matcher.group(1));
        rank = worker.find() ? OptionalInt.of(Integer.parseInt(worker.group(1))) : rank;
        text = text.substring(matcher.end());
      }
      text = without(LEVEL, text);
      more = text.length() < before;
    }
    return new LogLine(process.toString(), rank, text);
  }

  private static String without(Pattern prefix, String text) {
    Matcher matcher = prefix.matcher(text);
    return matcher.find() ? text.substring(matcher.end()) : text;
  }
}
