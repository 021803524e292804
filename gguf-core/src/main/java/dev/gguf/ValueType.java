package dev.gguf;

import java.util.Locale;
import java.util.Optional;

/// The types that a metadata value or the elements of an array can have, in the order of their
/// numbers in the file.
public enum ValueType {
  /// Unsigned, 1 byte.
  UINT8(0, 1),
  /// Two's complement, 1 byte.
  INT8(1, 1),
  /// Unsigned, 2 bytes.
  UINT16(2, 2),
  /// Two's complement, 2 bytes.
  INT16(3, 2),
  /// Unsigned, 4 bytes.
  UINT32(4, 4),
  /// Two's complement, 4 bytes.
  INT32(5, 4),
  /// IEEE 754 single precision, 4 bytes.
  FLOAT32(6, 4),
  /// One byte; 0 is false, 1 is true, and readers take any other value as true.
  BOOL(7, 1),
  /// A length and that many bytes, meant to be UTF-8.
  STRING(8, 0),
  /// An element type, a count and the elements.
  ARRAY(9, 0),
  /// Unsigned, 8 bytes.
  UINT64(10, 8),
  /// Two's complement, 8 bytes.
  INT64(11, 8),
  /// IEEE 754 double precision, 8 bytes.
  FLOAT64(12, 8);

  private static final ValueType[] BY_ID = values();

  private final int id;
  private final int bytes;
  private final String label = name().toLowerCase(Locale.ROOT);

  ValueType(int id, int bytes) {
    this.id = id;
    this.bytes = bytes;
  }

  /// Returns the type with this number in the file, or empty for a number that the format does not
  /// define.
  public static Optional<ValueType> of(int id) {
    return id >= 0 && id < BY_ID.length ? Optional.of(BY_ID[id]) : Optional.empty();
  }

  /// Returns the number in the file.
  public int id() {
    return id;
  }

  /// Returns the bytes of one value, or 0 for strings and arrays, whose size varies.
  public int bytes() {
    return bytes;
  }

  /// Returns whether this is one of the eight integer types.
  public boolean isInteger() {
    return switch (this) {
      case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 -> true;
      case FLOAT32, FLOAT64, BOOL, STRING, ARRAY -> false;
    };
  }

  /// Returns whether this is one of the two floating-point types.
  public boolean isFloat() {
    return this == FLOAT32 || this == FLOAT64;
  }

  /// Returns the lower-case name used in every output, such as `uint32`.
  public String label() {
    return label;
  }
}
