package dev.gguf;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gguf.internal.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How the elements of a tensor are stored: blocks of a fixed number of elements in a fixed number
/// of bytes.
///
/// Not an enum, since a file may hold a type that nobody here knows: such an id is a value too
/// ([Kind#UNKNOWN]), without a block size. Two types are equal when their ids are.
public final class TensorType {
  /// Who defines a type.
  public enum Kind {
    /// Defined by ggml.
    CURRENT,
    /// Once defined by ggml and taken out; no reader takes it any more.
    REMOVED,
    /// Defined by another project than ggml, see [TensorType#fork()].
    FORK,
    /// An id that is in no list.
    UNKNOWN
  }

  private static final TensorType[] GGML = new TensorType[43];
  private static final Map<String, TensorType> BY_NAME = new HashMap<>();

  /// IEEE 754 single precision.
  public static final TensorType F32 = ggml(0, "F32", 1, 4);

  /// IEEE 754 half precision.
  public static final TensorType F16 = ggml(1, "F16", 1, 2);

  /// Blocks of 32, 4 bits and a scale.
  public static final TensorType Q4_0 = ggml(2, "Q4_0", 32, 18);

  /// Blocks of 32, 4 bits, a scale and a minimum.
  public static final TensorType Q4_1 = ggml(3, "Q4_1", 32, 20);

  /// Blocks of 32, 5 bits and a scale.
  public static final TensorType Q5_0 = ggml(6, "Q5_0", 32, 22);

  /// Blocks of 32, 5 bits, a scale and a minimum.
  public static final TensorType Q5_1 = ggml(7, "Q5_1", 32, 24);

  /// Blocks of 32, 8 bits and a scale.
  public static final TensorType Q8_0 = ggml(8, "Q8_0", 32, 34);

  /// Blocks of 32, 8 bits, a scale and a sum; for intermediate results.
  public static final TensorType Q8_1 = ggml(9, "Q8_1", 32, 36);

  /// Super-blocks of 256, 2 bits.
  public static final TensorType Q2_K = ggml(10, "Q2_K", 256, 84);

  /// Super-blocks of 256, 3 bits.
  public static final TensorType Q3_K = ggml(11, "Q3_K", 256, 110);

  /// Super-blocks of 256, 4 bits.
  public static final TensorType Q4_K = ggml(12, "Q4_K", 256, 144);

  /// Super-blocks of 256, 5 bits.
  public static final TensorType Q5_K = ggml(13, "Q5_K", 256, 176);

  /// Super-blocks of 256, 6 bits.
  public static final TensorType Q6_K = ggml(14, "Q6_K", 256, 210);

  /// Super-blocks of 256, 8 bits; for intermediate results.
  public static final TensorType Q8_K = ggml(15, "Q8_K", 256, 292);

  /// Grid-coded super-blocks of 256, about 2 bits.
  public static final TensorType IQ2_XXS = ggml(16, "IQ2_XXS", 256, 66);

  /// Grid-coded super-blocks of 256, about 2.3 bits.
  public static final TensorType IQ2_XS = ggml(17, "IQ2_XS", 256, 74);

  /// Grid-coded super-blocks of 256, about 3 bits.
  public static final TensorType IQ3_XXS = ggml(18, "IQ3_XXS", 256, 98);

  /// Grid-coded super-blocks of 256, about 1.6 bits.
  public static final TensorType IQ1_S = ggml(19, "IQ1_S", 256, 50);

  /// Blocks of 32, 4 bits into a table of 16 values.
  public static final TensorType IQ4_NL = ggml(20, "IQ4_NL", 32, 18);

  /// Grid-coded super-blocks of 256, about 3.4 bits.
  public static final TensorType IQ3_S = ggml(21, "IQ3_S", 256, 110);

  /// Grid-coded super-blocks of 256, about 2.6 bits.
  public static final TensorType IQ2_S = ggml(22, "IQ2_S", 256, 82);

  /// Super-blocks of 256, 4 bits into a table of 16 values.
  public static final TensorType IQ4_XS = ggml(23, "IQ4_XS", 256, 136);

