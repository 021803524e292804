package dev.gguf.cli.render;

/// Writes lines for people. Every text passes through [Safe], so a line ends where [#newline()]
/// says so and nowhere else.
public final class TextWriter {
  private static final int FLUSH_AT = 1 << 14;

  private final Output output;
  private final boolean colour;
  private final StringBuilder buffer = new StringBuilder(1024);

  TextWriter(Output output, boolean colour) {
    this.output = output;
    this.colour = colour;
  }

  /// Appends text.
  public TextWriter text(String text) {
    buffer.append(Safe.text(text));
    return this;
  }

  /// Appends text with a look, if the output has colours.
  public TextWriter text(Style style, String text) {
    if (!colour || style == Style.PLAIN) {
      return text(text);
    }
    buffer.append("\u001b[").append(style.code()).append('m');
    return text(text).reset();
  }

  private TextWriter reset() {
    buffer.append("\u001b[0m");
    return this;
  }

  /// Appends spaces.
  public TextWriter spaces(int count) {
    for (int i = 0; i < count; i++) {
      buffer.append(' ');
    }
    return this;
  }

  /// Appends text and spaces up to a width in characters.
  public TextWriter padded(Style style, String text, int width) {
    String safe = Safe.text(text);
    return text(style, safe).spaces(width - width(safe));
  }

  /// Ends the line.
  public TextWriter newline() {
    buffer.append('\n');
    if (buffer.length() > FLUSH_AT) {
      flush();
    }
    return this;
  }

  /// Appends text and ends the line.
  public TextWriter line(String text) {
    return text(text).newline();
  }

  /// Writes a line of a list of facts: a short label in a column of its own, and the fact.
  public TextWriter fact(String label, String fact) {
    return spaces(2).padded(Style.FAINT, label, 13).text(" ").line(fact);
  }

  /// Hands over what has been written, for an answer that must be seen before a step is taken.
  public void flush() {
    output.write(buffer);
    buffer.setLength(0);
  }

  /// Returns how many characters a terminal shows of safe text, all counted as equally wide.
  static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
