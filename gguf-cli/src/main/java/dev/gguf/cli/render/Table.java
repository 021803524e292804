package dev.gguf.cli.render;

import java.util.ArrayList;
import java.util.List;

/// Rows under column titles, written as aligned text, CSV or Markdown.
public final class Table {
  private final String[] titles;
  private final boolean[] right;
  private final List<String[]> rows = new ArrayList<>();

  /// Creates a table.
  ///
  /// @param titles of the columns; one that begins with `>` is a column of numbers, aligned to the
  ///   right
  public Table(String... titles) {
    this.titles = new String[titles.length];
    this.right = new boolean[titles.length];
    for (int i = 0; i < titles.length; i++) {
      right[i] = titles[i].startsWith(">");
      this.titles[i] = right[i] ? titles[i].substring(1) : titles[i];
    }
  }

  /// Adds a row.
  ///
  /// @throws IllegalArgumentException if it has not one cell for every column
  public Table row(String... cells) {
    if (cells.length != titles.length) {
      throw new IllegalArgumentException(cells.length + " cells for " + titles.length + " columns");
    }
    rows.add(cells.clone());
    return this;
  }

  /// Returns the number of rows.
  public int size() {
    return rows.size();
  }

  /// Writes the rows as text in columns, under their titles.
  ///
  /// @param indent spaces in front of every line
  public void write(TextWriter text, int indent) {
    int[] widths = new int[titles.length];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = TextWriter.width(titles[i]);
    }
    for (String[] row : rows) {
      for (int i = 0; i < widths.length; i++) {
        row[i] = Safe.text(row[i]);
        widths[i] = Math.max(widths[i], TextWriter.width(row[i]));
      }
    }
    write(text, Style.FAINT, titles, widths, indent);
    for (String[] row : rows) {
      write(text, Style.PLAIN, row, widths, indent);
    }
  }

  private void write(TextWriter text, Style style, String[] row, int[] widths, int indent) {
    text.spaces(indent);
    int owed = 0;
    for (int i = 0; i < row.length; i++) {
      int fill = widths[i] - TextWriter.width(row[i]);
      if (row[i].isEmpty()) {
        owed += fill + 2;
        continue;
      }
      text.spaces(owed + (right[i] ? fill : 0)).text(style, row[i]);
      owed = 2 + (right[i] ? 0 : fill);
    }
    text.newline();
  }

  /// Writes titles and rows as comma-separated values; a cell with a comma or a quote is quoted.
  public void writeCsv(TextWriter text) {
    writeCsv(text, titles);
    for (String[] row : rows) {
      writeCsv(text, row);
    }
  }

  private static void writeCsv(TextWriter text, String[] row) {
    for (int i = 0; i < row.length; i++) {
      String cell = row[i];
      boolean quoted = cell.indexOf(',') >= 0 || cell.indexOf('"') >= 0;
      text.text(i == 0 ? "" : ",");
      text.text(quoted ? "\"" + cell.replace("\"", "\"\"") + "\"" : cell);
    }
    text.newline();
  }

  /// Writes titles and rows as a table of GitHub's Markdown.
  public void writeMarkdown(TextWriter text) {
    writeMarkdown(text, titles);
    for (boolean number : right) {
      text.text(number ? "| ---: " : "| --- ");
    }
    text.text("|").newline();
    for (String[] row : rows) {
      writeMarkdown(text, row);
    }
  }

  private static void writeMarkdown(TextWriter text, String[] row) {
    for (String cell : row) {
      text.text("| ").text(markdown(cell)).text(" ");
    }
    text.text("|").newline();
  }

  private static String markdown(String cell) {
    StringBuilder escaped = new StringBuilder(cell.length() + 8);
    for (int i = 0; i < cell.length(); i++) {
      char c = cell.charAt(i);
      switch (c) {
        case '|', '\\', '`', '*', '<', '>', '[', ']', '&' -> escaped.append('\\').append(c);
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