  /// Two's complement, 1 byte.
  public static final TensorType I8 = ggml(24, "I8", 1, 1);

  /// Two's complement, 2 bytes.
  public static final TensorType I16 = ggml(25, "I16", 1, 2);

  /// Two's complement, 4 bytes.
  public static final TensorType I32 = ggml(26, "I32", 1, 4);

  /// Two's complement, 8 bytes.
  public static final TensorType I64 = ggml(27, "I64", 1, 8);

  /// IEEE 754 double precision.
  public static final TensorType F64 = ggml(28, "F64", 1, 8);

  /// Grid-coded super-blocks of 256, 1.75 bits.
  public static final TensorType IQ1_M = ggml(29, "IQ1_M", 256, 56);

  /// The upper half of an IEEE 754 single.
  public static final TensorType BF16 = ggml(30, "BF16", 1, 2);

  /// Ternary super-blocks of 256, about 1.7 bits.
  public static final TensorType TQ1_0 = ggml(34, "TQ1_0", 256, 54);

  /// Ternary super-blocks of 256, about 2 bits.
  public static final TensorType TQ2_0 = ggml(35, "TQ2_0", 256, 66);

  /// Blocks of 32 four-bit floats with a power-of-two scale.
  public static final TensorType MXFP4 = ggml(39, "MXFP4", 32, 17);

  /// Blocks of 64 four-bit floats with four eight-bit float scales.
  public static final TensorType NVFP4 = ggml(40, "NVFP4", 64, 36);

  /// Blocks of 128, one bit and a scale.
  public static final TensorType Q1_0 = ggml(41, "Q1_0", 128, 18);

  /// Blocks of 64, two bits and a scale.
  public static final TensorType Q2_0 = ggml(42, "Q2_0", 64, 18);

  static {
    removed(4, "Q4_2");
    removed(5, "Q4_3");
    removed(31, "Q4_0_4_4");
    removed(32, "Q4_0_4_8");
    removed(33, "Q4_0_8_8");
    removed(36, "IQ4_NL_4_4");
    removed(37, "IQ4_NL_4_8");
    removed(38, "IQ4_NL_8_8");
  }

  private final int id;
  private final String name;
  private final Kind kind;
  private final int blockElements;
  private final int blockBytes;
  private final int rowHeaderBytes;
  private final @Nullable String fork;

  private TensorType(
      int id,
      String name,
      Kind kind,
      int blockElements,
      int blockBytes,
      int rowHeaderBytes,
      @Nullable String fork) {
    this.id = id;
    this.name = name;
    this.kind = kind;
    this.blockElements = blockElements;
    this.blockBytes = blockBytes;
    this.rowHeaderBytes = rowHeaderBytes;
    this.fork = fork;
  }

  private static TensorType ggml(int id, String name, int blockElements, int blockBytes) {
    return register(new TensorType(id, name, Kind.CURRENT, blockElements, blockBytes, 0, null));
  }

  private static void removed(int id, String name) {
    register(new TensorType(id, name, Kind.REMOVED, 0, 0, 0, null));
  }

  private static TensorType register(TensorType type) {
    GGML[type.id] = type;
    BY_NAME.put(type.name, type);
    return type;
  }

  /// Returns the type with this id, never null: an id in no list gives a type of kind
  /// [Kind#UNKNOWN].
  ///
  /// @param id the number in the file, taken as unsigned
  public static TensorType of(int id) {
    if (id >= 0 && id < GGML.length) {
      return GGML[id];
    }
    TensorType known = Forks.BY_ID.get(id);
    return known != null
        ? known
        : new TensorType(id, "type " + Integer.toUnsignedString(id), Kind.UNKNOWN, 0, 0, 0, null);
  }

  /// Returns the type with this name in any case, such as `q4_K` or `IQ2_XXS`, of ggml or of a
  /// fork.
  public static Optional<TensorType> named(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    TensorType known = BY_NAME.get(upper);
    return Optional.ofNullable(known != null ? known : Forks.BY_NAME.get(upper));
  }

