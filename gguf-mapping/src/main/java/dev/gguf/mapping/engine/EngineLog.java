package dev.gguf.mapping.engine;

import java.util.regex.Pattern;

/// Tells lines that an engine prints from other text.
final class EngineLog {
  private static final Pattern LEVEL =
      Pattern.compile(
          "^\\s*\\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)\\b|\\blevel=(?:DEBUG|INFO|WARN|ERROR)\\b");
  private static final Pattern LEVEL_BEFORE =
      Pattern.compile(
          "(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):? +(?:\\d\\d-\\d\\d )?\\d\\d:\\d\\d:\\d\\d");
  private static final Pattern FUNCTION =
      Pattern.compile(
          "^(?:\\d+\\.\\d\\d\\.\\d{3}\\.\\d{3} [A-Z] )?"
              + "(?:llama|ggml|gguf|clip|common|srv|slot|main|load|print_info|system_info|build)"
              + "[a-z_0-9]*(?:: | +[a-z_]+: )");

  private EngineLog() {}

  /// Returns whether the line looks like one that an engine prints.
  ///
  /// @param raw the line as it stands in the log
  /// @param line what is left of it
  static boolean has(String raw, LogLine line) {
    String text = line.text();
    return line.rank().isPresent()
        || LEVEL.matcher(text).find()
        || FUNCTION.matcher(text).find()
        || text.startsWith("Traceback (most recent call last)")
        || text.length() < raw.length() && LEVEL_BEFORE.matcher(raw).find()
        || ErrorTexts.isNoise(text);
  }
}
