package dev.gguf.cli;

import dev.gguf.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Folds tensor names that differ in numbers only, so that a table of thousands becomes one of a
/// few dozen.
final class TensorPatterns {
  private TensorPatterns() {}

  /// Tensors whose names differ in numbers only.
  static final class Group {
    private final String pattern;
    private final int numbers;
    private final List<Tensor> tensors = new ArrayList<>();

    private Group(String pattern, int numbers) {
      this.pattern = pattern;
      this.numbers = numbers;
    }

    /// Returns the name with `*` for every number: what `--filter` takes.
    String pattern() {
      return pattern;
    }

    List<Tensor> tensors() {
      return tensors;
    }

    /// Returns the pattern with the numbers that occur, such as `blk.{0..2,5}.attn_norm.weight`.
    String name() {
      if (numbers == 0) {
        return pattern;
      }
      StringBuilder name = new StringBuilder();
      int position = 0;
      for (String part : pattern.split("\\.", -1)) {
        name.append(name.isEmpty() ? "" : ".");
        name.append(part.equals("*") ? braced(ranges(position++)) : part);
      }
      return name.toString();
    }

    private static String braced(String ranges) {
      return isNumber(ranges) ? ranges : "{" + ranges + "}";
    }

    /// Returns the numbers that occur at a position as ranges, such as `0..2,5`.
    ///
    /// @param position of the number in the name, from 0
    String ranges(int position) {
      List<Integer> seen = new ArrayList<>();
      for (Tensor tensor : tensors) {
        seen.add(numberAt(tensor.name(), position));
      }
      return Ranges.of(seen);
    }

    /// Returns how many numbers the names have.
    int numbers() {
      return numbers;
    }

    private static int numberAt(String name, int position) {
      int left = position;
      for (String part : name.split("\\.", -1)) {
        if (isNumber(part) && left-- == 0) {
          return Integer.parseInt(part);
        }
      }
      throw new IllegalArgumentException(name + " has no number " + position);
    }
  }

  /// Returns the groups in the order in which their first tensors stand.
  static List<Group> of(List<Tensor> tensors) {
    Map<String, Group> groups = new LinkedHashMap<>();
    for (Tensor tensor : tensors) {
      StringBuilder pattern = new StringBuilder();
      int numbers = 0;
      for (String part : tensor.name().split("\\.", -1)) {
        boolean number = isNumber(part);
        numbers += number ? 1 : 0;
        pattern.append(pattern.isEmpty() ? "" : ".").append(number ? "*" : part);
      }
      String key = pattern.toString();
      Group group = groups.get(key);
      if (group == null) {
        group = new Group(key, numbers);
        groups.put(key, group);
      }
      group.tensors.add(tensor);
    }
    return List.copyOf(groups.values());
  }

  private static boolean isNumber(String part) {
    if (part.isEmpty() || part.length() > 9 || part.length() > 1 && part.charAt(0) == '0') {
      return false;
    }
    for (int i = 0; i < part.length(); i++) {
      if (part.charAt(i) < '0' || part.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
