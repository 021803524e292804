package dev.gguf.check;

import dev.gguf.MetadataArray;
import dev.gguf.internal.Utf8;
import java.util.Arrays;

/// The tokens of a vocabulary by their bytes: finds repeated ones, and those that look like control
/// tokens, in one pass over the bytes of the array and without keeping any of them.
///
/// The table is open-addressed and holds hashes of 64 bits. They are seeded for every run, so that
/// a file cannot be made whose tokens all fall into one place. Tokens with equal hashes are
/// compared by their bytes afterwards.
final class TokenTable implements MetadataArray.StringVisitor {
  private static final int NAMED = 3;
  private static final int MAX_CONTROL = 4096;

  private final MetadataArray array;
  private final long multiplier;
  private final long[] hashes;
  private final int[] table;

  private int badText;
  private int[] candidates = new int[16];
  private int candidateCount;
  private int duplicates = -1;
  private final int[] duplicateIds = new int[2 * NAMED];
  private int[] controls = new int[64];
  private int controlCount;

  /// @param array the array of tokens, at most 2^30 bytes of strings
  TokenTable(MetadataArray array) {
    this.array = array;
    int count = (int) Math.min(array.count(), 1 << 27);
    hashes = new long[count];
    table = new int[Math.max(16, Integer.highestOneBit(Math.max(1, count)) << 1)];
    long seed = System.nanoTime() ^ (long) System.identityHashCode(this) << 32;
    multiplier = seed * 0x9e3779b97f4a7c15L | 1;
  }

  MetadataArray array() {
    return array;
  }

  @Override
  public void accept(int index, byte[] bytes, int offset, int length) {
    if (index >= hashes.length) {
      return;
    }
    long h = multiplier ^ length;
    int all = 0;
    int end = offset + length;
    for (int i = offset; i < end; i++) {
      int b = bytes[i];
      all |= b;
      h = (h ^ b) * multiplier;
    }
    if (all < 0 && !Utf8.isValid(bytes, offset, length)) {
      badText++;
    }
    if (length > 2) {
      if (bytes[offset] == '<' && looksLikeControl(bytes, offset, length)) {
        control(index);
      }
    } else if (length == 0) {
      // Readers give an empty token a name of its own.
      return;
    }
    h = (h ^ h >>> 32) * 0xd6e8feb86659fd93L;
    insert(index, h ^ h >>> 29);
  }

  private void insert(int index, long hash) {
    hashes[index] = hash;
    int mask = table.length - 1;
    int at = (int) hash & mask;
    while (table[at] != 0) {
      int other = table[at] - 1;
      if (hashes[other] == hash) {
        candidate(other, index);
        return;
      }
      at = at + 1 & mask;
    }
    table[at] = index + 1;
  }

  private void candidate(int earlier, int later) {
    if (2 * candidateCount == candidates.length) {
      candidates = Arrays.copyOf(candidates, 4 * candidateCount);
    }
    candidates[2 * candidateCount] = earlier;
    candidates[2 * candidateCount + 1] = later;
    candidateCount++;
  }

  /// Compares the tokens with equal hashes.
  private void compare() {
    duplicates = 0;
    for (int i = 0; i < candidateCount; i++) {
      int earlier = candidates[2 * i];
      int later = candidates[2 * i + 1];
      if (Arrays.equals(array.bytesAt(earlier), array.bytesAt(later))) {
        if (duplicates < NAMED) {
          duplicateIds[2 * duplicates] = earlier;
          duplicateIds[2 * duplicates + 1] = later;
        }
        duplicates++;
      }
    }
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
    if (duplicates < 0) {
      compare();
    }
    return duplicates;
  }

  /// Returns the ids of one of the first three pairs: the earlier one at `2 * pair`, the later one
  /// after it. To be asked after [#duplicates()].
  int[] duplicateIds() {
    return duplicateIds;
  }

  /// Returns the ids of the tokens that look like control tokens, rising.
  int[] controls() {
    return Arrays.copyOf(controls, controlCount);
  }
}
