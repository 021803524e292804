package dev.gguf.mapping.engine;

import java.util.regex.Pattern;

/// Tells lines that an engine prints from other text.
final class EngineLog {
  private static final Pattern LEVEL =
      Pattern.compile(
          "^\\s*\\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)\\b|\\blevel=(?:DEBUG|INFO|WARN|ERROR)\\b");
  private static final Pattern FUNCTION =
      Pattern.compile(
          "^(?:llama|ggml|gguf|clip|common|srv|slot|main|load|print_info|system_info|build)"
              + "[a-z_0-9]*(?:: | +[a-z_]+: )");

  private EngineLog() {}

  /// Returns whether the line looks like one that an engine prints.
  ///
  /// @param line a line of the log
  static boolean has(LogLine line) {
    String text = line.text();
    return line.rank().isPresent()
        || LEVEL.matcher(text).find()
        || FUNCTION.matcher(text).find()
        || text.startsWith("Traceback (most recent call last)")
        || line.level() != LogLine.Level.UNSAID
        || ErrorTexts.isNoise(text);
  }
}
