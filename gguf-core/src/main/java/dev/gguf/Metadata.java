package dev.gguf;

import dev.gguf.internal.Utf8;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The key and value pairs of a file, in file order.
///
/// Where a key stands twice, both entries are listed and the first one counts. The typed accessors
/// throw a [MetadataException] that names the key, the type asked for and the type found; the
/// `find…` accessors give an empty result for an absent key and throw only for a wrong type.
public final class Metadata implements Iterable<Metadata.Entry> {
  private static final long LONGEST_LOOKED_AT = 1 << 24;

  /// Metadata without any key.
  public static final Metadata EMPTY = new Metadata(List.of());

  private final List<Entry> entries;
  private final Map<String, Entry> byKey;

  Metadata(List<Entry> entries) {
    this.entries = List.copyOf(entries);
    this.byKey = HashMap.newHashMap(entries.size());
    for (Entry entry : entries) {
      byKey.putIfAbsent(entry.key(), entry);
    }
  }

  /// Returns a builder of metadata that come from no file.
  public static Builder builder() {
    return new Builder();
  }

  /// Returns a builder that starts with all entries of these metadata.
  public Builder toBuilder() {
    Builder builder = new Builder();
    entries.forEach(builder::append);
    return builder;
  }

  /// Returns all entries in file order, repeated keys included.
  public List<Entry> entries() {
    return entries;
  }

  @Override
  public Iterator<Entry> iterator() {
    return entries.iterator();
  }

  /// Returns the number of entries, repeated keys included.
  public int size() {
    return entries.size();
  }

  /// Returns the number of different keys.
  public int keyCount() {
    return byKey.size();
  }

  /// Returns whether the key is present.
  public boolean has(String key) {
    return byKey.containsKey(key);
  }

  /// Returns the first entry with this key.
  public Optional<Entry> find(String key) {
    return Optional.ofNullable(byKey.get(key));
  }

  /// Returns the entry with this key.
  ///
  /// @throws MetadataException if the key is absent
  public Entry get(String key) {
    Entry entry = byKey.get(key);
    if (entry == null) {
      throw new MetadataException("the key " + key + " is absent");
    }
    return entry;
  }

  /// Returns the value of a key of any integer type.
  ///
  /// @throws MetadataException if the key is absent, no integer, or above 2^63-1
  public long integer(String key) {
    return get(key).integer();
  }

  /// Returns the value of a key of any integer type, or `absent` where the key is absent.
  ///
  /// @throws MetadataException if the key is present and no integer, or above 2^63-1
  public long integer(String key, long absent) {
    Entry entry = byKey.get(key);
    return entry == null ? absent : entry.integer();
  }

  /// Returns the value of a key of any integer type, if the key is present.
  ///
  /// @throws MetadataException if the key is present and no integer, or above 2^63-1
  public OptionalLong findInteger(String key) {
    Entry entry = byKey.get(key);
    return entry == null ? OptionalLong.empty() : OptionalLong.of(entry.integer());
  }

  /// Returns the value of a key of any integer or floating-point type.
  ///
  /// @throws MetadataException if the key is absent or no number
  public double number(String key) {
    return get(key).number();
  }

  /// Returns the value of a key of any number type, or `absent` where the key is absent.
  ///
  /// @throws MetadataException if the key is present and no number
  public double number(String key, double absent) {
    Entry entry = byKey.get(key);
    return entry == null ? absent : entry.number();
  }

  /// Returns the value of a bool key.
  ///
  /// @throws MetadataException if the key is absent or no bool
  public boolean bool(String key) {
    return get(key).bool();
  }

  /// Returns the value of a bool key, or `absent` where the key is absent.
  ///
  /// @throws MetadataException if the key is present and no bool
  public boolean bool(String key, boolean absent) {
    Entry entry = byKey.get(key);
    return entry == null ? absent : entry.bool();
  }

  /// Returns the value of a string key; bytes that are not UTF-8 become U+FFFD.
  ///
  /// @throws MetadataException if the key is absent or no string
  public String string(String key) {
    return get(key).string();
  }

