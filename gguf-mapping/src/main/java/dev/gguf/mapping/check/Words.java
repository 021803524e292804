package dev.gguf.mapping.check;

import java.util.List;

/// Numbers and lists as messages write them.
final class Words {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Words() {}

  /// Returns a count with its noun: `1 tensor`, `2 tensors`.
  static String count(long count, String one) {
    return count + " " + one + (count == 1 ? "" : "s");
  }

  /// Returns a size rounded to a binary unit, such as `6.01 GiB` or `425.1 GiB`.
  static String size(long bytes) {
    if (bytes < 1024) {
      return count(bytes, "byte");
    }
    double value = bytes;
    int unit = -1;
    while (value >= 1023.95 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    if (value >= 10) {
      long tenths = Math.round(value * 10);
      return tenths / 10 + "." + tenths % 10 + " " + UNITS[unit];
    }
    long hundredths = Math.round(value * 100);
    long rest = hundredths % 100;
    return hundredths / 100 + (rest < 10 ? ".0" : ".") + rest + " " + UNITS[unit];
  }

  /// Returns numbers in rising order with consecutive ones as ranges: `3-77, 80`.
  static String ranges(List<Long> numbers) {
    StringBuilder text = new StringBuilder();
    int from = 0;
    for (int i = 1; i <= numbers.size(); i++) {
      if (i < numbers.size() && numbers.get(i) == numbers.get(i - 1) + 1) {
        continue;
      }
      text.append(text.isEmpty() ? "" : ", ").append(numbers.get(from));
      if (i - 1 > from) {
        text.append('-').append(numbers.get(i - 1));
      }
      from = i;
    }
    return text.toString();
  }

  /// Returns blocks in words: `block 3`, or `blocks 3-77, 80`.
  static String blocks(List<Long> numbers) {
    return (numbers.size() == 1 ? "block " : "blocks ") + ranges(numbers);
  }

  /// Returns a name of a tensor without the number of its block, for grouping over blocks.
  static String withoutBlock(String tensor) {
    int dot = tensor.startsWith("blk.") ? tensor.indexOf('.', 4) : -1;
    return dot < 0 ? tensor : tensor.substring(dot + 1);
  }

  /// Returns dimensions in brackets; a negative one, which nothing is known of, is a question mark.
  static String dimensions(long[] ne) {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < ne.length; i++) {
      text.append(i == 0 ? "" : ", ");
      if (ne[i] < 0) {
        text.append('?');
      } else {
        text.append(ne[i]);
      }
    }
    return text.append(']').toString();
  }
}
