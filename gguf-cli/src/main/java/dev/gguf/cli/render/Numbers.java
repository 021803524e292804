package dev.gguf.cli.render;

/// Numbers as people read them. Plain arithmetic, because formatters of the platform load half of
/// the locale support while the program starts.
public final class Numbers {
  private static final String[] BINARY = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final String[] COUNTS = {"", " K", " M", " B", " T", " Q"};

  private Numbers() {}

  /// Returns a size in binary units with about three digits, such as `6.01 GiB` or `425.1 GiB`;
  /// below 1024 as it is, such as `17 bytes`.
  public static String size(long bytes) {
    if (bytes < 1024) {
      return bytes + (bytes == 1 ? " byte" : " bytes");
    }
    int unit = 1;
    double value = bytes / 1024.0;
    while (value >= 1023.95 && unit < BINARY.length - 1) {
      value /= 1024;
      unit++;
    }
    return decimal(value, value < 9.995 ? 2 : 1) + " " + BINARY[unit];
  }

  /// Returns a size in binary units and in plain bytes, such as `1.00 KiB (1024 bytes)`.
  public static String sizeAndBytes(long bytes) {
    return bytes < 1024 ? size(bytes) : size(bytes) + " (" + bytes + " bytes)";
  }

  /// Returns a count with thousands, millions, thousand millions (B) or more as its unit, such as
  /// `753.9 B`; below 1000 as it is.
  public static String count(long count) {
    if (count < 1000) {
      return Long.toString(count);
    }
    int unit = 0;
    double value = count;
    while (value >= 999.95 && unit < COUNTS.length - 1) {
      value /= 1000;
      unit++;
    }
    return decimal(value, 1) + COUNTS[unit];
  }

  /// Returns digits in groups of three, such as `154,880`.
  public static String grouped(long number) {
    String digits = Long.toString(number);
    int start = number < 0 ? 1 : 0;
    if (digits.length() - start <= 3) {
      return digits;
    }
    StringBuilder text = new StringBuilder(digits.length() + 8).append(digits, 0, start);
    for (int i = start; i < digits.length(); i++) {
      if (i > start && (digits.length() - i) % 3 == 0) {
        text.append(',');
      }
      text.append(digits.charAt(i));
    }
    return text.toString();
  }

  /// Returns a number and its noun, with an `s` unless the number is one: `1 file`, `10 files`.
  public static String of(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /// Returns a number with this many digits after the point, halves rounded up.
  ///
  /// @param value finite, from 0 to 9e15
  /// @param places 0 to 6
  public static String decimal(double value, int places) {
    long scale = 1;
    for (int i = 0; i < places; i++) {
      scale *= 10;
    }
    long scaled = Math.round(value * scale);
    if (places == 0) {
      return Long.toString(scaled);
    }
    String fraction = Long.toString(scaled % scale);
    return scaled / scale + "." + "0".repeat(places - fraction.length()) + fraction;
  }

  /// Returns a share as a percentage with one digit after the point, such as `98.6 %`; `0 %` where
  /// the whole is 0.
  public static String percent(long part, long whole) {
    return whole == 0 ? "0 %" : decimal(100.0 * part / whole, 1) + " %";
  }
}
