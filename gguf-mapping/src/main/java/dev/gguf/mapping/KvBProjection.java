package dev.gguf.mapping;

import dev.gguf.GgufException;
import dev.gguf.Metadata;
import dev.gguf.MetadataException;
import dev.gguf.Tensor;
import dev.gguf.quant.TensorValues;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/// The two halves of `kv_b_proj` of models with multi-head latent attention, apart and together.
///
/// A checkpoint has one matrix `kv_b_proj`, row-major `(heads * (nope + value), rank)`; of each
/// head first the `nope` rows of the key, then the `value` rows. A GGUF file has two tensors:
/// `attn_k_b`, `ne = (nope, rank, heads)`, the key rows of each head transposed, and `attn_v_b`,
/// `ne = (rank, value, heads)`, the value rows as they are. Source: the converter of llama.cpp.
///
/// Arrays of this class hold elements in the order of their data: `kB[n + nope * (r + rank * h)]`,
/// `vB[r + rank * (v + value * h)]`, `kvB[r + rank * row]`. A method that takes a range of heads
/// reads the whole of its sources and writes that range alone, from the start of its target.
///
/// Immutable and safe to share between threads.
public final class KvBProjection {
  /// Rows and columns that are transposed together, so that both sides stay in the cache.
  private static final int TILE = 32;

  private final int heads;
  private final int nope;
  private final int value;
  private final int rank;

  private KvBProjection(int heads, int nope, int value, int rank) {
    this.heads = heads;
    this.nope = nope;
    this.value = value;
    this.rank = rank;
  }

  /// Returns the projection with these sizes.
  ///
  /// @param heads attention heads
  /// @param nope rows of a head that are keys, without the rotated ones
  /// @param value rows of a head that are values
  /// @param rank columns: the width of the compressed keys and values, `kv_lora_rank`
  /// @throws IllegalArgumentException if a size is below 1 or the whole has more than 2^31-9
  ///   elements
  public static KvBProjection of(long heads, long nope, long value, long rank) {
    long most = Integer.MAX_VALUE - 8;
    if (heads < 1
        || nope < 1
        || value < 1
        || rank < 1
        || heads > most
        || nope > most
        || value > most
        || rank > most
        || heads > most / rank / (nope + value)) {
      throw new IllegalArgumentException(
          "kv_b_proj of "
              + heads
              + " heads, "
              + nope
              + " + "
              + value
              + " rows a head and "
              + rank
              + " columns; sizes from 1 on are expected, and at most "
              + most
              + " elements");
    }
    return new KvBProjection((int) heads, (int) nope, (int) value, (int) rank);
  }

  /// Returns whether the metadata describe a model with multi-head latent attention: the key
  /// `ARCHITECTURE.attention.kv_lora_rank` is there and not 0.
  public static boolean isIn(Metadata metadata) {
    String architecture = metadata.findString("general.architecture").orElse("");
    Metadata.Entry rank = metadata.find(architecture + ".attention.kv_lora_rank").orElse(null);
    return rank != null && rank.type().isInteger() && rank.bits() != 0;
  }

  /// Returns the projection that the metadata describe.
  ///
  /// The sizes of a head are `key_length_mla` less `rope.dimension_count`, and `value_length_mla`.
  /// `key_length` and `value_length` beside them are the widths of the cache, and `head_count_kv`
  /// is 1 there, so neither says anything about heads. Files from before the halves were divided
  /// have no `_mla` keys, and the sizes of a head in `key_length` and `value_length`.
  ///
  /// @throws MetadataException if a key is absent or of another type
  /// @throws IllegalArgumentException if the values give no head, see [#of]
  public static KvBProjection from(Metadata metadata) {
    String prefix = metadata.string("general.architecture") + ".";
    String attention = prefix + "attention.";
    long rank = metadata.integer(attention + "kv_lora_rank");
    long rope = metadata.integer(prefix + "rope.dimension_count");
    boolean divided = metadata.has(attention + "key_length_mla");
    String keyLength = attention + (divided ? "key_length_mla" : "key_length");
    String valueLength = attention + (divided ? "value_length_mla" : "value_length");
    long key = metadata.integer(keyLength);
    long value = metadata.integer(valueLength);
    if (!divided && key == rank + rope && value == rank) {
      throw new MetadataException(
          attention
              + "key_length_mla is absent, and key_length "
              + key
              + " is the width of the cache (kv_lora_rank "
              + rank
              + " + rope "
              + rope
              + "), not the size of a head");
    }
    if (key <= rope) {
      throw new IllegalArgumentException(
          keyLength + " is " + key + ", of which the rotated part alone takes " + rope);
    }
    return of(metadata.integer(attention + "head_count"), key - rope, value, rank);
  }