  /// Returns the value of a string key, if the key is present and a string of at most 16 MiB.
  public Optional<String> findString(String key) {
    Entry entry = byKey.get(key);
    return entry == null
            || entry.type() != ValueType.STRING
            || entry.stringLength() > LONGEST_LOOKED_AT
        ? Optional.empty()
        : Optional.of(entry.string());
  }

  /// Returns the elements of a string array as a list that decodes them as they are asked for.
  ///
  /// @throws MetadataException if the key is absent or no array of strings
  public List<String> strings(String key) {
    return get(key).array().strings();
  }

  /// Returns a per-layer value: of an array its elements as they are, of a single integer or bool
  /// that value `layers` times.
  ///
  /// @throws MetadataException if the key is absent, or neither an integer or bool nor an array of
  ///   them
  public long[] perLayer(String key, int layers) {
    Entry entry = get(key);
    if (entry.type() == ValueType.ARRAY) {
      return entry.array().integers();
    }
    long[] values = new long[layers];
    Arrays.fill(values, entry.type() == ValueType.BOOL ? (entry.bool() ? 1 : 0) : entry.integer());
    return values;
  }

  /// One key with its value.
  public static final class Entry {
    private final String key;
    private final byte @Nullable [] rawKey;
    private final ValueType type;
    private final long bits;
    private final @Nullable Object value;
    private final long offset;

    Entry(
        String key,
        byte @Nullable [] rawKey,
        ValueType type,
        long bits,
        @Nullable Object value,
        long offset) {
      this.key = key;
      this.rawKey = rawKey;
      this.type = type;
      this.bits = bits;
      this.value = value;
      this.offset = offset;
    }

    /// Returns the key; bytes that are not UTF-8 are U+FFFD here.
    public String key() {
      return key;
    }

    /// Returns the bytes of the key.
    public byte[] keyBytes() {
      return rawKey != null ? rawKey.clone() : key.getBytes(StandardCharsets.UTF_8);
    }

    /// Returns whether the bytes of the key are UTF-8, so that [#key()] is all of it.
    public boolean isKeyUtf8() {
      return rawKey == null;
    }

    /// Returns the type of the value.
    public ValueType type() {
      return type;
    }

    /// Returns the absolute byte offset of the pair in its file, or -1 if it comes from no file.
    public long offset() {
      return offset;
    }

    /// Returns the value of any integer type.
    ///
    /// @throws MetadataException if the value is no integer, or a `uint64` above 2^63-1
    public long integer() {
      if (!type.isInteger()) {
        throw wrong("an integer");
      }
      if (type == ValueType.UINT64 && bits < 0) {
        throw new MetadataException(key + " is " + Long.toUnsignedString(bits) + ", above 2^63-1");
      }
      return bits;
    }

    /// Returns the value of any integer type or bool as 64 bits: signed types sign-extended,
    /// unsigned ones zero-extended.
    ///
    /// @throws MetadataException if the value is no integer and no bool
    public long bits() {
      if (!type.isInteger() && type != ValueType.BOOL) {
        throw wrong("an integer");
      }
      return bits;
    }

    /// Returns the value of any integer or floating-point type.
    ///
    /// @throws MetadataException if the value is no number
    public double number() {
      return switch (type) {
        case FLOAT32 -> Float.intBitsToFloat((int) bits);
        case FLOAT64 -> Double.longBitsToDouble(bits);
        case UINT64 -> MetadataArray.unsigned(bits);
        case BOOL, STRING, ARRAY -> throw wrong("a number");
        default -> bits;
      };
    }

    /// Returns the bits of a floating-point value as the file holds them: for `float32` the lower
    /// 32.
    ///
    /// @throws MetadataException if the value is no floating-point number
    public long floatBits() {
      if (!type.isFloat()) {
        throw wrong("a floating-point number");
      }
      return type == ValueType.FLOAT32 ? bits & 0xffff_ffffL : bits;
    }

    /// Returns the value of a bool, true for any byte but 0.
    ///
    /// @throws MetadataException if the value is no bool
    public boolean bool() {
      if (type != ValueType.BOOL) {
        throw wrong("a bool");
      }
      return bits != 0;
    }

