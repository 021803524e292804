package dev.gguf.check;

import dev.gguf.MetadataArray;
import dev.gguf.internal.Utf8;
import java.util.Arrays;

/// The tokens of a vocabulary by their bytes: finds repeated ones, and those that look like control
/// tokens, in one pass over the bytes of the array and without an object for any of them.
///
/// The table is open-addressed. Its hash is seeded for every run, so that a file cannot be made
/// whose tokens all fall into one place.
final class TokenTable implements MetadataArray.StringVisitor {
  private static final int NAMED = 3;
  private static final int MAX_CONTROL = 4096;

  private final MetadataArray array;
  private final long seed;
  private final int[] offsets;
  private final int[] lengths;
  private final int[] hashes;
  private final int[] table;

  private int badText;
  private int duplicates;
  private final int[] duplicateIds = new int[2 * NAMED];
  private int[] controls = new int[64];
  private int controlCount;

  /// @param array the array of tokens, at most 2^30 bytes of strings
  TokenTable(MetadataArray array) {
    this.array = array;
    int count = (int) Math.min(array.count(), 1 << 27);
    offsets = new int[count];
    lengths = new int[count];
    hashes = new int[count];
    table = new int[Math.max(16, Integer.highestOneBit(Math.max(1, count)) << 2)];
    seed = (System.nanoTime() ^ System.identityHashCode(this) * 0x9e3779b97f4a7c15L) | 1;
  }

  MetadataArray array() {
    return array;
  }

  @Override
  public void accept(int index, byte[] bytes, int offset, int length) {
    if (index >= offsets.length) {
      return;
    }
    long h = seed ^ length;
    int all = 0;
    int end = offset + length;
    for (int i = offset; i < end; i++) {
      int b = bytes[i];
      all |= b;
      h = (h ^ b) * 0xd6e8feb86659fd93L;
      h ^= h >>> 29;
    }
    if (all < 0 && !Utf8.isValid(bytes, offset, length)) {
      badText++;
    }
    offsets[index] = offset;
    lengths[index] = length;
    int hash = (int) (h * seed >>> 32);
    hashes[index] = hash;
    if (length > 2) {
      if (bytes[offset] == '<' && looksLikeControl(bytes, offset, length)) {
        control(index);
      }
    } else if (length == 0) {
      // Readers give an empty token a name of its own.
      return;
    }
    insert(index, hash, bytes);
  }

  private void insert(int index, int hash, byte[] bytes) {
    int mask = table.length - 1;
    int at = hash & mask;
    int offset = offsets[index];
    int length = lengths[index];
    while (table[at] != 0) {
      int other = table[at] - 1;
      if (hashes[other] == hash
          && lengths[other] == length
          && Arrays.equals(
              bytes, offset, offset + length, bytes, offsets[other], offsets[other] + length)) {
        if (duplicates < NAMED) {
          duplicateIds[2 * duplicates] = other;
          duplicateIds[2 * duplicates + 1] = index;
        }
        duplicates++;
        return;
      }
      at = at + 1 & mask;
    }
    table[at] = index + 1;
  }

  /// Control tokens are written `<|…|>`, with the bars of either width, or `</s>`.
  private static boolean looksLikeControl(byte[] bytes, int offset, int length) {
    int last = offset + length - 1;
    if (bytes[last] != '>') {
      return false;
    }
    if (bytes[offset + 1] == '|' || bytes[last - 1] == '|') {
      return true;
    }
    if (length == 4 && bytes[offset + 1] == '/' && bytes[offset + 2] == 's') {
      return true;
    }
    // U+FF5C, the wide bar of DeepSeek's tokens.
    return length > 5
        && bytes[offset + 1] == (byte) 0xef
        && bytes[offset + 2] == (byte) 0xbd
        && bytes[offset + 3] == (byte) 0x9c;
  }

  private void control(int index) {
    if (controlCount == MAX_CONTROL) {
      return;
    }
    if (controlCount == controls.length) {
      controls = Arrays.copyOf(controls, 2 * controlCount);
    }
    controls[controlCount++] = index;
  }

  /// Returns how many tokens are not UTF-8.
  int badText() {
    return badText;
  }

  /// Returns how many tokens have the text of an earlier one.
  int duplicates() {
    return duplicates;
  }

  /// Returns the ids of one of the first three pairs: the earlier one at `2 * pair`, the later one
  /// after it.
  int[] duplicateIds() {
    return duplicateIds;
  }

  /// Returns the ids of the tokens that look like control tokens, rising.
  int[] controls() {
    return Arrays.copyOf(controls, controlCount);
  }
}
