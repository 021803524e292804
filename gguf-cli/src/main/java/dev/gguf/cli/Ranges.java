package dev.gguf.cli;

import java.util.ArrayList;
import java.util.List;

/// Numbers written as ranges.
final class Ranges {
  private Ranges() {}

  /// Returns the numbers in rising order, neighbours as ranges: `0..2,5`.
  static String of(List<Integer> numbers) {
    List<Integer> sorted = new ArrayList<>(numbers);
    sorted.sort(null);
    StringBuilder text = new StringBuilder();
    int i = 0;
    while (i < sorted.size()) {
      int from = sorted.get(i);
      int to = from;
      while (i < sorted.size() && sorted.get(i) <= to + 1) {
        to = sorted.get(i++);
      }
      text.append(text.isEmpty() ? "" : ",").append(from);
      text.append(to > from ? ".." + to : "");
    }
    return text.toString();
  }
}
