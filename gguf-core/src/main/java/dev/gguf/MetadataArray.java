package dev.gguf;

import dev.gguf.internal.Utf8;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// The value of an array key. Element type and count are known at once; the elements are read when
/// the first one is asked for and kept from then on.
///
/// Safe to share between threads. After the model is closed, elements that were not read before can
/// no longer be read.
public final class MetadataArray {
  private final String key;
  private final ValueType elementType;
  private final long count;
  private final long byteSize;
  private final ByteOrder order;
  private final int lengthBytes;
  private final Source source;
  private volatile @Nullable Elements elements;

  /// Where the bytes of the elements come from.
  @FunctionalInterface
  interface Source {
    /// Returns all bytes.
    byte[] all();

    /// Reads `count` bytes from the byte `at` of the elements on.
    default void read(long at, byte[] into, int from, int count) {
      System.arraycopy(all(), (int) at, into, from, count);
    }
  }

  /// The bytes of the elements, and for elements of varying size where each one starts.
  private static final class Elements {
    final byte[] bytes;
    final ByteBuffer numbers;
    final int[] starts;

    Elements(byte[] bytes, ByteBuffer numbers, int[] starts) {
      this.bytes = bytes;
      this.numbers = numbers;
      this.starts = starts;
    }
  }

  MetadataArray(
      String key,
      ValueType elementType,
      long count,
      long byteSize,
      ByteOrder order,
      int lengthBytes,
      Source source) {
    this.key = key;
    this.elementType = elementType;
    this.count = count;
    this.byteSize = byteSize;
    this.order = order;
    this.lengthBytes = lengthBytes;
    this.source = source;
  }

  /// Returns the type of the elements; [ValueType#ARRAY] for an array of arrays.
  public ValueType elementType() {
    return elementType;
  }

  /// Returns the number of elements.
  public long count() {
    return count;
  }

  /// Returns the bytes that the elements take in the file, without the array's own type and count.
  public long byteSize() {
    return byteSize;
  }

  /// Returns the element as an integer; unsigned types up to 32 bits widen, a bool is 0 or 1, and
  /// `uint64` keeps its bits.
  ///
  /// @throws MetadataException if the elements are no integers or bools
  /// @throws IndexOutOfBoundsException if there is no such element
  public long integerAt(long index) {
    if (!elementType.isInteger() && elementType != ValueType.BOOL) {
      throw new MetadataException(
          "the elements of " + key + " are " + elementType.label() + ", not integers");
    }
    int at = Math.toIntExact(index(index) * elementType.bytes());
    ByteBuffer numbers = elements().numbers;
    return switch (elementType) {
      case UINT8 -> numbers.get(at) & 0xffL;
      case INT8 -> numbers.get(at);
      case BOOL -> numbers.get(at) != 0 ? 1 : 0;
      case UINT16 -> numbers.getShort(at) & 0xffffL;
      case INT16 -> numbers.getShort(at);
      case UINT32 -> numbers.getInt(at) & 0xffff_ffffL;
      case INT32 -> numbers.getInt(at);
      default -> numbers.getLong(at);
    };
  }

  /// Returns the element as a double; integers are converted.
  ///
  /// @throws MetadataException if the elements are no numbers
  /// @throws IndexOutOfBoundsException if there is no such element
  public double numberAt(long index) {
    return switch (elementType) {
      case FLOAT32 -> elements().numbers.getFloat(Math.toIntExact(index(index) * 4));
      case FLOAT64 -> elements().numbers.getDouble(Math.toIntExact(index(index) * 8));
      case UINT64 -> unsigned(integerAt(index));
      default -> integerAt(index);
    };
  }

  /// Returns the element as a string; bytes that are not UTF-8 become U+FFFD.
  ///
  /// @throws MetadataException if the elements are no strings
  /// @throws IndexOutOfBoundsException if there is no such element
  public String stringAt(long index) {
    requireStrings();
    int i = Math.toIntExact(index(index));
    Elements all = elements();
    int from = all.starts[i] + lengthBytes;
    return new String(all.bytes, from, all.starts[i + 1] - from, StandardCharsets.UTF_8);
  }

  /// Returns a copy of the bytes of a string element.
  ///
  /// @throws MetadataException if the elements are no strings
  /// @throws IndexOutOfBoundsException if there is no such element
  public byte[] bytesAt(long index) {
    requireStrings();
    int i = Math.toIntExact(index(index));
    Elements all = elements();
    return Arrays.copyOfRange(all.bytes, all.starts[i] + lengthBytes, all.starts[i + 1]);
  }

  /// Receives the bytes of string elements without a copy of them.
  @FunctionalInterface
  public interface StringVisitor {
    /// Takes the element at `index`: `length` bytes of `bytes` from `offset`. The array must not be
    /// changed or kept.
    void accept(int index, byte[] bytes, int offset, int length);
  }

  /// Passes the bytes of every string element to the visitor, in order. Elements that nobody asked
  /// for before are read through a small window and not kept.
  ///
  /// @throws MetadataException if the elements are no strings
  public void forEachString(StringVisitor visitor) {
    requireStrings();
    Elements all = elements;
    if (all == null) {
      new StringWindow(source, byteSize, lengthBytes, order).visit(key, count, visitor);
      return;
    }
    for (int i = 0; i < count; i++) {
      int from = all.starts[i] + lengthBytes;
      visitor.accept(i, all.bytes, from, all.starts[i + 1] - from);
    }
  }

