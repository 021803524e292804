package dev.gguf.mapping;

/// Dimensions in words.
final class Dimensions {
  private Dimensions() {}

  /// Returns the dimensions in brackets; a negative one is a question mark.
  static String text(long[] dimensions) {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < dimensions.length; i++) {
      if (i > 0) {
        text.append(", ");
      }
      if (dimensions[i] < 0) {
        text.append('?');
      } else {
        text.append(dimensions[i]);
      }
    }
    return text.append(']').toString();
  }
}
