package dev.gguf.cli;

/// Sizes as people write them on a command line.
final class Sizes {
  private static final String UNITS = "KMGT";

  private Sizes() {}

  /// Returns the bytes of a size: digits, with K, M, G or T (or KB …) for powers of 1000, or KiB,
  /// MiB, GiB or TiB for powers of 1024, in any case.
  ///
  /// @param option named when the size cannot be read
  /// @throws CommandException if it cannot be read, or is not above 0 and below 2^63
  static long parse(String option, String text) {
    int end = 0;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    String unit = text.substring(end).strip();
    try {
      long bytes = Math.multiplyExact(Long.parseLong(text.substring(0, end)), factor(unit));
      if (bytes > 0) {
        return bytes;
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      // Told below, with the forms.
    }
    throw CommandException.usage(
        option + " " + text + ": expected a size above 0, such as 50G, 4GiB or 1000000");
  }

  private static long factor(String unit) {
    if (unit.isEmpty() || unit.equalsIgnoreCase("b")) {
      return 1;
    }
    int power = UNITS.indexOf(Character.toUpperCase(unit.charAt(0))) + 1;
    String rest = unit.substring(1);
    boolean binary = rest.equalsIgnoreCase("ib");
    if (power == 0 || !(binary || rest.isEmpty() || rest.equalsIgnoreCase("b"))) {
      throw new IllegalArgumentException(unit);
    }
    long factor = 1;
    for (int i = 0; i < power; i++) {
      factor *= binary ? 1024 : 1000;
    }
    return factor;
  }
}
