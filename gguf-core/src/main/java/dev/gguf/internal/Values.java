package dev.gguf.internal;

import dev.gguf.Metadata;
import dev.gguf.MetadataArray;
import dev.gguf.ValueType;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Compares metadata values by type and bytes.
public final class Values {
  private Values() {}

  /// Returns whether two values have the same type and content, whatever their keys are and in
  /// whichever byte order and version their files are written.
  public static boolean equal(Metadata.Entry a, Metadata.Entry b) {
    if (a.type() != b.type()) {
      return false;
    }
    return switch (a.type()) {
      case STRING -> a.stringLength() == b.stringLength() && Arrays.equals(a.bytes(), b.bytes());
      case ARRAY -> equal(a.array(), b.array());
      case FLOAT32, FLOAT64 -> a.floatBits() == b.floatBits();
      default -> a.bits() == b.bits();
    };
  }

  private static boolean equal(MetadataArray a, MetadataArray b) {
    return a.elementType() == b.elementType()
        && a.count() == b.count()
        && (a.elementType() == ValueType.STRING
            || a.elementType() == ValueType.ARRAY
            || a.byteSize() == b.byteSize())
        && Arrays.equals(
            a.encoded(ByteOrder.LITTLE_ENDIAN, 8), b.encoded(ByteOrder.LITTLE_ENDIAN, 8));
  }
}