  /// Returns the number of attention heads.
  public int heads() {
    return heads;
  }

  /// Returns how many rows of a head are keys.
  public int nope() {
    return nope;
  }

  /// Returns how many rows of a head are values.
  public int value() {
    return value;
  }

  /// Returns the number of columns.
  public int rank() {
    return rank;
  }

  /// Returns the number of rows of `kv_b_proj`.
  public int rows() {
    return heads * (nope + value);
  }

  /// Returns the row-major shape of `kv_b_proj`.
  public long[] shape() {
    return new long[] {rows(), rank};
  }

  /// Returns the dimensions of `attn_k_b` in the format's order.
  public long[] keyNe() {
    return new long[] {nope, rank, heads};
  }

  /// Returns the dimensions of `attn_v_b` in the format's order.
  public long[] valueNe() {
    return new long[] {rank, value, heads};
  }

  /// Returns the number of elements of `kv_b_proj` that the heads of a range have.
  public int elements(int fromHead, int toHead) {
    Objects.checkFromToIndex(fromHead, toHead, heads);
    return (toHead - fromHead) * (nope + value) * rank;
  }

  private int keyHead() {
    return nope * rank;
  }

  private int valueHead() {
    return value * rank;
  }

  private int head() {
    return keyHead() + valueHead();
  }

  /// Divides a whole `kv_b_proj`.
  ///
  /// @param kvB the matrix, `rows() * rank()` elements
  /// @param kB receives the elements of `attn_k_b`
  /// @param vB receives the elements of `attn_v_b`
  /// @throws IllegalArgumentException if an array is too short
  public void split(float[] kvB, float[] kB, float[] vB) {
    split(kvB, 0, heads, kB, vB);
  }

  /// Divides the heads of a range.
  ///
  /// @param kvB the whole matrix
  /// @param fromHead first head
  /// @param toHead head after the last
  /// @param kB receives the range's elements of `attn_k_b`
  /// @param vB receives the range's elements of `attn_v_b`
  /// @throws IllegalArgumentException if an array is too short
  public void split(float[] kvB, int fromHead, int toHead, float[] kB, float[] vB) {
    Objects.checkFromToIndex(fromHead, toHead, heads);
    need("kv_b_proj", kvB.length, (long) heads * head());
    need("attn_k_b", kB.length, (long) (toHead - fromHead) * keyHead());
    need("attn_v_b", vB.length, (long) (toHead - fromHead) * valueHead());
    for (int head = fromHead; head < toHead; head++) {
      int at = head - fromHead;
      transpose(kvB, head * head(), nope, rank, kB, at * keyHead());
      System.arraycopy(kvB, head * head() + keyHead(), vB, at * valueHead(), valueHead());
    }
  }

  /// Puts the whole `kv_b_proj` together.
  ///
  /// @param kB the elements of `attn_k_b`
  /// @param vB the elements of `attn_v_b`
  /// @param target receives the matrix
  /// @throws IllegalArgumentException if an array is too short
  public void join(float[] kB, float[] vB, float[] target) {
    join(kB, vB, 0, heads, target);
  }

