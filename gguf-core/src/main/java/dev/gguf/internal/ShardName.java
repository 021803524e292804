package dev.gguf.internal;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/// The name of a file of a split set: a prefix, the number of the shard from 1, and how many there
/// are, as in `model-00002-of-00010.gguf`.
///
/// @param prefix everything before the numbers, without the dash
/// @param number from 1
/// @param count how many shards the name promises
public record ShardName(String prefix, int number, int count) {
  private static final String END = ".gguf";

  /// Returns the parts of a file's name, or empty if it is no name of a shard. Numbers have five
  /// digits or more.
  public static Optional<ShardName> of(Path path) {
    Path last = path.getFileName();
    return last == null ? Optional.empty() : of(last.toString());
  }

  /// Returns the parts of a name, or empty if it is no name of a shard.
  public static Optional<ShardName> of(String name) {
    if (!name.toLowerCase(Locale.ROOT).endsWith(END)) {
      return Optional.empty();
    }
    int end = name.length() - END.length();
    int countFrom = digitsBefore(name, end);
    int of = countFrom - 4;
    if (end - countFrom < 5 || of < 0 || !name.startsWith("-of-", of)) {
      return Optional.empty();
    }
    int numberFrom = digitsBefore(name, of);
    if (of - numberFrom < 5 || numberFrom < 1 || name.charAt(numberFrom - 1) != '-') {
      return Optional.empty();
    }
    if (end - countFrom > 9 || of - numberFrom > 9) {
      return Optional.empty();
    }
    return Optional.of(
        new ShardName(
            name.substring(0, numberFrom - 1),
            Integer.parseInt(name, numberFrom, of, 10),
            Integer.parseInt(name, countFrom, end, 10)));
  }

  private static int digitsBefore(String name, int end) {
    int at = end;
    while (at > 0 && name.charAt(at - 1) >= '0' && name.charAt(at - 1) <= '9') {
      at--;
    }
    return at;
  }

  /// Returns the file name of another shard of the same set.
  public String sibling(int other) {
    return prefix + "-" + padded(other) + "-of-" + padded(count) + END;
  }

  private static String padded(int number) {
    String digits = Integer.toString(number);
    return "0".repeat(Math.max(0, 5 - digits.length())) + digits;
  }
}
