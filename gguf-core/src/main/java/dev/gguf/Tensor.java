package dev.gguf;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// One tensor of the table: name, dimensions, type, and where its bytes are.
///
/// Dimensions are `ne[0]`, the length of a row and the fastest axis, to `ne[3]`. The [#shape()] is
/// the same in row-major order, slowest axis first, as numpy and PyTorch print it.
public final class Tensor {
  private final String name;
  private final byte @Nullable [] rawName;
  private final TensorType type;
  private final long[] ne;
  private final long elements;
  private final @Nullable GgufFile file;
  private final long infoOffset;
  private final long offset;
  private long bytes;
  private final boolean sized;

  Tensor(
      String name,
      byte @Nullable [] rawName,
      TensorType type,
      long[] ne,
      long elements,
      long bytes,
      boolean sized,
      @Nullable GgufFile file,
      long infoOffset,
      long offset) {
    this.name = name;
    this.rawName = rawName;
    this.type = type;
    this.ne = ne;
    this.elements = elements;
    this.bytes = bytes;
    this.sized = sized;
    this.file = file;
    this.infoOffset = infoOffset;
    this.offset = offset;
  }

  /// Returns a tensor that is in no file, for tables that are built by hand.
  ///
  /// @param ne dimensions in the format's order, at most four
  /// @throws IllegalArgumentException if there are more than four dimensions, or one is negative
  /// @throws ArithmeticException if elements or bytes are above 2^63-1
  public static Tensor of(String name, TensorType type, long... ne) {
    if (ne.length > 4) {
      throw new IllegalArgumentException(
          name + " has " + ne.length + " dimensions, the format allows 4");
    }
    for (long n : ne) {
      if (n < 0) {
        throw new IllegalArgumentException(name + " has the dimension " + n);
      }
    }
    long elements = product(ne);
    boolean sized = fits(type, ne);
    long bytes = sized ? byteSize(type, ne) : 0;
    return new Tensor(name, null, type, ne.clone(), elements, bytes, sized, null, -1, 0);
  }

  static long product(long[] ne) {
    long product = 1;
    for (long n : ne) {
      if (n == 0) {
        return 0;
      }
    }
    for (long n : ne) {
      product = Math.multiplyExact(product, n);
    }
    return product;
  }

  /// Returns whether the rows of such a tensor are whole blocks of a known layout.
  static boolean fits(TensorType type, long[] ne) {
    return type.hasLayout() && (ne.length == 0 ? 1 : ne[0]) % type.blockElements() == 0;
  }

  static long byteSize(TensorType type, long[] ne) {
    long rows = 1;
    for (int i = 0; i < ne.length; i++) {
      if (ne[i] == 0) {
        return 0;
      }
      rows = i == 0 ? rows : Math.multiplyExact(rows, ne[i]);
    }
    return Math.multiplyExact(type.rowBytes(ne.length == 0 ? 1 : ne[0]), rows);
  }

  /// Returns the name; bytes that are not UTF-8 are U+FFFD here.
  public String name() {
    return name;
  }

  /// Returns the bytes of the name in base64 where they are not UTF-8, else null.
  public @Nullable String nameBase64() {
    return rawName == null ? null : Base64.getEncoder().encodeToString(rawName);
  }

  /// Returns the bytes of the name.
  public byte[] nameBytes() {
    return rawName == null ? name.getBytes(StandardCharsets.UTF_8) : rawName.clone();
  }

  /// Returns how the elements are stored.
  public TensorType type() {
    return type;
  }

  /// Returns how many dimensions the file writes, 0 to 4.
  public int dimensions() {
    return ne.length;
  }

  /// Returns a dimension in the format's order; 1 for those that the file does not write.
  ///
  /// @param axis 0, the fastest, to 3
  public long ne(int axis) {
    return axis < ne.length ? ne[axis] : 1;
  }

  /// Returns a copy of the dimensions that the file writes, fastest axis first.
  public long[] ne() {
    return ne.clone();
  }

