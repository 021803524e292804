package dev.gguf.quant;

import dev.gguf.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Decodes blocks from a small array that they are copied to first: the compiler makes better loops
/// of arrays than of segments, and the copy is where a file that shrank is noticed.
final class BlockDequantizer extends Dequantizer {
  /// The loops of one family.
  @FunctionalInterface
  interface Family {
    /// Decodes little-endian blocks.
    ///
    /// @param source holds the blocks
    /// @param at index of the first block's first byte
    /// @param blocks how many blocks
    /// @param target receives the elements
    /// @param to index of the first element
    void decode(byte[] source, int at, int blocks, float[] target, int to);
  }

  private static final int STEP = 16 * 1024;

  private final Family family;
  private final int[] halves;

  /// @param halves byte offsets of the 16-bit numbers in a block, for big-endian files
  BlockDequantizer(TensorType type, ByteOrder order, Family family, int... halves) {
    super(type, order);
    this.family = family;
    this.halves = halves;
  }

  @Override
  void decodeInto(
      MemorySegment source, long sourceOffset, int blocks, float[] target, int targetOffset) {
    int bytes = type().blockBytes();
    int step = STEP / bytes;
    byte[] part = new byte[Math.min(step, blocks) * bytes];
    for (int done = 0; done < blocks; done += step) {
      int now = Math.min(step, blocks - done);
      long from = sourceOffset + (long) done * bytes;
      MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, part, 0, now * bytes);
      if (byteOrder() == ByteOrder.BIG_ENDIAN) {
        swap(part, now);
      }
      family.decode(part, 0, now, target, targetOffset + done * type().blockElements());
    }
  }

  private void swap(byte[] part, int blocks) {
    for (int block = 0; block < blocks; block++) {
      for (int half : halves) {
        int at = block * type().blockBytes() + half;
        byte first = part[at];
        part[at] = part[at + 1];
        part[at + 1] = first;
      }
    }
  }
}