  /// Returns every type that ggml defines now, in the order of their ids.
  public static List<TensorType> current() {
    List<TensorType> types = new ArrayList<>();
    for (TensorType type : GGML) {
      if (type.kind == Kind.CURRENT) {
        types.add(type);
      }
    }
    return List.copyOf(types);
  }

  /// Returns the number in the file, as unsigned 32 bits.
  public long id() {
    return Integer.toUnsignedLong(id);
  }

  /// Returns the upper-case name, such as `Q4_K`, or `type N` for an id in no list.
  public String name() {
    return name;
  }

  /// Returns who defines the type.
  public Kind kind() {
    return kind;
  }

  /// Returns the elements of a block, or 0 where the layout is not known.
  public int blockElements() {
    return blockElements;
  }

  /// Returns the bytes of a block, or 0 where the layout is not known.
  public int blockBytes() {
    return blockBytes;
  }

  /// Returns the bytes that stand before the blocks of every row; 0 for all types of ggml.
  public int rowHeaderBytes() {
    return rowHeaderBytes;
  }

  /// Returns the project that defines the type, if it is not ggml.
  public Optional<String> fork() {
    return Optional.ofNullable(fork);
  }

  /// Returns how many rows are interleaved, so that `ne[1]` must be a multiple of it: the number
  /// after `_R` in the names of ik_llama.cpp's repacked types, else 1.
  public int interleavedRows() {
    int at = name.lastIndexOf("_R");
    if (kind != Kind.FORK || at < 0) {
      return 1;
    }
    return Integer.parseInt(name.substring(at + 2));
  }

  /// Returns whether block elements and bytes are known, so that sizes can be computed.
  public boolean hasLayout() {
    return blockElements > 0;
  }

  /// Returns whether this is one of the plain floating-point types F16, BF16, F32 and F64.
  public boolean isFloat() {
    return id == 0 || id == 1 || id == 28 || id == 30;
  }

  /// Returns whether this is one of the plain integer types I8, I16, I32 and I64.
  public boolean isInteger() {
    return id >= 24 && id <= 27;
  }

  /// Returns whether elements are stored in blocks that have to be decoded: neither plain floats
  /// nor plain integers.
  public boolean isQuantized() {
    return !isFloat() && !isInteger();
  }

  /// Returns the bytes of a row of `elements`.
  ///
  /// @throws IllegalArgumentException if the layout is not known, or `elements` is no multiple of
  ///   the block
  /// @throws ArithmeticException if the size is above 2^63-1
  public long rowBytes(long elements) {
    if (!hasLayout()) {
      throw new IllegalArgumentException(name + " has no known layout");
    }
    if (elements % blockElements != 0) {
      throw new IllegalArgumentException(
          "a row of "
              + elements
              + " elements is no multiple of the "
              + blockElements
              + " of a "
              + name
              + " block");
    }
    return Math.addExact(Math.multiplyExact(elements / blockElements, blockBytes), rowHeaderBytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TensorType type && type.id == id;
  }

  @Override
  public int hashCode() {
    return id;
  }

  @Override
  public String toString() {
    return name;
  }

  /// The types of other projects, read when the first id outside ggml's table is met.
  private static final class Forks {
    static final Map<Integer, TensorType> BY_ID = new HashMap<>();
    static final Map<String, TensorType> BY_NAME = new HashMap<>();

    static {
      String text = new String(Resources.read(TensorType.class, "fork-types.tsv"), UTF_8);
      int from = text.indexOf('\n') + 1;
      while (from < text.length()) {
        int end = text.indexOf('\n', from);
        end = end < 0 ? text.length() : end;
        add(text.substring(from, end));
        from = end + 1;
      }
    }

    private static void add(String line) {
      String[] field = line.split("\t", -1);
      TensorType type =
          new TensorType(
              Integer.parseInt(field[0]),
              field[1].toUpperCase(Locale.ROOT),
              Kind.FORK,
              Integer.parseInt(field[2]),
              Integer.parseInt(field[3]),
              Integer.parseInt(field[4]),
              field[5]);
      BY_ID.put(type.id, type);
      BY_NAME.put(type.name, type);
    }
  }
}
