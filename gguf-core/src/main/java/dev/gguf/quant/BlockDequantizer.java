package dev.gguf.quant;

import dev.gguf.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.IntFunction;

/// Decodes blocks from a small array that they are copied to first: the compiler makes better loops
/// of arrays than of segments, and the copy is where a file that shrank is noticed.
final class BlockDequantizer extends Dequantizer {
  /// The loops of one type.
  @FunctionalInterface
  interface Loop {
    /// Decodes little-endian blocks, of no more than 2048 elements.
    ///
    /// @param source holds the blocks
    /// @param blocks how many blocks
    /// @param target receives the elements
    /// @param to index of the first element
    void decode(byte[] source, int blocks, float[] target, int to);
  }

  /// How blocks of one type are taken apart.
  @FunctionalInterface
  interface Unpacker {
    /// Takes little-endian blocks apart.
    ///
    /// @param source holds the blocks
    /// @param blocks how many blocks
    /// @param planes receives the parts
    void unpack(byte[] source, int blocks, Planes planes);
  }

  /// How the parts become elements.
  @FunctionalInterface
  interface Formula {
    /// Writes the first elements of the planes.
    void write(Planes planes, float[] target, int to, int elements);
  }

  private static final int STEP = 2048;

  private final IntFunction<Loop> loops;
  private final int[] halves;

  /// @param loops makes a loop for so many elements
  /// @param halves byte offsets of the 16-bit numbers in a block, for big-endian files
  private BlockDequantizer(
      TensorType type, ByteOrder order, IntFunction<Loop> loops, int[] halves) {
    super(type, order);
    this.loops = loops;
    this.halves = halves;
  }

  static BlockDequantizer of(TensorType type, ByteOrder order, Loop loop, int... halves) {
    return new BlockDequantizer(type, order, elements -> loop, halves);
  }

  static BlockDequantizer of(
      TensorType type, ByteOrder order, Unpacker unpacker, Formula formula, int... halves) {
    int size = type.blockElements();
    IntFunction<Loop> loops =
        elements -> {
          Planes planes = new Planes(elements);
          return (source, blocks, target, to) -> {
            unpacker.unpack(source, blocks, planes);
            formula.write(planes, target, to, blocks * size);
          };
        };
    return new BlockDequantizer(type, order, loops, halves);
  }

  @Override
  void decodeInto(
      MemorySegment source, long sourceOffset, int blocks, float[] target, int targetOffset) {
    int bytes = type().blockBytes();
    int elements = type().blockElements();
    int step = Math.min(STEP / elements, blocks);
    byte[] part = new byte[step * bytes];
    Loop loop = loops.apply(step * elements);
    for (int done = 0; done < blocks; done += step) {
      int now = Math.min(step, blocks - done);
      long from = sourceOffset + (long) done * bytes;
      MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, part, 0, now * bytes);
      if (byteOrder() == ByteOrder.BIG_ENDIAN) {
        swap(part, now);
      }
      loop.decode(part, now, target, targetOffset + done * elements);
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
