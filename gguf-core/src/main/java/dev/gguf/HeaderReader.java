package dev.gguf;

import dev.gguf.internal.ByteSource;
import dev.gguf.internal.HeaderInput;
import dev.gguf.internal.Utf8;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the header of one file in a single forward walk. Every declared length and count is held
/// against the bytes that are left before anything is made from it.
///
/// What breaks a rule that stops the opening is thrown; what had been read by then is in the file
/// all the same.
final class HeaderReader {
  private static final int MAX_DIMENSIONS = 4;
  private static final int EAGER_STRING = 4096;
  private static final int MOST_SHOWN = 4096;

  private final Path path;
  private final GgufFile file;
  private final ByteSource source;
  private final HeaderInput in;
  private final List<Metadata.Entry> entries = new ArrayList<>();
  private final List<Tensor> tensors = new ArrayList<>();
  private byte[] scratch = new byte[256];

  private HeaderReader(GgufFile file, ByteSource source) {
    this.path = file.path();
    this.file = file;
    this.source = source;
    this.in = new HeaderInput(source);
  }

  /// Fills the file with what its header says.
  ///
  /// @throws GgufFormatException if a rule is broken that stops the opening
  static void read(GgufFile file, ByteSource source) throws IOException {
    HeaderReader reader = new HeaderReader(file, source);
    try {
      reader.header();
      reader.table();
    } catch (HeaderInput.EndOfHeaderException e) {
      throw reader.stop(
          FileRule.HEADER_CUT,
          source.size(),
          reader.where() + ": the file ends after " + source.size() + " bytes, inside its header");
    } finally {
      if (file.metadata == Metadata.EMPTY) {
        file.metadata = new Metadata(reader.entries);
      }
      file.tensors = List.copyOf(reader.tensors);
    }
  }

  private void header() throws IOException {
    byte[] start = in.bytes((int) Math.min(4, source.size()));
    if (!Arrays.equals(start, "GGUF".getBytes(StandardCharsets.US_ASCII))) {
      throw new GgufFormatException(NotGguf.finding(path, source));
    }
    if (in.remaining() < 4) {
      throw stop(
          FileRule.FILE_TOO_SHORT,
          0,
          "the file has " + source.size() + " bytes, a header has at least 24");
    }
    int version = in.int32();
    int swapped = Integer.reverseBytes(version);
    if (swapped >= 1 && swapped <= 3) {
      in.order(ByteOrder.BIG_ENDIAN);
      file.byteOrder = ByteOrder.BIG_ENDIAN;
      version = swapped;
    }
    if (version < 1 || version > 3) {
      throw stop(
          FileRule.VERSION_UNSUPPORTED,
          4,
          "the format version is " + Integer.toUnsignedString(version) + ", known are 1, 2 and 3");
    }
    file.version = version;
    in.lengthBytes(version == 1 ? 4 : 8);
    int headerBytes = version == 1 ? 16 : 24;
    if (source.size() < headerBytes) {
      throw stop(
          FileRule.FILE_TOO_SHORT,
          0,
          "the file has "
              + source.size()
              + " bytes, a header of version "
              + version
              + " has "
              + headerBytes);
    }
    file.declaredTensors = in.length();
    file.declaredKeys = in.length();
    GgufFormatException refused =
        countExceeds(
            file.declaredKeys, version == 1 ? 9 : 13, "keys", headerBytes - in.lengthBytes());
    if (refused == null) {
      refused =
          countExceeds(
              file.declaredTensors,
              version == 1 ? 20 : 24,
              "tensors",
              headerBytes - 2L * in.lengthBytes());
    }
    if (refused != null) {
      keysToShow();
      throw refused;
    }
    for (long i = 0; i < file.declaredKeys; i++) {
      entries.add(entry());
    }
    file.metadataEnd = in.position();
    file.metadata = new Metadata(entries);
    file.alignment = alignment();
  }

