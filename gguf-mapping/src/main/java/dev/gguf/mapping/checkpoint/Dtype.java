package dev.gguf.mapping.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How a safetensors file stores the elements of a parameter. All are little-endian. Source: the
/// format's own list of dtypes, safetensors 0.6.
public enum Dtype {
  /// 64-bit IEEE float.
  F64("F64", 64, true),
  /// 32-bit IEEE float.
  F32("F32", 32, true),
  /// 16-bit IEEE float.
  F16("F16", 16, true),
  /// The upper half of a 32-bit float.
  BF16("BF16", 16, true),
  /// 8-bit float: 4 bits of exponent, bias 7; no infinity, NaN is 0x7f and 0xff.
  F8_E4M3("F8_E4M3", 8, true),
  /// 8-bit float: 5 bits of exponent, bias 15, with infinity and NaN.
  F8_E5M2("F8_E5M2", 8, true),
  /// A power of two, 2^(byte - 127); 0xff is NaN. Used for scales.
  F8_E8M0("F8_E8M0", 8, true),
  /// Signed 64-bit integer.
  I64("I64", 64, true),
  /// Signed 32-bit integer.
  I32("I32", 32, true),
  /// Signed 16-bit integer.
  I16("I16", 16, true),
  /// Signed byte.
  I8("I8", 8, true),
  /// Unsigned byte.
  U8("U8", 8, true),
  /// One byte, 0 or 1.
  BOOL("BOOL", 8, true),
  /// Unsigned 64-bit integer; its values are not read.
  U64("U64", 64, false),
  /// Unsigned 32-bit integer; its values are not read.
  U32("U32", 32, false),
  /// Unsigned 16-bit integer; its values are not read.
  U16("U16", 16, false),
  /// Two 32-bit floats; its values are not read.
  C64("C64", 64, false),
  /// 4-bit floats, two in a byte; its values are not read.
  F4("F4", 4, false),
  /// 6-bit floats; its values are not read.
  F6_E2M3("F6_E2M3", 6, false),
  /// 6-bit floats; its values are not read.
  F6_E3M2("F6_E3M2", 6, false),
  /// A dtype that is not known here: neither its size nor its values.
  OTHER("?", 0, false);

  private static final Map<String, Dtype> BY_LABEL =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(Dtype::label, d -> d));
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String label;
  private final int bits;
  private final boolean readable;

  Dtype(String label, int bits, boolean readable) {
    this.label = label;
    this.bits = bits;
    this.readable = readable;
  }

  static Dtype of(String label) {
    return BY_LABEL.getOrDefault(label, OTHER);
  }

  /// Returns the name that files use, such as `BF16` or `F8_E4M3`.
  public String label() {
    return label;
  }

  /// Returns the bits of one element, 0 for [#OTHER].
  public int bits() {
    return bits;
  }

  /// Returns whether values of this dtype can be read as floats.
  public boolean isReadable() {
    return readable;
  }

  /// Returns whether this is an 8-bit float that needs a scale beside it.
  public boolean isFloat8() {
    return this == F8_E4M3 || this == F8_E5M2;
  }

  /// Decodes elements.
  ///
  /// @param data the bytes of the whole parameter
  /// @param from the first element
  /// @param count how many
  /// @param into receives them, from index `at` on
  void decode(MemorySegment data, long from, int count, float[] into, int at) {
    switch (this) {
      case F64 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = (float) Double.longBitsToDouble(data.get(LONG, (from + i) * 8));
        }
      }
      case F32 ->
          MemorySegment.copy(
              data,
              ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
              from * 4,
              into,
              at,
              count);
      case F16 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = Float.float16ToFloat(data.get(SHORT, (from + i) * 2));
        }
      }
      case BF16 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = Float.intBitsToFloat(data.get(SHORT, (from + i) * 2) << 16);
        }
      }
      case F8_E4M3, F8_E5M2, F8_E8M0 -> {
        float[] values = Float8.table(this);
        for (int i = 0; i < count; i++) {
          into[at + i] = values[data.get(ValueLayout.JAVA_BYTE, from + i) & 0xff];
        }
      }
      case I64 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = data.get(LONG, (from + i) * 8);
        }
      }
      case I32 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = data.get(INT, (from + i) * 4);
        }
      }
      case I16 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = data.get(SHORT, (from + i) * 2);
        }
      }
      case I8 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = data.get(ValueLayout.JAVA_BYTE, from + i);
        }
      }
      case U8, BOOL -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = data.get(ValueLayout.JAVA_BYTE, from + i) & 0xff;
        }
      }
      default -> throw new IllegalStateException(label + " has no values that are floats");
    }
  }

  @Override
  public String toString() {
    return label;
  }
}