  /// Puts the heads of a range together.
  ///
  /// @param kB the whole of `attn_k_b`
  /// @param vB the whole of `attn_v_b`
  /// @param fromHead first head
  /// @param toHead head after the last
  /// @param target receives the rows of the range
  /// @throws IllegalArgumentException if an array is too short
  public void join(float[] kB, float[] vB, int fromHead, int toHead, float[] target) {
    Objects.checkFromToIndex(fromHead, toHead, heads);
    need("attn_k_b", kB.length, (long) heads * keyHead());
    need("attn_v_b", vB.length, (long) heads * valueHead());
    need("the target", target.length, elements(fromHead, toHead));
    for (int head = fromHead; head < toHead; head++) {
      int at = (head - fromHead) * head();
      transpose(kB, head * keyHead(), rank, nope, target, at);
      System.arraycopy(vB, head * valueHead(), target, at + keyHead(), valueHead());
    }
  }

  /// Decodes two tensors, which may be of different types and in different files of a set, and puts
  /// the heads of a range together. Needs scratch memory of one head.
  ///
  /// @param kB `attn_k_b`, with three dimensions or with heads and rank as one
  /// @param vB `attn_v_b`, with three dimensions or with heads and value rows as one
  /// @param target receives the rows of the range
  /// @throws GgufException if a tensor cannot be decoded
  /// @throws IllegalArgumentException if the dimensions of a tensor are not those of this
  ///   projection, or the target is too short
  public void join(Tensor kB, Tensor vB, int fromHead, int toHead, float[] target)
      throws GgufException {
    need("the target", target.length, elements(fromHead, toHead));
    TensorValues keys = values(kB, true);
    TensorValues values = values(vB, false);
    float[] scratch = new float[keyHead()];
    for (int head = fromHead; head < toHead; head++) {
      int at = (head - fromHead) * head();
      keys.rows((long) head * rank, (head + 1L) * rank, scratch, 0);
      transpose(scratch, 0, rank, nope, target, at);
      values.rows((long) head * value, (head + 1L) * value, target, at + keyHead());
    }
  }

  /// Decodes two tensors as [#join(Tensor, Tensor, int, int, float\[\])] does, into a segment of
  /// floats in this machine's byte order.
  ///
  /// @param target receives four bytes for every element of the range
  /// @throws GgufException if a tensor cannot be decoded
  /// @throws IllegalArgumentException if the dimensions of a tensor are not those of this
  ///   projection, or the target is too short
  public void join(Tensor kB, Tensor vB, int fromHead, int toHead, MemorySegment target)
      throws GgufException {
    need("the target", target.byteSize() / 4, elements(fromHead, toHead));
    TensorValues keys = values(kB, true);
    TensorValues values = values(vB, false);
    float[] decoded = new float[keyHead()];
    float[] turned = new float[keyHead()];
    for (int head = fromHead; head < toHead; head++) {
      long at = 4L * (head - fromHead) * head();
      keys.rows((long) head * rank, (head + 1L) * rank, decoded, 0);
      transpose(decoded, 0, rank, nope, turned, 0);
      MemorySegment.copy(turned, 0, target, ValueLayout.JAVA_FLOAT_UNALIGNED, at, turned.length);
      values.rows((long) head * value, (head + 1L) * value, target, at + 4L * keyHead());
    }
  }

  /// Decodes an undivided `attn_kv_b`, as files of 2024 and early 2025 have it, and divides the
  /// heads of a range.
  ///
  /// @param kvB `attn_kv_b`, `ne = (rank, heads * (nope + value))`
  /// @param kB receives the range's elements of `attn_k_b`
  /// @param vB receives the range's elements of `attn_v_b`
  /// @throws GgufException if the tensor cannot be decoded
  /// @throws IllegalArgumentException if its dimensions are not those of this projection, or an
  ///   array is too short
  public void split(Tensor kvB, int fromHead, int toHead, float[] kB, float[] vB)
      throws GgufException {
    Objects.checkFromToIndex(fromHead, toHead, heads);
    need("attn_k_b", kB.length, (long) (toHead - fromHead) * keyHead());
    need("attn_v_b", vB.length, (long) (toHead - fromHead) * valueHead());
    needUndivided(kvB);
    TensorValues rows = TensorValues.of(kvB);
    float[] scratch = new float[keyHead()];
    for (int head = fromHead; head < toHead; head++) {
      int at = head - fromHead;
      long row = (long) head * (nope + value);
      rows.rows(row, row + nope, scratch, 0);
      transpose(scratch, 0, nope, rank, kB, at * keyHead());
      rows.rows(row + nope, row + nope + value, vB, at * valueHead());
    }
  }

