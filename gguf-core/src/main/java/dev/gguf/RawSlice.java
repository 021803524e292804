package dev.gguf;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The name of a piece of a file that was cut at arbitrary bytes, as in `model.gguf.part2of3` or
/// `model.gguf-split-b`. Unlike shards, such pieces are joined by plain concatenation.
///
/// @param whole the name of the file that the pieces make
/// @param number from 1
/// @param count how many pieces there are, or 0 where the name does not say
/// @param pattern a shell pattern of all pieces in order
record RawSlice(String whole, int number, int count, String pattern) {

  /// Returns the slice that a file is by its name, or null.
  static @Nullable RawSlice of(Path path) {
    Path last = path.getFileName();
    return last == null ? null : of(last.toString());
  }

  /// Returns the slice that a name is of, or null.
  static @Nullable RawSlice of(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    int gguf = lower.lastIndexOf(".gguf");
    if (gguf < 0) {
      return null;
    }
    int after = gguf + 5;
    String whole = name.substring(0, after);
    String tail = lower.substring(after);
    if (tail.length() < 2) {
      return null;
    }
    int skip = tail.charAt(0) == '.' || tail.charAt(0) == '-' || tail.charAt(0) == '_' ? 1 : 0;
    String rest = tail.substring(skip);
    if (rest.startsWith("split-") && rest.length() == 7 && isLetter(rest.charAt(6))) {
      return new RawSlice(whole, rest.charAt(6) - 'a' + 1, 0, whole + "-split-*");
    }
    boolean part = rest.startsWith("part");
    String numbers = part ? rest.substring(4) : rest;
    if (part && (numbers.startsWith("-") || numbers.startsWith("_"))) {
      numbers = numbers.substring(1);
    }
    int of = numbers.indexOf("of");
    String first = of < 0 ? numbers : numbers.substring(0, of);
    if (first.endsWith("-") || first.endsWith("_")) {
      first = first.substring(0, first.length() - 1);
    }
    String second = of < 0 ? "" : numbers.substring(of + 2);
    if (second.startsWith("-") || second.startsWith("_")) {
      second = second.substring(1);
    }
    int number = number(first);
    int count = second.isEmpty() ? 0 : number(second);
    if (number < 0 || count < 0 || !part && first.length() < 3) {
      return part && first.length() == 1 && of < 0 && isLetter(first.charAt(0))
          ? new RawSlice(whole, first.charAt(0) - 'a' + 1, 0, whole + tail.charAt(0) + "part*")
          : null;
    }
    // Slices without the word "part" come from tools that count from 0 or 1.
    String separator = skip == 1 ? tail.substring(0, 1) : "";
    return new RawSlice(whole, number, count, whole + separator + (part ? "part*" : "*"));
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static int number(String digits) {
    if (digits.isEmpty() || digits.length() > 6) {
      return -1;
    }
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
        return -1;
      }
    }
    return Integer.parseInt(digits);
  }

  /// Returns which slice of how many: `2 of 3`, or `2`.
  String text() {
    return count > 0 ? number + " of " + count : Integer.toString(number);
  }

  /// Returns the command that joins the slices; patterns sort rightly up to nine slices or with
  /// leading zeros, so few slices are named one by one.
  String hint() {
    StringBuilder names = new StringBuilder();
    int star = pattern.indexOf('*');
    if (count > 0 && count <= 20 && pattern.endsWith("part*")) {
      for (int i = 1; i <= count; i++) {
        names
            .append('\'')
            .append(pattern, 0, star)
            .append(i)
            .append("of")
            .append(count)
            .append("' ");
      }
    } else {
      names.append('\'').append(pattern, 0, star).append("'* ");
    }
    return "join the slices by plain concatenation: cat " + names + "> '" + whole + "'";
  }
}