    /// Returns the value of a string; bytes that are not UTF-8 become U+FFFD.
    ///
    /// @throws MetadataException if the value is no string
    public String string() {
      return new String(raw(), StandardCharsets.UTF_8);
    }

    /// Returns a copy of the bytes of a string.
    ///
    /// @throws MetadataException if the value is no string
    public byte[] bytes() {
      return raw().clone();
    }

    /// Returns the bytes of a string in base64 where they are not UTF-8, else null.
    ///
    /// @throws MetadataException if the value is no string
    public @Nullable String base64() {
      byte[] raw = raw();
      return Utf8.isValid(raw, 0, raw.length) ? null : Base64.getEncoder().encodeToString(raw);
    }

    private byte[] raw() {
      if (value instanceof byte[] bytes) {
        return bytes;
      }
      if (value instanceof LazyBytes lazy) {
        return lazy.get();
      }
      throw wrong("a string");
    }

    /// Returns the bytes of a string, without reading it.
    ///
    /// @throws MetadataException if the value is no string
    public long stringLength() {
      return value instanceof LazyBytes lazy ? lazy.length() : raw().length;
    }

    /// Returns the value of an array.
    ///
    /// @throws MetadataException if the value is no array
    public MetadataArray array() {
      if (value instanceof MetadataArray array) {
        return array;
      }
      throw wrong("an array");
    }

    /// Returns the type as people write it, such as `uint32` or `array of string`.
    public String typeLabel() {
      return value instanceof MetadataArray array
          ? "array of " + array.elementType().label()
          : type.label();
    }

    private MetadataException wrong(String asked) {
      return new MetadataException(key + " is of type " + typeLabel() + ", not " + asked);
    }

    @Override
    public String toString() {
      return key + " (" + typeLabel() + ")";
    }
  }

  /// The bytes of a string that is too long to be read before someone asks.
  ///
  /// @param length in bytes
  /// @param source reads them
  record LazyBytes(long length, java.util.function.Supplier<byte[]> source) {
    byte[] get() {
      if (length > Integer.MAX_VALUE - 16) {
        throw new MetadataException("a string of " + length + " bytes is too long to be looked at");
      }
      return source.get();
    }
  }

  /// Collects entries in order. Setting a key again replaces its value and keeps its place.
  public static final class Builder {
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();

    private Builder() {}

    /// Sets a `uint8`.
    public Builder uint8(String key, int value) {
      return integer(key, ValueType.UINT8, value & 0xffL);
    }

    /// Sets a `uint16`.
    public Builder uint16(String key, int value) {
      return integer(key, ValueType.UINT16, value & 0xffffL);
    }

    /// Sets a `uint32`.
    public Builder uint32(String key, long value) {
      return integer(key, ValueType.UINT32, value & 0xffff_ffffL);
    }

    /// Sets an `int32`.
    public Builder int32(String key, int value) {
      return integer(key, ValueType.INT32, value);
    }

    /// Sets a `uint64`.
    ///
    /// @param value as unsigned 64 bits
    public Builder uint64(String key, long value) {
      return integer(key, ValueType.UINT64, value);
    }

    /// Sets an `int64`.
    public Builder int64(String key, long value) {
      return integer(key, ValueType.INT64, value);
    }

    /// Sets a value of any integer type, or of bool.
    ///
    /// @param bits the value, sign-extended for signed types and zero-extended for unsigned ones
    /// @throws IllegalArgumentException if the type is no integer and no bool
    public Builder integer(String key, ValueType type, long bits) {
      if (!type.isInteger() && type != ValueType.BOOL) {
        throw new IllegalArgumentException(type.label() + " is no integer type");
      }
      return put(new Entry(key, null, type, bits, null, -1));
    }

    /// Sets a `float32`.
    public Builder float32(String key, float value) {
      return put(new Entry(key, null, ValueType.FLOAT32, Float.floatToRawIntBits(value), null, -1));
    }

    /// Sets a `float64`.
    public Builder float64(String key, double value) {
      return put(
          new Entry(key, null, ValueType.FLOAT64, Double.doubleToRawLongBits(value), null, -1));
    }

    /// Sets a bool.
    public Builder bool(String key, boolean value) {
      return put(new Entry(key, null, ValueType.BOOL, value ? 1 : 0, null, -1));
    }

