package dev.gguf.mapping.engine;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How the versions of an engine are written: a release by its numbers, or a date where releases
/// are builds of which only the day counts.
final class VersionForm {
  private static final Pattern DATE = Pattern.compile("(\\d{4})-(\\d\\d)(?:-(\\d\\d))?");
  private static final Pattern BUILD = Pattern.compile("[bB]?\\d+");
  private static final Pattern RELEASE =
      Pattern.compile(
          "\\d{1,6}(?:\\.\\d{1,6}){1,3}"
              + "(?:[-._]?(?:a|b|c|rc|alpha|beta|pre|post|dev)[-.]?\\d{0,10}){0,4}"
              + "(?:\\+[A-Za-z0-9][A-Za-z0-9.-]{0,80})?");

  private VersionForm() {}

  /// Does nothing if the version has the form that those of the engine have, or is the name of one
  /// that is known, such as `main`. An empty version stands for the newest and is taken.
  ///
  /// @throws IllegalArgumentException if it has another form; the message says what is expected
  static void require(String engine, String version) {
    if (version.isEmpty() || EngineProfiles.isNamed(engine, version)) {
      return;
    }
    if (!isDated(engine)) {
      if (!RELEASE.matcher(version).matches()) {
        throw new IllegalArgumentException(
            engine + " version '" + version + "': expected a release such as 0.16.0");
      }
    } else if (!isDate(version)) {
      throw new IllegalArgumentException(
          engine
              + " version '"
              + version
              + "': expected a date such as 2026-05"
              + (BUILD.matcher(version).matches() ? "; builds are not known by number" : ""));
    }
  }

  private static boolean isDated(String engine) {
    return engine.equals("llama.cpp") || engine.equals("ik_llama.cpp");
  }

  private static boolean isDate(String version) {
    Matcher date = DATE.matcher(version);
    if (!date.matches()) {
      return false;
    }
    String day = date.group(3);
    try {
      LocalDate read =
          LocalDate.of(
              Integer.parseInt(date.group(1)),
              Integer.parseInt(date.group(2)),
              day == null ? 1 : Integer.parseInt(day));
      return read.getYear() > 0;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