  /// Returns the dimensions in row-major order, slowest axis first.
  public long[] shape() {
    long[] shape = new long[ne.length];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = ne[ne.length - 1 - i];
    }
    return shape;
  }

  /// Returns the number of elements.
  public long elements() {
    return elements;
  }

  /// Returns the number of rows of `ne[0]` elements each.
  public long rows() {
    return ne(0) == 0 ? 0 : elements / ne(0);
  }

  /// Returns the size of the data in bytes, without padding. Where it cannot be computed, see
  /// [#hasExactSize()], it is the span up to the next tensor of the file or the file's end.
  public long bytes() {
    return bytes;
  }

  /// Returns whether [#bytes()] follows from type and dimensions: the type's layout is known and
  /// rows are whole blocks.
  public boolean hasExactSize() {
    return sized;
  }

  /// Returns the bytes of one row of `ne[0]` elements.
  ///
  /// @throws IllegalStateException if the size cannot be computed, see [#hasExactSize()]
  public long rowBytes() {
    if (!sized) {
      throw new IllegalStateException("the rows of " + name + " (" + type + ") have no known size");
    }
    return type.rowBytes(ne(0));
  }

  void span(long span) {
    bytes = span;
  }

  /// Returns the number of the block in a name `blk.N.…`, or empty for every other name. Nothing
  /// but plain decimal digits without leading zeros counts as a number.
  public OptionalInt layer() {
    return layer(name);
  }

  /// Returns the number of the block in a tensor name `blk.N.…`, or empty for every other name.
  public static OptionalInt layer(String name) {
    int dot = name.startsWith("blk.") ? name.indexOf('.', 4) : -1;
    if (dot <= 4 || dot > 13 || name.charAt(4) == '0' && dot > 5) {
      return OptionalInt.empty();
    }
    int number = 0;
    for (int i = 4; i < dot; i++) {
      int digit = name.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return OptionalInt.empty();
      }
      number = 10 * number + digit;
    }
    return OptionalInt.of(number);
  }

  /// Returns whether the tensor is in a file; false for one made by [#of].
  public boolean isInFile() {
    return file != null;
  }

  /// Returns the file that holds the tensor.
  ///
  /// @throws IllegalStateException if the tensor is in no file
  public GgufFile file() {
    if (file == null) {
      throw new IllegalStateException(name + " is in no file");
    }
    return file;
  }

  /// Returns the offset as the file writes it: unsigned, in bytes from the start of the file's data
  /// section.
  public long offset() {
    return offset;
  }

  /// Returns the absolute byte offset of the data in its file. For an offset that does not fit 63
  /// bits the result is meaningless; such a tensor is outside its file.
  ///
  /// @throws IllegalStateException if the tensor is in no file
  public long fileOffset() {
    return file().dataStart() + offset;
  }

  /// Returns the absolute byte offset of the tensor's entry in the table of its file, or -1 if it
  /// is in no file.
  public long infoOffset() {
    return infoOffset;
  }

  /// Returns whether all bytes of the tensor lie inside its file.
  ///
  /// @throws IllegalStateException if the tensor is in no file
  public boolean isInsideFile() {
    return bytes == 0 && offset >= 0 || bytesOutside() == 0;
  }

  /// Returns how many bytes of the tensor lie behind the end of its file.
  ///
  /// @throws IllegalStateException if the tensor is in no file
  public long bytesOutside() {
    long left = file().size() - file().dataStart();
    if (offset < 0 || offset >= left) {
      return bytes;
    }
    return Math.max(0, bytes - (left - offset));
  }

  /// Returns the bytes of the tensor, mapped and read-only, without a copy. The segment lives until
  /// the model is closed; reading it where the file has been shortened meanwhile makes the JVM
  /// throw an [InternalError], which the readers of this library translate.
  ///
  /// @throws GgufException if the tensor lies outside its file, or the file cannot be mapped
  /// @throws IllegalStateException if the tensor is in no file, or the model is closed
  public MemorySegment data() throws GgufException {
    if (!isInsideFile()) {
      throw new GgufException(
          file().path()
              + ": "
              + bytesOutside()
              + " of the "
              + bytes
              + " bytes of "
              + name
              + " lie behind the end of the file, which has "
              + file().size()
              + " bytes");
    }
    return bytes == 0 ? MemorySegment.NULL : file().data().asSlice(fileOffset(), bytes);
  }

  @Override
  public String toString() {
    return name + " " + type + " " + Arrays.toString(ne);
  }
}
