package dev.gguf.quant;

import dev.gguf.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;

/// Turns the blocks of one tensor type into floats, bit for bit as ggml does.
///
/// A dequantizer is safe to share between threads. One that is kept is faster than a new one for
/// every few blocks, since it keeps the arrays that it works in. The plain types are blocks of one
/// element. Integers and F64 are rounded to the nearest float.
public abstract sealed class Dequantizer permits BlockDequantizer, ScalarDequantizer {
  /// How many elements are decoded at a time on the way to a segment: few enough to stay in the
  /// first-level cache.
  private static final int STEP = 4096;

  private final TensorType type;
  private final ByteOrder order;

  Dequantizer(TensorType type, ByteOrder order) {
    this.type = type;
    this.order = order;
  }

  /// Returns the dequantizer of a type in little-endian files, or empty for a type that ggml does
  /// not define: removed, of a fork, or in no list.
  public static Optional<Dequantizer> of(TensorType type) {
    return of(type, ByteOrder.LITTLE_ENDIAN);
  }

  /// Returns the dequantizer of a type in files of a byte order, or empty where there is none. Only
  /// for the plain types, Q4_0, Q8_0, Q4_K, Q6_K and MXFP4 is there a converter that says what a
  /// big-endian file holds; the others are empty.
  public static Optional<Dequantizer> of(TensorType type, ByteOrder order) {
    return Optional.ofNullable(Decoders.of(type, order));
  }

  /// Returns the type that is decoded.
  public final TensorType type() {
    return type;
  }

  /// Returns the byte order of the multi-byte numbers in the blocks.
  public final ByteOrder byteOrder() {
    return order;
  }

  /// Decodes consecutive blocks into an array.
  ///
  /// @param source holds the blocks; no alignment is asked for
  /// @param sourceOffset where the first block starts, in bytes
  /// @param blocks how many blocks
  /// @param target receives `blocks` times the type's block size in elements
  /// @param targetOffset index of the first element in the target
  /// @throws IndexOutOfBoundsException if source or target is too small; nothing is written then
  public final void decode(
      MemorySegment source, long sourceOffset, long blocks, float[] target, int targetOffset) {
    long elements = Math.multiplyExact(blocks, type.blockElements());
    checkSource(source, sourceOffset, blocks);
    Objects.checkFromIndexSize(targetOffset, elements, (long) target.length);
    decodeInto(source, sourceOffset, (int) blocks, target, targetOffset);
  }

  /// Decodes consecutive blocks into a segment, as floats of this machine's byte order.
  ///
  /// @param source holds the blocks; no alignment is asked for
  /// @param sourceOffset where the first block starts, in bytes
  /// @param blocks how many blocks
  /// @param target receives four bytes for every element; no alignment is asked for
  /// @param targetOffset where the first element is written, in bytes
  /// @throws IndexOutOfBoundsException if source or target is too small; nothing is written then
  public final void decode(
      MemorySegment source,
      long sourceOffset,
      long blocks,
      MemorySegment target,
      long targetOffset) {
    long elements = Math.multiplyExact(blocks, type.blockElements());
    checkSource(source, sourceOffset, blocks);
    Objects.checkFromIndexSize(targetOffset, Math.multiplyExact(elements, 4), target.byteSize());
    int step = STEP / type.blockElements();
    float[] part = new float[(int) Math.min(step, blocks) * type.blockElements()];
    for (long done = 0; done < blocks; done += step) {
      int now = (int) Math.min(step, blocks - done);
      decodeInto(source, sourceOffset + done * type.blockBytes(), now, part, 0);
      MemorySegment.copy(
          part,
          0,
          target,
          ValueLayout.JAVA_FLOAT_UNALIGNED,
          targetOffset + 4 * done * type.blockElements(),
          now * type.blockElements());
    }
  }

  private void checkSource(MemorySegment source, long offset, long blocks) {
    Objects.checkFromIndexSize(
        offset, Math.multiplyExact(blocks, type.blockBytes()), source.byteSize());
  }

  /// Decodes blocks whose bounds have been checked.
  abstract void decodeInto(
      MemorySegment source, long sourceOffset, int blocks, float[] target, int targetOffset);

  @Override
  public final String toString() {
    return "Dequantizer of " + type;
  }
}
