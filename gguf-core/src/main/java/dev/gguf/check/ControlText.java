package dev.gguf.check;

import java.util.HashSet;
import java.util.Set;

/// The pieces of chat templates that may be control tokens: everything from a `<` to the next `>`.
final class ControlText {
  private static final int LONGEST = 128;

  private final Set<String> pieces = new HashSet<>();

  void add(String template) {
    int open = template.indexOf('<');
    int close = -1;
    while (open >= 0) {
      int next = template.indexOf('<', open + 1);
      if (close < open) {
        close = template.indexOf('>', open + 1);
      }
      if (close < 0) {
        return;
      }
      if ((next < 0 || close < next) && close - open < LONGEST) {
        pieces.add(template.substring(open, close + 1));
      }
      open = next;
    }
  }

  boolean has(String token) {
    return pieces.contains(token);
  }
}