  /// Decodes rows of `kv_b_proj` from an undivided `attn_kv_b`, which holds them as they are.
  ///
  /// @param target receives the rows of the range of heads
  /// @throws GgufException if the tensor cannot be decoded
  /// @throws IllegalArgumentException if its dimensions are not those of this projection, or the
  ///   target is too short
  public void copy(Tensor kvB, int fromHead, int toHead, float[] target) throws GgufException {
    need("the target", target.length, elements(fromHead, toHead));
    needUndivided(kvB);
    TensorValues.of(kvB)
        .rows((long) fromHead * (nope + value), (long) toHead * (nope + value), target, 0);
  }

  /// Returns the bytes of the value rows of a head, as they are in the file: in the tensor's own
  /// type they are rows of `kv_b_proj` without any decoding, since both run along the rank.
  ///
  /// @param vB `attn_v_b`, of any type
  /// @throws GgufException if the tensor lies outside its file
  /// @throws IllegalArgumentException if its dimensions are not those of this projection
  public MemorySegment valueRows(Tensor vB, int head) throws GgufException {
    Objects.checkIndex(head, heads);
    needHalf(vB, false);
    long bytes = vB.rowBytes() * value;
    return vB.data().asSlice(head * bytes, bytes);
  }

  /// Returns whether a tensor has the dimensions of `attn_k_b`: `(nope, rank, heads)`, or `(nope,
  /// rank * heads)` as ik_llama.cpp's converter writes it.
  public boolean isKey(Tensor tensor) {
    return Arrays.equals(tensor.ne(), keyNe())
        || Arrays.equals(tensor.ne(), new long[] {nope, (long) rank * heads});
  }

  /// Returns whether a tensor has the dimensions of `attn_v_b`: `(rank, value, heads)`, or `(rank,
  /// value * heads)` as ik_llama.cpp's converter writes it.
  public boolean isValue(Tensor tensor) {
    return Arrays.equals(tensor.ne(), valueNe())
        || Arrays.equals(tensor.ne(), new long[] {rank, (long) value * heads});
  }

  /// Returns whether a tensor has the dimensions of the undivided `attn_kv_b`.
  public boolean isUndivided(Tensor tensor) {
    return Arrays.equals(tensor.ne(), new long[] {rank, rows()});
  }

  private TensorValues values(Tensor tensor, boolean key) throws GgufException {
    needHalf(tensor, key);
    return TensorValues.of(tensor);
  }

  private void needHalf(Tensor tensor, boolean key) {
    if (!(key ? isKey(tensor) : isValue(tensor))) {
      throw new IllegalArgumentException(
          tensor.name()
              + " has ne = "
              + Arrays.toString(tensor.ne())
              + "; "
              + Arrays.toString(key ? keyNe() : valueNe())
              + " is expected");
    }
  }

  private void needUndivided(Tensor tensor) {
    if (!isUndivided(tensor)) {
      throw new IllegalArgumentException(
          tensor.name()
              + " has ne = "
              + Arrays.toString(tensor.ne())
              + "; "
              + Arrays.toString(new long[] {rank, rows()})
              + " is expected");
    }
  }

  private static void need(String what, long there, long needed) {
    if (there < needed) {
      throw new IllegalArgumentException(
          what + " has " + there + " elements; " + needed + " are needed");
    }
  }

  /// Holds two halves against the `kv_b_proj` that they should make, element by element.
  ///
  /// @param kB the elements of `attn_k_b`
  /// @param vB the elements of `attn_v_b`
  /// @param reference the matrix of the checkpoint
  /// @return how far they are from it and, where they are wrong, in which way
  /// @throws IllegalArgumentException if an array is too short
  public KvBComparison check(float[] kB, float[] vB, float[] reference) {
    return check(kB, vB, reference, Tolerance.EXACT, Tolerance.EXACT);
  }