  /// Reads the keys of a file whose counts cannot be right as far as they go, so that it can be
  /// said what the file was.
  private void keysToShow() {
    boolean all = file.declaredKeys >= 0 && file.declaredKeys <= MOST_SHOWN;
    long most = all ? file.declaredKeys : MOST_SHOWN;
    try {
      for (long i = 0; i < most; i++) {
        entries.add(entry());
      }
      file.metadataEnd = all ? in.position() : 0;
    } catch (IOException e) {
      // That a count is wrong is told already.
    }
  }

  private @Nullable GgufFormatException countExceeds(
      long count, int minimum, String what, long offset) {
    return count >= 0 && count <= in.remaining() / minimum
        ? null
        : stop(
            FileRule.COUNT_EXCEEDS_FILE,
            offset,
            "the header declares "
                + Long.toUnsignedString(count)
                + " "
                + what
                + " of at least "
                + minimum
                + " bytes each, but "
                + in.remaining()
                + " bytes are left in the file");
  }

  private Metadata.Entry entry() throws IOException {
    long offset = in.position();
    int keyLength = name(Text.KEY);
    String key = new String(scratch, 0, keyLength, StandardCharsets.UTF_8);
    byte @Nullable [] rawKey = unlessUtf8(keyLength);
    ValueType type = valueType(key, "the value of key ");
    return switch (type) {
      case STRING -> {
        long length = stringLength(Text.VALUE, key, 0);
        Object value;
        if (length <= EAGER_STRING) {
          value = in.bytes((int) length);
        } else {
          long position = in.position();
          in.skip(length);
          value = new Metadata.LazyBytes(length, () -> file.readAll(position, (int) length));
        }
        yield new Metadata.Entry(key, rawKey, type, 0, value, offset);
      }
      case ARRAY -> new Metadata.Entry(key, rawKey, type, 0, array(key), offset);
      default -> new Metadata.Entry(key, rawKey, type, scalar(type), null, offset);
    };
  }

  private ValueType valueType(String key, String what) throws IOException {
    long offset = in.position();
    int id = in.int32();
    return ValueType.of(id)
        .orElseThrow(() ->
            stop(
                FileRule.VALUE_TYPE_UNKNOWN,
                offset,
                what
                    + quoted(key)
                    + " has the type "
                    + Integer.toUnsignedString(id)
                    + ", the format defines 0 to 12",
                Subject.key(key)));
  }

  private long scalar(ValueType type) throws IOException {
    return switch (type) {
      case UINT8, BOOL -> in.int8() & 0xffL;
      case INT8 -> in.int8();
      case UINT16 -> in.int16() & 0xffffL;
      case INT16 -> in.int16();
      case UINT32 -> in.int32() & 0xffff_ffffL;
      case INT32, FLOAT32 -> in.int32();
      default -> in.int64();
    };
  }

  private MetadataArray array(String key) throws IOException {
    ValueType type = valueType(key, "the elements of key ");
    long count = in.length();
    requireElements(key, type, count);
    long start = in.position();
    switch (type) {
      case STRING -> skipStrings(key, count);
      case ARRAY -> skipArrays(key, count);
      default -> in.skip(count * type.bytes());
    }
    long byteSize = in.position() - start;
    return new MetadataArray(
        key,
        type,
        count,
        byteSize,
        file.byteOrder,
        in.lengthBytes(),
        new FileBytes(file, start, byteSize));
  }

  /// The elements of an array where they lie in the file.
  private record FileBytes(GgufFile file, long start, long size) implements MetadataArray.Source {
    @Override
    public byte[] all() {
      return file.readAll(start, (int) size);
    }

    @Override
    public void read(long at, byte[] into, int from, int count) {
      file.readInto(start + at, into, from, count);
    }
  }

  private void requireElements(String key, ValueType type, long count) throws GgufFormatException {
    int minimum =
        switch (type) {
          case STRING -> in.lengthBytes();
          case ARRAY -> 4 + in.lengthBytes();
          default -> type.bytes();
        };
    if (count < 0 || count > in.remaining() / minimum) {
      throw stop(
          FileRule.ARRAY_EXCEEDS_FILE,
          in.position() - in.lengthBytes(),
          "key "
              + quoted(key)
              + " declares an array of "
              + Long.toUnsignedString(count)
              + " elements of type "
              + type.label()
              + ", at least "
              + minimum
              + " bytes each, but "
              + in.remaining()
              + " bytes are left in the file",
          Subject.key(key));
    }
  }

