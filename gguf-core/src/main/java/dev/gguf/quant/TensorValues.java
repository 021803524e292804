package dev.gguf.quant;

import dev.gguf.GgufException;
import dev.gguf.Tensor;
import dev.gguf.internal.MappedReads;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// The decoded values of one tensor of a file, row by row or block by block, in the file's order:
/// row r holds the `ne[0]` elements whose other coordinates, `ne[1]` fastest, count to r. Expert e
/// of a tensor of stacked experts is the rows from `e * ne[1]` to `(e + 1) * ne[1]`.
///
/// Only what is asked for is decoded. Safe to share between threads, as long as the model is open.
public final class TensorValues {
  private final Tensor tensor;
  private final Dequantizer dequantizer;
  private final MemorySegment data;

  private TensorValues(Tensor tensor, Dequantizer dequantizer, MemorySegment data) {
    this.tensor = tensor;
    this.dequantizer = dequantizer;
    this.data = data;
  }

  /// Returns whether the tensor's values can be decoded: its size is known, and its type is one
  /// that ggml defines, in the byte order of its file.
  public static boolean isDecodable(Tensor tensor) {
    return tensor.isInFile()
        && tensor.hasExactSize()
        && Dequantizer.of(tensor.type(), tensor.file().byteOrder()).isPresent();
  }

  /// Returns the values of a tensor, and maps its file if that has not been done.
  ///
  /// @throws GgufException if the values cannot be decoded, see [#isDecodable], or the tensor lies
  ///   outside its file
  /// @throws IllegalStateException if the tensor is in no file, or the model is closed
  public static TensorValues of(Tensor tensor) throws GgufException {
    Dequantizer dequantizer = Dequantizer.of(tensor.type(), tensor.file().byteOrder()).orElse(null);
    if (dequantizer == null) {
      throw new GgufException(undecodable(tensor));
    }
    if (!tensor.hasExactSize()) {
      throw new GgufException(
          tensor.file().path()
              + ": rows of "
              + tensor.ne(0)
              + " elements of "
              + tensor.name()
              + " are no whole blocks of "
              + tensor.type().blockElements()
              + " ("
              + tensor.type()
              + ")");
    }
    return new TensorValues(tensor, dequantizer, tensor.data());
  }

  private static String undecodable(Tensor tensor) {
    String start = tensor.file().path() + ": " + tensor.name() + " cannot be decoded: ";
    String name = tensor.type().name();
    return start
        + switch (tensor.type().kind()) {
          case CURRENT -> "no converter writes " + name + " into big-endian files";
          case REMOVED -> name + " has been taken out of ggml; the file has to be made again";
          case FORK -> name + " is a type of " + tensor.type().fork().orElseThrow();
          case UNKNOWN -> name + " is in no list of tensor types";
        };
  }

  /// Returns the tensor.
  public Tensor tensor() {
    return tensor;
  }

  /// Returns the number of rows.
  public long rows() {
    return tensor.rows();
  }

  /// Returns the number of elements of a row, `ne[0]`.
  public long rowElements() {
    return tensor.ne(0);
  }

  /// Returns the number of blocks of the whole tensor.
  public long blocks() {
    return tensor.elements() / tensor.type().blockElements();
  }

  /// Decodes rows into an array.
  ///
  /// @param from first row
  /// @param to row after the last
  /// @param target receives `(to - from) * ne[0]` elements
  /// @param targetOffset index of the first element in the target
  /// @throws IndexOutOfBoundsException if the rows are not in the tensor, or the target is too
  ///   small
  /// @throws GgufException if the file shrank since it was opened
  public void rows(long from, long to, float[] target, int targetOffset) throws GgufException {
    Objects.checkFromToIndex(from, to, rows());
    blocks(from * rowBlocks(), to * rowBlocks(), target, targetOffset);
  }

  /// Decodes rows into a segment, as floats of this machine's byte order.
  ///
  /// @param from first row
  /// @param to row after the last
  /// @param target receives `(to - from) * ne[0]` elements of four bytes
  /// @param targetOffset where the first element is written, in bytes
  /// @throws IndexOutOfBoundsException if the rows are not in the tensor, or the target is too
  ///   small
  /// @throws GgufException if the file shrank since it was opened
  public void rows(long from, long to, MemorySegment target, long targetOffset)
      throws GgufException {
    Objects.checkFromToIndex(from, to, rows());
    blocks(from * rowBlocks(), to * rowBlocks(), target, targetOffset);
  }

  /// Decodes blocks into an array. Blocks are counted through all rows; those of the plain types
  /// are single elements.
  ///
  /// @param from first block
  /// @param to block after the last
  /// @param target receives `to - from` times the type's block size in elements
  /// @param targetOffset index of the first element in the target
  /// @throws IndexOutOfBoundsException if the blocks are not in the tensor, or the target is too
  ///   small
  /// @throws GgufException if the file shrank since it was opened
  public void blocks(long from, long to, float[] target, int targetOffset) throws GgufException {
    Objects.checkFromToIndex(from, to, blocks());
    long start = from * tensor.type().blockBytes();
    MappedReads.run(tensor, () -> dequantizer.decode(data, start, to - from, target, targetOffset));
  }

  /// Decodes blocks into a segment, as floats of this machine's byte order.
  ///
  /// @param from first block
  /// @param to block after the last
  /// @param target receives `to - from` times the type's block size in elements of four bytes
  /// @param targetOffset where the first element is written, in bytes
  /// @throws IndexOutOfBoundsException if the blocks are not in the tensor, or the target is too
  ///   small
  /// @throws GgufException if the file shrank since it was opened
  public void blocks(long from, long to, MemorySegment target, long targetOffset)
      throws GgufException {
    Objects.checkFromToIndex(from, to, blocks());
    long start = from * tensor.type().blockBytes();
    MappedReads.run(tensor, () -> dequantizer.decode(data, start, to - from, target, targetOffset));
  }

  private long rowBlocks() {
    return tensor.ne(0) / tensor.type().blockElements();
  }
}
