package dev.gguf.mapping.check;

/// Counts with their nouns, as messages write them.
final class Numbered {
  private Numbered() {}

  static String of(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