  private void skipStrings(String key, long count) throws IOException {
    long done = in.skipStrings(count);
    if (done < count) {
      stringLength(Text.ELEMENT, key, done);
    }
  }

  private void skipArrays(String key, long count) throws IOException {
    long[] left = new long[8];
    int depth = 0;
    left[0] = count;
    while (depth >= 0) {
      if (left[depth] == 0) {
        depth--;
        continue;
      }
      left[depth]--;
      ValueType type = valueType(key, "the elements of an inner array of key ");
      long inner = in.length();
      requireElements(key, type, inner);
      if (type == ValueType.ARRAY) {
        // An array whose last element is being entered needs no return to it.
        depth = left[depth] == 0 ? depth : depth + 1;
        if (depth == left.length) {
          left = Arrays.copyOf(left, 2 * depth);
        }
        left[depth] = inner;
      } else if (type == ValueType.STRING) {
        skipStrings(key, inner);
      } else {
        in.skip(inner * type.bytes());
      }
    }
  }

  /// What a string of the header is, for the message about one that does not fit.
  private enum Text {
    KEY,
    VALUE,
    ELEMENT,
    TENSOR
  }

  /// Reads a name into the scratch bytes and returns its length.
  private int name(Text text) throws IOException {
    long length = stringLength(text, "", 0);
    if (length > Integer.MAX_VALUE - 16) {
      throw stop(
          FileRule.STRING_EXCEEDS_FILE,
          in.position() - in.lengthBytes(),
          what(text, "", 0) + " has " + length + " bytes, more than any name can have");
    }
    if (length > scratch.length) {
      scratch = new byte[(int) length];
    }
    in.bytes(scratch, (int) length);
    return (int) length;
  }

  private byte @Nullable [] unlessUtf8(int length) {
    return Utf8.isValid(scratch, 0, length) ? null : Arrays.copyOf(scratch, length);
  }

  private long stringLength(Text text, String key, long index) throws IOException {
    long length = in.length();
    if (length < 0 || length > in.remaining()) {
      throw stop(
          FileRule.STRING_EXCEEDS_FILE,
          in.position() - in.lengthBytes(),
          what(text, key, index)
              + " is declared as a string of "
              + Long.toUnsignedString(length)
              + " bytes, but "
              + in.remaining()
              + " bytes are left in the file");
    }
    return length;
  }

  private String what(Text text, String key, long index) {
    return switch (text) {
      case KEY -> "the name of key " + entries.size();
      case VALUE -> "the value of key " + quoted(key);
      case ELEMENT -> "element " + index + " of key " + quoted(key);
      case TENSOR -> "the name of tensor " + tensors.size();
    };
  }

  private long alignment() throws GgufFormatException {
    Metadata.Entry entry = file.metadata.find("general.alignment").orElse(null);
    if (entry == null) {
      return 32;
    }
    if (!entry.type().isInteger()) {
      throw stop(
          FileRule.ALIGNMENT_TYPE,
          entry.offset(),
          "general.alignment is of type " + entry.typeLabel() + ", expected uint32",
          Subject.key(entry.key()));
    }
    long value = entry.bits();
    if (Long.bitCount(value) != 1 || value < 0) {
      String text =
          entry.type() == ValueType.UINT64 ? Long.toUnsignedString(value) : Long.toString(value);
      throw stop(
          FileRule.ALIGNMENT_VALUE,
          entry.offset(),
          "general.alignment is " + text + ", expected a power of two above 0",
          Subject.key(entry.key()));
    }
    return value;
  }

  private void table() throws IOException {
    for (long i = 0; i < file.declaredTensors; i++) {
      tensors.add(tensor());
    }
    file.headerEnd = in.position();
    long padding = tensors.isEmpty() ? 0 : -file.headerEnd & (file.alignment - 1);
    file.dataStart = file.headerEnd + padding;
    file.complete = true;
    if (file.dataStart < 0
        || file.dataStart > source.size() && file.metadata.has("general.alignment")) {
      throw stop(
          FileRule.ALIGNMENT_VALUE,
          file.metadata.get("general.alignment").offset(),
          "with general.alignment "
              + file.alignment
              + " the data would start at byte "
              + Long.toUnsignedString(file.dataStart)
              + ", but the file has "
              + source.size()
              + " bytes",
          Subject.key("general.alignment"));
    }
    spans();
  }

