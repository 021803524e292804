package dev.gguf.mapping.internal;

/// Reads one line of a map file from left to right.
final class LineReader {
  private final String file;
  private final int number;
  private final String line;
  private int at;

  LineReader(String file, int number, String line) {
    this.file = file;
    this.number = number;
    this.line = line;
    skipSpaces();
  }

  /// Returns a reader of a part of the line.
  LineReader inner(String part) {
    return new LineReader(file, number, part);
  }

  private void skipSpaces() {
    while (at < line.length() && line.charAt(at) == ' ') {
      at++;
    }
  }

  boolean atEnd() {
    return at >= line.length();
  }

  char peek() {
    return atEnd() ? 0 : line.charAt(at);
  }

  /// Returns whether a symbol comes next.
  boolean isAt(String symbol) {
    return line.startsWith(symbol, at);
  }

  /// Consumes a symbol if it comes next.
  boolean accept(String symbol) {
    if (!line.startsWith(symbol, at)) {
      return false;
    }
    at += symbol.length();
    skipSpaces();
    return true;
  }

  void expect(String symbol) {
    if (!accept(symbol)) {
      throw error("expected " + symbol);
    }
  }

  /// Consumes an identifier if exactly this one comes next.
  boolean acceptWord(String word) {
    int end = at + word.length();
    if (!line.startsWith(word, at) || end < line.length() && isIdentifier(line.charAt(end))) {
      return false;
    }
    at = end;
    skipSpaces();
    return true;
  }

  private static boolean isIdentifier(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
  }

  boolean atNumber() {
    return !atEnd() && line.charAt(at) >= '0' && line.charAt(at) <= '9';
  }

  long number() {
    int start = at;
    while (atNumber()) {
      at++;
    }
    long value = Long.parseLong(line, start, at, 10);
    skipSpaces();
    return value;
  }

  /// Reads letters, digits and underscores.
  String identifier() {
    int start = at;
    while (!atEnd() && isIdentifier(line.charAt(at))) {
      at++;
    }
    if (start == at) {
      throw error("expected a word");
    }
    String word = line.substring(start, at);
    skipSpaces();
    return word;
  }

  /// Reads a name of a tensor, key or parameter: everything up to a space or one of `[](),;:~+`,
  /// with what stands in braces taken whole.
  String name() {
    int start = at;
    int depth = 0;
    while (!atEnd()) {
      char c = line.charAt(at);
      if (c == '{') {
        depth++;
      } else if (c == '}') {
        depth--;
      } else if (depth == 0 && (c == ' ' || "[](),;:~+".indexOf(c) >= 0)) {
        break;
      }
      at++;
    }
    if (start == at) {
      throw error("expected a name");
    }
    String name = line.substring(start, at);
    skipSpaces();
    return name;
  }

  /// Reads everything that is left.
  String rest() {
    String rest = line.substring(at);
    at = line.length();
    return rest;
  }

  /// Reads a sentence in quotation marks.
  String sentence() {
    expectHere('"');
    int end = line.indexOf('"', at);
    if (end < 0) {
      throw error("the quotation mark is not closed");
    }
    String text = line.substring(at, end);
    at = end + 1;
    skipSpaces();
    return text;
  }

  private void expectHere(char c) {
    if (peek() != c) {
      throw error("expected " + c);
    }
    at++;
  }

  void end() {
    if (!atEnd()) {
      throw error("what follows was not expected");
    }
  }

  MapSyntaxException error(String message) {
    return new MapSyntaxException(
        file + ":" + number + ": " + message + " at column " + (at + 1) + ": " + line);
  }
}