    /// Sets a string.
    public Builder string(String key, String value) {
      return bytes(key, value.getBytes(StandardCharsets.UTF_8));
    }

    /// Sets a string of any bytes.
    public Builder bytes(String key, byte[] value) {
      return put(new Entry(key, null, ValueType.STRING, 0, value.clone(), -1));
    }

    /// Sets an array of strings.
    public Builder strings(String key, Collection<String> values) {
      return byteStrings(
          key, values.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList());
    }

    /// Sets an array of strings of any bytes.
    public Builder byteStrings(String key, Collection<byte[]> values) {
      int size = 0;
      for (byte[] value : values) {
        size = Math.addExact(size, 8 + value.length);
      }
      ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
      for (byte[] value : values) {
        bytes.putLong(value.length).put(value);
      }
      return array(key, ValueType.STRING, values.size(), bytes.array());
    }

    /// Sets an array of an integer type or of bool.
    ///
    /// @throws IllegalArgumentException if the type is no integer and no bool
    public Builder integers(String key, ValueType elementType, long... values) {
      if (!elementType.isInteger() && elementType != ValueType.BOOL) {
        throw new IllegalArgumentException(elementType.label() + " is no integer type");
      }
      ByteBuffer bytes =
          ByteBuffer.allocate(Math.multiplyExact(values.length, elementType.bytes()))
              .order(ByteOrder.LITTLE_ENDIAN);
      for (long value : values) {
        switch (elementType.bytes()) {
          case 1 -> bytes.put((byte) value);
          case 2 -> bytes.putShort((short) value);
          case 4 -> bytes.putInt((int) value);
          default -> bytes.putLong(value);
        }
      }
      return array(key, elementType, values.length, bytes.array());
    }

    /// Sets an array of `float32`.
    public Builder floats(String key, float... values) {
      ByteBuffer bytes =
          ByteBuffer.allocate(Math.multiplyExact(values.length, 4)).order(ByteOrder.LITTLE_ENDIAN);
      for (float value : values) {
        bytes.putFloat(value);
      }
      return array(key, ValueType.FLOAT32, values.length, bytes.array());
    }

    /// Sets an array from the bytes of its elements as a little-endian file of version 2 or 3 holds
    /// them.
    ///
    /// @param elementType type of the elements, arrays included
    /// @param count number of elements
    /// @param elements their bytes, which are not checked against the count
    public Builder array(String key, ValueType elementType, long count, byte[] elements) {
      byte[] copy = elements.clone();
      MetadataArray array =
          new MetadataArray(
              key, elementType, count, copy.length, ByteOrder.LITTLE_ENDIAN, 8, () -> copy);
      return put(new Entry(key, null, ValueType.ARRAY, 0, array, -1));
    }

    /// Sets the value of an entry of other metadata under its own key.
    public Builder entry(Entry entry) {
      return put(entry);
    }

    /// Appends an entry even where its key is set already.
    public Builder append(Entry entry) {
      places.putIfAbsent(entry.key, entries.size());
      entries.add(entry);
      return this;
    }

    /// Removes a key, if it is there.
    public Builder remove(String key) {
      if (places.containsKey(key)) {
        List<Entry> kept = entries.stream().filter(entry -> !entry.key.equals(key)).toList();
        entries.clear();
        places.clear();
        kept.forEach(this::append);
      }
      return this;
    }

    /// Gives the first entry with a key another key, in its place, if it is there.
    public Builder rename(String key, String other) {
      Integer place = places.get(key);
      if (place != null) {
        Entry old = entries.get(place);
        List<Entry> all = new ArrayList<>(entries);
        all.set(place, new Entry(other, null, old.type, old.bits, old.value, old.offset));
        entries.clear();
        places.clear();
        all.forEach(this::append);
      }
      return this;
    }

    private Builder put(Entry entry) {
      Integer place = places.get(entry.key);
      if (place == null) {
        return append(entry);
      }
      entries.set(place, entry);
      return this;
    }

    /// Returns the metadata.
    public Metadata build() {
      return new Metadata(entries);
    }
  }
}
