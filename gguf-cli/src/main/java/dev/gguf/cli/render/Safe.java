package dev.gguf.cli.render;

/// Makes text from files safe for a terminal: control characters become escapes that can be seen.
///
/// Escaped are C0 with DEL, C1, the line and paragraph separators, every character that changes the
/// direction of text, and halves of surrogate pairs. A line feed, carriage return and tab become
/// `\n`, `\r` and `\t`, all others a backslash, a `u` and four hexadecimal digits.
public final class Safe {
  private static final String HEX = "0123456789abcdef";

  private Safe() {}

  /// Returns the text itself if all of it is safe, else a copy with escapes.
  public static String text(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isUnsafe(text, i)) {
        return escaped(text, i);
      }
    }
    return text;
  }

  private static String escaped(String text, int from) {
    StringBuilder safe = new StringBuilder(text.length() + 16).append(text, 0, from);
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isUnsafe(text, i)) {
        safe.append(c);
      } else {
        escape(c, safe);
      }
    }
    return safe.toString();
  }

  private static void escape(char c, StringBuilder into) {
    switch (c) {
      case '\n' -> into.append("\\n");
      case '\r' -> into.append("\\r");
      case '\t' -> into.append("\\t");
      default -> into.append(unicodeEscape(c));
    }
  }

  /// Returns the escape of a UTF-16 unit, which JSON has too.
  static String unicodeEscape(int c) {
    return new String(
        new char[] {
          '\\',
          'u',
          HEX.charAt(c >> 12 & 15),
          HEX.charAt(c >> 8 & 15),
          HEX.charAt(c >> 4 & 15),
          HEX.charAt(c & 15)
        });
  }

  private static boolean isUnsafe(String text, int at) {
    char c = text.charAt(at);
    if (c < 0x7f) {
      return c < ' ';
    }
    return isUnsafe(c)
        || Character.isSurrogate(c)
            && !(Character.isHighSurrogate(c)
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1)));
  }

  /// Returns whether a character other than C0 must not reach a terminal as it is.
  static boolean isUnsafe(int c) {
    return c >= 0x7f && c <= 0x9f
        || c == 0x061c
        || c == 0x200e
        || c == 0x200f
        || c >= 0x2028 && c <= 0x202e
        || c >= 0x2066 && c <= 0x2069;
  }
}
