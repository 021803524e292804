package dev.gguf.check;

import dev.gguf.MetadataArray;
import dev.gguf.internal.Utf8;

/// The merges of a BPE tokenizer: every entry is two parts with a space between them.
final class MergeTable implements MetadataArray.StringVisitor {
  private final MetadataArray array;
  private int badText;
  private int malformed;
  private int firstMalformed = -1;

  MergeTable(MetadataArray array) {
    this.array = array;
  }

  MetadataArray array() {
    return array;
  }

  @Override
  public void accept(int index, byte[] bytes, int offset, int length) {
    int end = offset + length;
    int all = 0;
    int space = 0;
    for (int i = offset; i < end; i++) {
      int b = bytes[i];
      all |= b;
      if (b == ' ' && space <= offset) {
        space = i;
      }
    }
    if (all < 0 && !Utf8.isValid(bytes, offset, length)) {
      badText++;
    }
    // The first character may itself be a space; the last one cannot be the separator.
    if (space <= offset || space == end - 1) {
      malformed++;
      if (firstMalformed < 0) {
        firstMalformed = index;
      }
    }
  }

  /// Returns how many merges are not UTF-8.
  int badText() {
    return badText;
  }

  /// Returns how many merges are not of the form `left right`.
  int malformed() {
    return malformed;
  }

  /// Returns the index of the first merge that is not of that form, or -1.
  int firstMalformed() {
    return firstMalformed;
  }
}
