package dev.gguf.cli;

import org.jspecify.annotations.Nullable;

/// Finds what someone may have meant who mistyped a word.
final class Nearest {
  private static final int FURTHEST = 2;

  private Nearest() {}

  /// Returns the word that differs by the fewest inserted, removed and exchanged letters, or null
  /// where all differ by more than two, or by as many as the text has.
  static @Nullable String to(String text, Iterable<String> words) {
    String best = null;
    int least = Math.min(FURTHEST + 1, text.length());
    for (String word : words) {
      if (Math.abs(word.length() - text.length()) < least) {
        int distance = distance(text, word);
        if (distance < least) {
          least = distance;
          best = word;
        }
      }
    }
    return best;
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
