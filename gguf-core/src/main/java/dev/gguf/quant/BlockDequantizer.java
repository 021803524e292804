package dev.gguf.quant;

import dev.gguf.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

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

  /// A loop that may use planes.
  @FunctionalInterface
  private interface Kernel {
    void decode(byte[] source, int blocks, Planes planes, float[] target, int to);
  }

  /// Where blocks are decoded.
  private static final class Room {
    final byte[] blocks;
    final Planes planes;

    Room(int bytes, int elements) {
      blocks = new byte[bytes];
      planes = new Planes(elements);
    }
  }

  /// How many elements are decoded at a time: few enough for all arrays to stay in a first-level
  /// cache.
  private static final int STEP = 2048;

  private final Kernel kernel;
  private final int planes;
  private final int[] halves;

  /// The room of an earlier call, unless another call is in it: new arrays would be in no cache.
  private final AtomicReference<@Nullable Room> spare = new AtomicReference<>();

  /// @param planes how many elements the planes have
  /// @param halves byte offsets of the 16-bit numbers in a block, for big-endian files
  private BlockDequantizer(
      TensorType type, ByteOrder order, Kernel kernel, int planes, int[] halves) {
    super(type, order);
    this.kernel = kernel;
    this.planes = planes;
    this.halves = halves;
  }

  static BlockDequantizer of(TensorType type, ByteOrder order, Loop loop, int... halves) {
    Kernel kernel = (source, blocks, planes, target, to) -> loop.decode(source, blocks, target, to);
    return new BlockDequantizer(type, order, kernel, 0, halves);
  }

  static BlockDequantizer of(
      TensorType type, ByteOrder order, Unpacker unpacker, Formula formula, int... halves) {
    int size = type.blockElements();
    Kernel kernel =
        (source, blocks, planes, target, to) -> {
          unpacker.unpack(source, blocks, planes);
          formula.write(planes, target, to, blocks * size);
        };
    return new BlockDequantizer(type, order, kernel, STEP, halves);
  }

  @Override
  void decodeInto(
      MemorySegment source, long sourceOffset, int blocks, float[] target, int targetOffset) {
    int bytes = type().blockBytes();
    int elements = type().blockElements();
    int step = STEP / elements;
    Room room = spare.getAndSet(null);
    if (room == null) {
      room = new Room(step * bytes, planes);
    }
    byte[] part = room.blocks;
    for (int done = 0; done < blocks; done += step) {
      int now = Math.min(step, blocks - done);
      long from = sourceOffset + (long) done * bytes;
      MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, part, 0, now * bytes);
      if (byteOrder() == ByteOrder.BIG_ENDIAN) {
        swap(part, now);
      }
      kernel.decode(part, now, room.planes, target, targetOffset + done * elements);
    }
    spare.set(room);
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
