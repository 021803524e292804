package dev.gguf.write;

import dev.gguf.Metadata;
import dev.gguf.MetadataArray;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Lays out and writes a GGUF file of any version, byte order and alignment.
///
/// Tensors follow each other in the order in which they were added, each padded to the alignment,
/// unless an offset is given. Nothing is checked: dimensions, types, names and offsets may be such
/// that no reader takes the file. Numbers of the header are written in the file's byte order;
/// tensor data is written as it is.
///
/// ```java
/// GgufWriter.of(Metadata.builder().string("general.architecture", "llama").build())
///     .tensor("output_norm.weight", TensorType.F32, TensorData.floats(1, 1), 2)
///     .write(path);
/// ```
public final class GgufWriter {
  private static final long DEFAULT_ALIGNMENT = 32;

  private final Metadata metadata;
  private final List<Item> items = new ArrayList<>();
  private int version = 3;
  private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
  private long alignment;
  private boolean finalPadding = true;

  private static final class Item {
    final String name;
    final int typeId;
    final TensorData data;
    final OptionalLong offset;
    final long[] ne;

    Item(String name, int typeId, TensorData data, OptionalLong offset, long[] ne) {
      this.name = name;
      this.typeId = typeId;
      this.data = data;
      this.offset = offset;
      this.ne = ne;
    }
  }

  private GgufWriter(Metadata metadata) {
    this.metadata = metadata;
    this.alignment =
        metadata
            .find("general.alignment")
            .filter(entry -> entry.type().isInteger() && Long.bitCount(entry.bits()) == 1)
            .map(Metadata.Entry::bits)
            .orElse(DEFAULT_ALIGNMENT);
  }

  /// Returns a writer of a little-endian file of version 3 with these pairs, aligned as
  /// `general.alignment` says.
  public static GgufWriter of(Metadata metadata) {
    return new GgufWriter(metadata);
  }

  /// Sets the format version; in version 1 lengths, counts and dimensions have 4 bytes.
  public GgufWriter version(int number) {
    version = number;
    return this;
  }

  /// Sets the byte order of all numbers of the header.
  public GgufWriter byteOrder(ByteOrder byteOrder) {
    order = byteOrder;
    return this;
  }

  /// Sets the alignment of tensors, whatever the metadata say.
  ///
  /// @param bytes a power of two
  public GgufWriter alignment(long bytes) {
    alignment = bytes;
    return this;
  }

  /// Sets whether the last tensor is padded to the alignment as well; it is unless told.
  public GgufWriter finalPadding(boolean padded) {
    finalPadding = padded;
    return this;
  }

  /// Adds a tensor.
  ///
  /// @param ne dimensions in the format's order, fastest axis first
  public GgufWriter tensor(String name, TensorType type, TensorData data, long... ne) {
    return tensor(name, (int) type.id(), data, OptionalLong.empty(), ne);
  }

  /// Adds a tensor of zeros that takes no disk space where the file system has sparse files.
  ///
  /// @param ne dimensions in the format's order, fastest axis first
  /// @throws IllegalArgumentException if the size does not follow from type and dimensions
  public GgufWriter sparse(String name, TensorType type, long... ne) {
    return tensor(name, type, TensorData.hole(size(type, ne)), ne);
  }

  /// Adds a tensor with a type by number, and at a given offset.
  ///
  /// @param typeId the number of the type, taken as unsigned
  /// @param offset bytes from the start of the data section, or empty to follow the tensor before
  /// @param ne dimensions in the format's order, taken as unsigned
  public GgufWriter tensor(
      String name, int typeId, TensorData data, OptionalLong offset, long... ne) {
    items.add(new Item(name, typeId, data, offset, ne.clone()));
    return this;
  }

  private static long size(TensorType type, long[] ne) {
    long bytes = type.rowBytes(ne.length == 0 ? 1 : ne[0]);
    for (int i = 1; i < ne.length; i++) {
      bytes = Math.multiplyExact(bytes, ne[i]);
    }
    return bytes;
  }

