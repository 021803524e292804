package dev.gguf.cli;

/// Patterns for names: `*` stands for any characters, `?` for one, everything else for itself.
final class Glob {
  private final String pattern;

  Glob(String pattern) {
    this.pattern = pattern;
  }

  /// Returns whether the text has a character that stands for others.
  static boolean isPattern(String text) {
    return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
  }

  /// Returns whether the pattern describes the whole name. Takes at most as many steps as pattern
  /// and name have characters, multiplied.
  boolean matches(String name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int retry = 0;
    while (n < name.length()) {
      char c = p < pattern.length() ? pattern.charAt(p) : 0;
      if (p < pattern.length() && c == '*') {
        star = p++;
        retry = n;
      } else if (p < pattern.length() && (c == '?' || c == name.charAt(n))) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++retry;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