  private Tensor tensor() throws IOException {
    long offset = in.position();
    int nameLength = name(Text.TENSOR);
    String name = new String(scratch, 0, nameLength, StandardCharsets.UTF_8);
    byte @Nullable [] rawName = unlessUtf8(nameLength);
    long dimensionsOffset = in.position();
    int dimensions = in.int32();
    if (dimensions < 0 || dimensions > MAX_DIMENSIONS) {
      throw stop(
          FileRule.DIMS_COUNT,
          dimensionsOffset,
          "tensor "
              + quoted(name)
              + " has "
              + Integer.toUnsignedString(dimensions)
              + " dimensions, the format allows "
              + MAX_DIMENSIONS,
          Subject.tensor(name));
    }
    long[] ne = new long[dimensions];
    for (int i = 0; i < dimensions; i++) {
      ne[i] = in.length();
    }
    TensorType type = TensorType.of(in.int32());
    long dataOffset = in.int64();
    boolean sized;
    long elements;
    long bytes;
    try {
      for (long n : ne) {
        if (n < 0) {
          throw new ArithmeticException();
        }
      }
      elements = Tensor.product(ne);
      sized = Tensor.fits(type, ne);
      bytes = sized ? Tensor.byteSize(type, ne) : 0;
    } catch (ArithmeticException e) {
      throw stop(
          FileRule.DIMS_OVERFLOW,
          dimensionsOffset + 4,
          "tensor "
              + quoted(name)
              + " has the dimensions "
              + unsigned(ne)
              + " of type "
              + type
              + ": more than 2^63-1 elements or bytes",
          Subject.tensor(name));
    }
    return new Tensor(name, rawName, type, ne, elements, bytes, sized, file, offset, dataOffset);
  }

  /// Gives tensors whose size cannot be computed the bytes up to the next offset of the file, or up
  /// to its end.
  private void spans() {
    boolean exact = true;
    for (Tensor tensor : tensors) {
      exact &= tensor.hasExactSize();
    }
    if (exact) {
      return;
    }
    long end = source.size() - file.dataStart;
    long[] offsets = new long[tensors.size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = tensors.get(i).offset();
    }
    Arrays.sort(offsets);
    for (Tensor tensor : tensors) {
      if (!tensor.hasExactSize()) {
        int next = Arrays.binarySearch(offsets, tensor.offset() + 1);
        next = next < 0 ? -next - 1 : next;
        long to = next < offsets.length ? Math.min(offsets[next], end) : end;
        tensor.span(Math.max(0, tensor.offset() < 0 ? 0 : to - tensor.offset()));
      }
    }
  }

  private String where() {
    if (file.metadataEnd == 0) {
      return entries.isEmpty()
          ? "key 0 of " + file.declaredKeys
          : "key "
              + entries.size()
              + " of "
              + file.declaredKeys
              + ", after "
              + quoted(entries.getLast().key());
    }
    return tensors.isEmpty()
        ? "tensor 0 of " + file.declaredTensors
        : "tensor "
            + tensors.size()
            + " of "
            + file.declaredTensors
            + ", after "
            + quoted(tensors.getLast().name());
  }

  private static String quoted(String name) {
    return name.isEmpty() ? "\"\"" : name;
  }

  private static String unsigned(long[] ne) {
    StringBuilder text = new StringBuilder("[");
    for (long n : ne) {
      text.append(text.length() > 1 ? ", " : "").append(Long.toUnsignedString(n));
    }
    return text.append(']').toString();
  }

  private GgufFormatException stop(Rule rule, long offset, String message) {
    return new GgufFormatException(Finding.of(rule, message).at(path, offset));
  }

  private GgufFormatException stop(Rule rule, long offset, String message, Subject subject) {
    return new GgufFormatException(Finding.of(rule, message).about(subject).at(path, offset));
  }
}
