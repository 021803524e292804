package dev.gguf.mapping.engine;

/// Releases by their numbers: `0.16.0rc2.dev313` counts as 0.16.0, `2026-05` as a date.
final class Version {
  private Version() {}

  /// Returns whether the text starts with a number.
  static boolean isRelease(String version) {
    return !version.isEmpty() && Character.isDigit(version.charAt(0));
  }

  /// Compares number by number; what is absent counts as 0.
  static int compare(String left, String right) {
    long[] a = numbers(left);
    long[] b = numbers(right);
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      int order = Long.compare(i < a.length ? a[i] : 0, i < b.length ? b[i] : 0);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static long[] numbers(String version) {
    long[] numbers = new long[4];
    int count = 0;
    int at = 0;
    while (at < version.length() && count < numbers.length) {
      int start = at;
      long number = 0;
      while (at < version.length() && Character.isDigit(version.charAt(at)) && at - start < 12) {
        number = number * 10 + (version.charAt(at) - '0');
        at++;
      }
      if (at == start) {
        break;
      }
      numbers[count++] = number;
      if (at < version.length() && (version.charAt(at) == '.' || version.charAt(at) == '-')) {
        at++;
      } else {
        break;
      }
    }
    return java.util.Arrays.copyOf(numbers, count);
  }
}