  /// Writes the file, replacing what is there. Holes take no disk space where the file system has
  /// sparse files.
  ///
  /// @throws IOException if writing fails
  public void write(Path path) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      writeTo(channel);
    }
  }

  /// Writes the file into a channel from its start on.
  ///
  /// @throws IOException if writing fails
  public void writeTo(FileChannel channel) throws IOException {
    byte[] header = header();
    writeFully(channel, 0, ByteBuffer.wrap(header));
    long dataStart = dataStart(header.length);
    long end = dataStart;
    long[] offsets = offsets();
    for (int i = 0; i < items.size(); i++) {
      TensorData data = items.get(i).data;
      long from = dataStart + offsets[i];
      long to = from + data.size();
      if (from < 0 || to < from) {
        continue;
      }
      data.write(channel, from);
      end = Math.max(end, finalPadding || i < items.size() - 1 ? padded(to) : to);
    }
    if (channel.size() < end) {
      // One written byte lengthens the file; everything before it stays a hole.
      writeFully(channel, end - 1, ByteBuffer.allocate(1));
    }
  }

  /// Returns the header: everything before the padding in front of the data.
  public byte[] header() {
    Out out = new Out();
    out.bytes.writeBytes("GGUF".getBytes(StandardCharsets.US_ASCII));
    out.int32(version);
    out.length(items.size());
    out.length(metadata.size());
    for (Metadata.Entry entry : metadata) {
      out.string(entry.keyBytes());
      out.int32(entry.type().id());
      value(out, entry);
    }
    long[] offsets = offsets();
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      out.string(item.name.getBytes(StandardCharsets.UTF_8));
      out.int32(item.ne.length);
      for (long n : item.ne) {
        out.length(n);
      }
      out.int32(item.typeId);
      out.int64(offsets[i]);
    }
    return out.bytes.toByteArray();
  }

  private void value(Out out, Metadata.Entry entry) {
    switch (entry.type()) {
      case STRING -> out.string(entry.bytes());
      case ARRAY -> {
        MetadataArray array = entry.array();
        out.int32(array.elementType().id());
        out.length(array.count());
        out.bytes.writeBytes(array.encoded(order, version == 1 ? 4 : 8));
      }
      case FLOAT32 -> out.int32(Float.floatToRawIntBits((float) entry.number()));
      case FLOAT64 -> out.int64(Double.doubleToRawLongBits(entry.number()));
      default -> out.number(entry.bits(), entry.type());
    }
  }

  private long dataStart(long headerBytes) {
    return items.isEmpty() ? headerBytes : padded(headerBytes);
  }

  private long padded(long size) {
    return size + (-size & (alignment - 1));
  }

  /// Returns the offset of every tensor from the start of the data section.
  private long[] offsets() {
    long[] offsets = new long[items.size()];
    long next = 0;
    for (int i = 0; i < offsets.length; i++) {
      Item item = items.get(i);
      offsets[i] = item.offset.orElse(next);
      next = padded(offsets[i] + item.data.size());
    }
    return offsets;
  }

  private static void writeFully(FileChannel channel, long position, ByteBuffer bytes)
      throws IOException {
    long at = position;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
  }

  /// Numbers in the file's byte order.
  private final class Out {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
    private final ByteBuffer number = ByteBuffer.allocate(8).order(order);

    void number(long value, ValueType type) {
      switch (type.bytes()) {
        case 1 -> bytes.write((int) value);
        case 2 -> put(2, number.putShort(0, (short) value));
        case 4 -> int32((int) value);
        default -> int64(value);
      }
    }

    void int32(int value) {
      put(4, number.putInt(0, value));
    }

    void int64(long value) {
      put(8, number.putLong(0, value));
    }

    void length(long value) {
      if (version == 1) {
        int32((int) value);
      } else {
        int64(value);
      }
    }

    void string(byte[] text) {
      length(text.length);
      bytes.writeBytes(text);
    }

    private void put(int count, ByteBuffer from) {
      for (int i = 0; i < count; i++) {
        bytes.write(from.get(i));
      }
    }
  }
}