  /// Holds two halves that have been quantised against the `kv_b_proj` that they should make.
  ///
  /// @param keys what `attn_k_b` may be off by, by its type
  /// @param values what `attn_v_b` may be off by, by its type
  /// @throws IllegalArgumentException if an array is too short
  public KvBComparison check(
      float[] kB, float[] vB, float[] reference, Tolerance keys, Tolerance values) {
    return check(kB, vB, reference, keys, values, Map.of());
  }

  /// Holds two halves against the `kv_b_proj` that they should make, and against those of other
  /// layers where they are wrong.
  ///
  /// @param otherLayers by number of the layer, in the order in which they are tried
  /// @throws IllegalArgumentException if an array is too short
  public KvBComparison check(
      float[] kB,
      float[] vB,
      float[] reference,
      Tolerance keys,
      Tolerance values,
      Map<Integer, KvBFingerprint> otherLayers) {
    need("attn_k_b", kB.length, (long) heads * keyHead());
    need("attn_v_b", vB.length, (long) heads * valueHead());
    need("the reference", reference.length, (long) heads * head());
    try {
      return KvBComparison.of(
          this,
          heads(kB, keyHead()),
          heads(vB, valueHead()),
          heads(reference, head()),
          keys,
          values,
          otherLayers);
    } catch (GgufException e) {
      throw new AssertionError("arrays are always readable", e);
    }
  }

  private static Heads heads(float[] all, int length) {
    return (head, into, at) -> System.arraycopy(all, head * length, into, at, length);
  }

  /// Holds two halves against the `kv_b_proj` that they should make, reading all three head by
  /// head. Only where they are wrong are they read as a whole, to find out why.
  ///
  /// @param kB gives `nope() * rank()` elements a head
  /// @param vB gives `value() * rank()` elements a head
  /// @param reference gives the rows of a head
  /// @param otherLayers by number of the layer, in the order in which they are tried
  /// @throws GgufException if a head cannot be read
  public KvBComparison check(
      Heads kB,
      Heads vB,
      Heads reference,
      Tolerance keys,
      Tolerance values,
      Map<Integer, KvBFingerprint> otherLayers)
      throws GgufException {
    return KvBComparison.of(this, kB, vB, reference, keys, values, otherLayers);
  }

  /// Returns the heads of an `attn_k_b`.
  ///
  /// @throws GgufException if the tensor cannot be decoded
  /// @throws IllegalArgumentException if its dimensions are not those of this projection
  public Heads keys(Tensor kB) throws GgufException {
    TensorValues all = values(kB, true);
    return (head, into, at) -> all.rows((long) head * rank, (head + 1L) * rank, into, at);
  }

  /// Returns the heads of an `attn_v_b`.
  ///
  /// @throws GgufException if the tensor cannot be decoded
  /// @throws IllegalArgumentException if its dimensions are not those of this projection
  public Heads values(Tensor vB) throws GgufException {
    TensorValues all = values(vB, false);
    return (head, into, at) -> all.rows((long) head * value, (head + 1L) * value, into, at);
  }

  /// Reads one head of something.
  public interface Heads {
    /// Reads a head.
    ///
    /// @param head from 0
    /// @param into receives the elements of the head, from index `at` on
    /// @throws GgufException if the head cannot be read
    void read(int head, float[] into, int at) throws GgufException;
  }

  /// Transposes a matrix of `rows` by `columns`, tile by tile.
  static void transpose(float[] from, int fromAt, int rows, int columns, float[] to, int toAt) {
    for (int row = 0; row < rows; row += TILE) {
      int lastRow = Math.min(rows, row + TILE);
      for (int column = 0; column < columns; column += TILE) {
        int lastColumn = Math.min(columns, column + TILE);
        for (int c = column; c < lastColumn; c++) {
          int out = toAt + c * rows;
          for (int r = row; r < lastRow; r++) {
            to[out + r] = from[fromAt + r * columns + c];
          }
        }
      }
    }
  }

  @Override
  public String toString() {
    return heads + " heads of " + nope + " + " + value + " rows, rank " + rank;
  }
}
