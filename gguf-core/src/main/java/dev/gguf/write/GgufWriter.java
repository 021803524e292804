package dev.gguf.write;

import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.MetadataArray;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

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
///
/// The header is written last, so that a file whose writing was cut short is none. [FileOutput]
/// writes with more care: under another name until all is there, and never over a file.
public final class GgufWriter {
  private static final long DEFAULT_ALIGNMENT = 32;

  private final Metadata metadata;
  private final List<Item> items = new ArrayList<>();
  private final Set<GgufFile> sources = new LinkedHashSet<>();
  private int version = 3;
  private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
  private long alignment;
  private boolean finalPadding = true;

  private static final class Item {
    final byte[] name;
    final int typeId;
    final TensorData data;
    final OptionalLong offset;
    final long[] ne;

    Item(byte[] name, int typeId, TensorData data, OptionalLong offset, long[] ne) {
      this.name = name;
      this.typeId = typeId;
      this.data = data;
      this.offset = offset;
      this.ne = ne;
    }
  }

  /// Bytes of one file that lie in another file in the same order and distances.
  record Run(GgufFile file, long from, long to, long target) {}

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
    items.add(new Item(name.getBytes(StandardCharsets.UTF_8), typeId, data, offset, ne.clone()));
    return this;
  }

  /// Adds a tensor of another file as it is, with its bytes. The model must stay open until this
  /// file is written.
  ///
  /// @throws GgufException if the tensor lies outside its file
  public GgufWriter tensor(Tensor tensor) throws GgufException {
    return copy(tensor, TensorData.of(tensor), OptionalLong.empty());
  }

  GgufWriter copy(Tensor tensor, TensorData data, OptionalLong offset) {
    String exact = tensor.nameBase64();
    byte[] name =
        exact == null
            ? tensor.name().getBytes(StandardCharsets.UTF_8)
            : Base64.getDecoder().decode(exact);
    items.add(new Item(name, (int) tensor.type().id(), data, offset, tensor.ne()));
    return from(tensor.file());
  }

  /// Names a file that this one is made of.
  GgufWriter from(GgufFile file) {
    sources.add(file);
    return this;
  }

  /// Returns the files that this one is made of.
  Set<GgufFile> sources() {
    return sources;
  }

  private static long size(TensorType type, long[] ne) {
    long bytes = type.rowBytes(ne.length == 0 ? 1 : ne[0]);
    for (int i = 1; i < ne.length; i++) {
      bytes = Math.multiplyExact(bytes, ne[i]);
    }
    return bytes;
  }

  /// Returns the size of the file in bytes.
  public long size() {
    return size(headerBytes().size());
  }

  private long size(long headerSize) {
    long dataStart = dataStart(headerSize);
    long end = dataStart;
    long[] offsets = offsets();
    for (int i = 0; i < offsets.length; i++) {
      long to = dataStart + offsets[i] + items.get(i).data.size();
      end = Math.max(end, finalPadding || i < offsets.length - 1 ? padded(to) : to);
    }
    return end;
  }

  /// Returns the bytes that the file will take on a file system with sparse files: its header, and
  /// of its tensors those bytes that are no holes.
  ///
  /// @throws IOException if a file that tensors are copied from cannot be asked
  public long diskBytes() throws IOException {
    long bytes = headerBytes().size();
    try (RangeCopier copier = new RangeCopier(n -> {})) {
      for (Run run : runs(0)) {
        bytes += copier.dataBytes(run.file, run.from, run.to);
      }
    }
    for (Item item : items) {
      bytes += item.data.isHole() || item.data instanceof TensorCopy ? 0 : item.data.size();
    }
    return bytes;
  }

  /// Writes the file, replacing what is there. Holes take no disk space where the file system has
  /// sparse files.
  ///
  /// @throws IOException if writing fails
  public void write(Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(0);
      write(file, Progress.NONE);
    }
  }

  /// Writes the file into an empty one.
  void write(RandomAccessFile file, Progress progress) throws IOException {
    HeaderBytes header = headerBytes();
    // To its full length first, by which a file system without space often says so at once.
    file.setLength(size(header.size()));
    write(file.getChannel(), header, progress);
  }

  /// Writes the file into a channel from its start on.
  ///
  /// @throws IOException if writing fails
  public void writeTo(FileChannel channel) throws IOException {
    HeaderBytes header = headerBytes();
    write(channel, header, Progress.NONE);
    long end = size(header.size());
    if (channel.size() < end) {
      // One written byte lengthens the file; everything before it stays a hole.
      channel.write(ByteBuffer.allocate(1), end - 1);
    }
  }

  private void write(FileChannel channel, HeaderBytes header, Progress progress)
      throws IOException {
    long dataStart = dataStart(header.size());
    Meter meter = new Meter(progress, Progress.Step.COPY, size(header.size()));
    try (RangeCopier copier = new RangeCopier(meter::add)) {
      for (Run run : runs(dataStart)) {
        copier.copy(run.file, run.from, run.to, channel, run.target);
      }
    }
    long[] offsets = offsets();
    for (int i = 0; i < offsets.length; i++) {
      TensorData data = items.get(i).data;
      long from = dataStart + offsets[i];
      if (!(data instanceof TensorCopy) && from >= 0 && from + data.size() >= from) {
        data.write(channel, from);
        meter.add(data.size());
      }
    }
    header.writeTo(channel);
    meter.finish();
  }

  /// Returns the tensors that are copied from other files, those that follow each other there as
  /// they do here put together.
  List<Run> runs(long dataStart) {
    List<Run> runs = new ArrayList<>();
    long[] offsets = offsets();
    for (int i = 0; i < offsets.length; i++) {
      if (!(items.get(i).data instanceof TensorCopy copy) || copy.size() == 0) {
        continue;
      }
      GgufFile file = copy.tensor().file();
      long target = dataStart + offsets[i];
      Run last = runs.isEmpty() ? null : runs.getLast();
      if (last != null
          && last.file == file
          && copy.from() >= last.to
          && copy.from() - last.to < alignment
          && copy.from() - target == last.from - last.target) {
        runs.set(runs.size() - 1, new Run(file, last.from, copy.to(), last.target));
      } else {
        runs.add(new Run(file, copy.from(), copy.to(), target));
      }
    }
    return runs;
  }

  /// Returns the header: everything before the padding in front of the data.
  public byte[] header() {
    return headerBytes().toArray();
  }

  HeaderBytes headerBytes() {
    HeaderBytes out = new HeaderBytes(version == 1 ? 4 : 8, order);
    out.bytes("GGUF".getBytes(StandardCharsets.US_ASCII));
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
      out.string(item.name);
      out.int32(item.ne.length);
      for (long n : item.ne) {
        out.length(n);
      }
      out.int32(item.typeId);
      out.int64(offsets[i]);
    }
    return out;
  }

  private void value(HeaderBytes out, Metadata.Entry entry) {
    switch (entry.type()) {
      case STRING -> out.string(entry.bytes());
      case ARRAY -> {
        MetadataArray array = entry.array();
        out.int32(array.elementType().id());
        out.length(array.count());
        out.bytes(array.encoded(order, version == 1 ? 4 : 8));
      }
      case FLOAT32, FLOAT64 -> out.number(entry.floatBits(), entry.type());
      default -> out.number(entry.bits(), entry.type());
    }
  }

  /// Returns the absolute byte offset at which the data section starts.
  long dataStart(long headerSize) {
    return items.isEmpty() ? headerSize : padded(headerSize);
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
}