  /// Returns the element of an array of arrays.
  ///
  /// @throws MetadataException if the elements are no arrays
  /// @throws IndexOutOfBoundsException if there is no such element
  public MetadataArray arrayAt(long index) {
    if (elementType != ValueType.ARRAY) {
      throw new MetadataException(
          "the elements of " + key + " are " + elementType.label() + ", not arrays");
    }
    int i = Math.toIntExact(index(index));
    Elements all = elements();
    int from = all.starts[i];
    int to = all.starts[i + 1];
    ValueType inner = ValueType.of(all.numbers.getInt(from)).orElseThrow();
    long innerCount =
        lengthBytes == 8
            ? all.numbers.getLong(from + 4)
            : all.numbers.getInt(from + 4) & 0xffff_ffffL;
    int start = from + 4 + lengthBytes;
    return new MetadataArray(
        key + "[" + index + "]",
        inner,
        innerCount,
        to - start,
        order,
        lengthBytes,
        () -> Arrays.copyOfRange(all.bytes, start, to));
  }

  /// Returns a view of string elements as a list, decoded as they are asked for.
  ///
  /// @throws MetadataException if the elements are no strings
  public List<String> strings() {
    requireStrings();
    return new Strings();
  }

  private final class Strings extends AbstractList<String> implements RandomAccess {
    @Override
    public String get(int index) {
      return stringAt(index);
    }

    @Override
    public int size() {
      return Math.toIntExact(count);
    }
  }

  /// Returns a copy of integer elements, as [#integerAt(long)] gives them.
  ///
  /// @throws MetadataException if the elements are no integers or bools
  public long[] integers() {
    long[] values = new long[elements().bytes.length / Math.max(1, elementType.bytes())];
    for (int i = 0; i < values.length; i++) {
      values[i] = integerAt(i);
    }
    return values;
  }

  /// Returns the bytes of a string element in base64 where they are not UTF-8, else null.
  ///
  /// @throws MetadataException if the elements are no strings
  /// @throws IndexOutOfBoundsException if there is no such element
  public @Nullable String base64At(long index) {
    byte[] bytes = bytesAt(index);
    return Utf8.isValid(bytes, 0, bytes.length) ? null : Base64.getEncoder().encodeToString(bytes);
  }

  /// Returns the bytes of the elements as a file of the given byte order and version would hold
  /// them.
  ///
  /// @param target the byte order of the numbers
  /// @param lengthWidth bytes of a length or count: 8, or 4 in files of version 1
  /// @throws MetadataException if the elements are too many to be looked at
  public byte[] encoded(ByteOrder target, int lengthWidth) {
    boolean bytewise = elementType.bytes() == 1 || target == order;
    if (bytewise && (lengthWidth == lengthBytes || elementType.bytes() > 0)) {
      // Not by way of the index, which would stay in memory: a file is copied without looking.
      Elements known = elements;
      return known != null ? known.bytes.clone() : requireSmall().all().clone();
    }
    return NestedArrays.recode(
        elements().numbers, elementType, count, lengthBytes, target, lengthWidth);
  }

  static double unsigned(long bits) {
    return bits >= 0 ? bits : (double) (bits >>> 1 | bits & 1) * 2.0;
  }

  private long index(long index) {
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException(
          "element " + index + " of " + key + ", which has " + count);
    }
    return index;
  }

  private void requireStrings() {
    if (elementType != ValueType.STRING) {
      throw new MetadataException(
          "the elements of " + key + " are " + elementType.label() + ", not strings");
    }
  }

  private Elements elements() {
    Elements known = elements;
    if (known == null) {
      synchronized (this) {
        known = elements;
        if (known == null) {
          known = load();
          elements = known;
        }
      }
    }
    return known;
  }

  private Source requireSmall() {
    if (byteSize > Integer.MAX_VALUE - 16) {
      throw new MetadataException(
          "the elements of "
              + key
              + " take "
              + byteSize
              + " bytes, more than can be looked into at once");
    }
    return source;
  }

  private Elements load() {
    byte[] bytes = requireSmall().all();
    ByteBuffer numbers = ByteBuffer.wrap(bytes).order(order);
    int[] starts =
        switch (elementType) {
          case STRING -> stringStarts(numbers);
          case ARRAY -> NestedArrays.starts(numbers, Math.toIntExact(count), lengthBytes);
          default -> new int[0];
        };
    return new Elements(bytes, numbers, starts);
  }

  private int[] stringStarts(ByteBuffer numbers) {
    int n = Math.toIntExact(count);
    int[] starts = new int[n + 1];
    int at = 0;
    for (int i = 0; i < n; i++) {
      starts[i] = at;
      long length = lengthBytes == 8 ? numbers.getLong(at) : numbers.getInt(at) & 0xffff_ffffL;
      if (length < 0 || length > numbers.capacity() - lengthBytes - at) {
        throw StringWindow.changed(key, i);
      }
      at += lengthBytes + (int) length;
    }
    starts[n] = at;
    return starts;
  }
}
