package dev.gguf.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// Folds rows that differ in the number of their layer only.
final class LayerFold {
  private static final String PLACE = "\u0000";

  private LayerFold() {}

  /// Returns one row for each kind, in the order of the first ones, with the layers as ranges.
  ///
  /// @param layers the layer of each row, if it has one
  /// @param named the cells in which the number stands, as a part of a name between points
  static List<String[]> fold(List<String[]> rows, List<OptionalInt> layers, int... named) {
    Map<List<String>, List<Integer>> kinds = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      String[] row = rows.get(i).clone();
      List<Integer> numbers = new ArrayList<>();
      if (layers.get(i).isPresent()) {
        int layer = layers.get(i).getAsInt();
        for (int cell : named) {
          row[cell] = withoutNumber(row[cell], Integer.toString(layer));
        }
        numbers.add(layer);
      }
      kinds.computeIfAbsent(List.of(row), kind -> new ArrayList<>()).addAll(numbers);
    }
    List<String[]> folded = new ArrayList<>();
    for (Map.Entry<List<String>, List<Integer>> kind : kinds.entrySet()) {
      String ranges = Ranges.of(kind.getValue());
      boolean one = kind.getValue().size() == 1;
      folded.add(
          kind.getKey().stream()
              .map(cell -> cell.replace(PLACE, one ? ranges : "{" + ranges + "}"))
              .toArray(String[]::new));
    }
    return folded;
  }

  /// Replaces the first part of every name in the cell that is the number.
  private static String withoutNumber(String cell, String number) {
    StringBuilder changed = new StringBuilder();
    int at = 0;
    String wanted = "." + number + ".";
    int found = cell.indexOf(wanted);
    while (found >= 0) {
      changed.append(cell, at, found + 1).append(PLACE);
      at = found + 1 + number.length();
      int next = cell.indexOf(' ', at);
      found = next < 0 ? -1 : cell.indexOf(wanted, next);
    }
    return changed.append(cell, at, cell.length()).toString();
  }
}
