package dev.gguf.internal;

/// Numbers as messages write them.
public final class Numbers {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Numbers() {}

  /// Returns a size in plain digits, and from 10 KiB on rounded as well: `78208 bytes (76.4 KiB)`.
  public static String bytes(long count) {
    String digits = Long.toUnsignedString(count);
    if (count >= 0 && count < 10_240) {
      return digits + (count == 1 ? " byte" : " bytes");
    }
    double value = count < 0 ? (count >>> 1) * 2.0 : count;
    int unit = -1;
    while (value >= 1023.95 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    long tenths = Math.round(value * 10);
    return digits + " bytes (" + tenths / 10 + "." + tenths % 10 + " " + UNITS[unit] + ")";
  }

  /// Returns a count with its noun: `1 tensor`, `2 tensors`.
  public static String of(long count, String one) {
    return count + " " + one + (count == 1 ? "" : "s");
  }
}
