package dev.gguf.mapping.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The error texts of engines that are known, and what is known not to be a cause.
final class ErrorTexts {
  private static final int SHORTEST_CUT = 24;

  /// A known text: literal pieces with places between them.
  ///
  /// @param about the name of the tensor or parameter that it is about, with places, or empty
  record Known(
      List<String> pieces,
      List<String> places,
      String mechanism,
      String remedy,
      String source,
      String about) {

    /// Whether the text needs to know in which source file the error arose.
    boolean hasFrame() {
      for (String piece : pieces) {
        if (piece.contains(" @ ")) {
          return true;
        }
      }
      return false;
    }

    /// Returns what stands in the places, or empty if the line does not hold the text.
    Optional<Map<String, String>> in(String line) {
      Map<String, String> found = new LinkedHashMap<>();
      int at = line.indexOf(pieces.getFirst());
      if (at < 0) {
        return Optional.empty();
      }
      at += pieces.getFirst().length();
      for (int i = 1; i < pieces.size(); i++) {
        String piece = pieces.get(i);
        int end = piece.isEmpty() ? line.length() : line.indexOf(piece, at);
        if (end < 0) {
          return Optional.empty();
        }
        found.put(places.get(i - 1), line.substring(at, end));
        at = end + piece.length();
      }
      return Optional.of(found);
    }

    /// Returns what stands in the places if the line is the beginning of the text, as lines are
    /// that a terminal or a pager cut off; places behind the cut are an ellipsis.
    Optional<Map<String, String>> inCut(String line) {
      Map<String, String> found = new LinkedHashMap<>();
      int at = 0;
      int literal = 0;
      for (int i = 0; i < pieces.size(); i++) {
        String piece = pieces.get(i);
        int end = piece.isEmpty() ? -1 : line.indexOf(piece, at);
        if (end >= 0) {
          if (i > 0) {
            found.put(places.get(i - 1), line.substring(at, end));
          }
          at = end + piece.length();
          literal += piece.length();
          continue;
        }
        int overlap = overlap(line.substring(at), piece);
        if (literal + overlap < SHORTEST_CUT || i > 0 && overlap == 0) {
          return Optional.empty();
        }
        if (i > 0) {
          found.put(places.get(i - 1), line.substring(at, line.length() - overlap));
        }
        for (int j = i; j < places.size(); j++) {
          found.put(places.get(j), "…");
        }
        return Optional.of(found);
      }
      return Optional.empty();
    }

    /// Returns how many characters of the piece the line ends with.
    private static int overlap(String line, String piece) {
      for (int length = Math.min(line.length(), piece.length()); length > 3; length--) {
        if (line.endsWith(piece.substring(0, length))) {
          return length;
        }
      }
      return 0;
    }
  }

  private static final class Table {
    static final List<Known> KNOWN = known();
    static final List<String> NOISE = noise();

    private static List<Known> known() {
      List<Known> list = new ArrayList<>();
      for (String line : ProfileText.lines(EngineProfiles.text("errors.txt"))) {
        if (line.isEmpty() || line.charAt(0) == '#') {
          continue;
        }
        List<String> fields = fields(line);
        List<String> pieces = new ArrayList<>();
        List<String> places = new ArrayList<>();
        String text = fields.get(0);
        int from = 0;
        int open = text.indexOf('{');
        while (open >= 0) {
          int close = text.indexOf('}', open);
          pieces.add(text.substring(from, open));
          places.add(text.substring(open + 1, close));
          from = close + 1;
          open = text.indexOf('{', from);
        }
        pieces.add(text.substring(from));
        String about = fields.size() > 4 ? fields.get(4) : "";
        list.add(new Known(pieces, places, fields.get(1), fields.get(2), fields.get(3), about));
      }
      return List.copyOf(list);
    }

    private static List<String> fields(String line) {
      List<String> fields = new ArrayList<>();
      int from = 0;
      int bar = line.indexOf(" | ");
      while (bar >= 0) {
        fields.add(line.substring(from, bar).strip());
        from = bar + 3;
        bar = line.indexOf(" | ", from);
      }
      fields.add(line.substring(from).strip());
      return fields;
    }

    private static List<String> noise() {
      List<String> list = new ArrayList<>();
      for (String line : ProfileText.lines(EngineProfiles.text("noise.txt"))) {
        if (!line.isEmpty() && line.charAt(0) != '#') {
          list.add(line);
        }
      }
      return List.copyOf(list);
    }
  }

  private ErrorTexts() {}

  static List<Known> known() {
    return Table.KNOWN;
  }

  /// Returns whether the line is a consequence or a harmless warning.
  static boolean isNoise(String line) {
    for (String noise : Table.NOISE) {
      if (line.contains(noise)) {
        return true;
      }
    }
    return false;
  }
}
