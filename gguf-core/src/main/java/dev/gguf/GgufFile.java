package dev.gguf;

import dev.gguf.internal.ByteSource;
import dev.gguf.internal.ShardName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One file of a model: the whole model, or one shard of a split set.
public final class GgufFile {
  private final Path path;
  private final ByteSource source;
  private final Object lock = new Object();
  private @Nullable Arena arena;
  private volatile @Nullable MemorySegment mapped;
  private volatile boolean closed;

  int version;
  ByteOrder byteOrder = ByteOrder.LITTLE_ENDIAN;
  long declaredKeys;
  long declaredTensors;
  long metadataEnd;
  long headerEnd;
  long dataStart;
  long alignment = 32;
  boolean complete;
  Metadata metadata = Metadata.EMPTY;
  List<Tensor> tensors = List.of();

  GgufFile(Path path, ByteSource source) {
    this.path = path;
    this.source = source;
  }

  /// Returns the path that the file was opened by.
  public Path path() {
    return path;
  }

  /// Returns the size in bytes at the time of opening.
  public long size() {
    return source.size();
  }

  /// Returns the version of the format, 1 to 3; 0 if the header could not be read that far.
  public int version() {
    return version;
  }

  /// Returns the byte order of every number in the file.
  public ByteOrder byteOrder() {
    return byteOrder;
  }

  /// Returns the pairs of this file. In a split set the later files have the `split.*` keys only.
  public Metadata metadata() {
    return metadata;
  }

  /// Returns the tensors of this file in the order of its table.
  public List<Tensor> tensors() {
    return tensors;
  }

  /// Returns the number of pairs that the header declares, as unsigned.
  public long declaredKeys() {
    return declaredKeys;
  }

  /// Returns the number of tensors that the header declares, as unsigned.
  public long declaredTensors() {
    return declaredTensors;
  }

  /// Returns whether the header could be read to its end.
  public boolean isHeaderComplete() {
    return complete;
  }

  /// Returns the absolute byte offset of the end of the pairs.
  public long metadataEnd() {
    return metadataEnd;
  }

  /// Returns the absolute byte offset of the end of the tensor table, before padding.
  public long headerEnd() {
    return headerEnd;
  }

  /// Returns the absolute byte offset of the data section: the end of the header rounded up to the
  /// alignment, or as it is where the file has no tensors.
  public long dataStart() {
    return dataStart;
  }

  /// Returns the alignment of tensors in bytes, `general.alignment` or 32.
  public long alignment() {
    return alignment;
  }

  /// Returns the number of this file in its set from 1, as its name says, if it is the name of a
  /// shard.
  public Optional<Integer> shardNumber() {
    return ShardName.of(path).map(ShardName::number);
  }

  /// Reads bytes at a position, into `into` from its position on, until it is full or the file
  /// ends.
  ///
  /// @param position absolute byte offset
  /// @return the number of bytes read
  /// @throws GgufException if reading fails
  public int read(long position, ByteBuffer into) throws GgufException {
    try {
      return source.read(position, into);
    } catch (IOException e) {
      throw new GgufException(path + ": cannot be read at byte " + position + ": " + reason(e), e);
    }
  }

  /// Copies bytes into a channel, at the channel's own position, by the operating system where it
  /// can.
  ///
  /// @param position absolute byte offset
  /// @param count how many bytes at most
  /// @return how many bytes were copied, fewer than asked where the system copies in parts, and 0
  ///   at the end of the file
  /// @throws GgufException if the file is compressed
  /// @throws IOException if reading or writing fails
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return file().channel().transferTo(position, count, target);
  }

  private ByteSource.OfFile file() throws GgufException {
    if (source instanceof ByteSource.OfFile file) {
      return file;
    }
    throw new GgufException(
        path
            + ": is compressed or inside an archive, so that only its header can be read;"
            + " unpack it first");
  }

  /// Returns whether only the header can be read, because the file is compressed or inside an
  /// archive. Its [#size()] is then what the header promises, unless the archive knows it.
  public boolean isHeaderOnly() {
    return !(source instanceof ByteSource.OfFile);
  }

  /// Requires that more than the header can be read.
  ///
  /// @throws GgufException if it cannot, see [#isHeaderOnly()]
  public void requireData() throws GgufException {
    file();
  }

  byte[] readAll(long position, int count) {
    byte[] bytes = new byte[count];
    readInto(position, bytes, 0, count);
    return bytes;
  }

  /// Reads bytes that were there when the file was opened.
  ///
  /// @throws UncheckedIOException with a [GgufException] if they are not there any more
  void readInto(long position, byte[] into, int from, int count) {
    try {
      int n = read(position, ByteBuffer.wrap(into, from, count));
      if (n < count) {
        throw new GgufFormatException(
            Finding.of(
                    FileRule.FILE_CHANGED,
                    "the file shrank while it was read: "
                        + n
                        + " of "
                        + count
                        + " bytes are left at byte "
                        + position)
                .at(path, position));
      }
    } catch (GgufException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns the whole file as one mapped, read-only segment that lives until the model is closed.
  ///
  /// @throws GgufException if the file cannot be mapped
  /// @throws IllegalStateException if the model is closed
  public MemorySegment data() throws GgufException {
    if (closed) {
      throw new IllegalStateException(path + " is closed");
    }
    MemorySegment known = mapped;
    return known != null ? known : map();
  }

  @SuppressWarnings(
      "MustBeClosedChecker") // The segment lives as long as the file, not as long as this method.
  private MemorySegment map() throws GgufException {
    synchronized (lock) {
      if (mapped == null) {
        if (closed) {
          throw new IllegalStateException(path + " is closed");
        }
        ByteSource.OfFile file = file();
        Arena shared = Arena.ofShared();
        try {
          mapped = file.map(shared);
          arena = shared;
        } catch (IOException e) {
          shared.close();
          throw new GgufException(path + ": cannot be mapped: " + reason(e), e);
        }
      }
      return mapped;
    }
  }

  void close() throws IOException {
    synchronized (lock) {
      if (!closed) {
        closed = true;
        if (arena != null) {
          arena.close();
        }
        source.close();
      }
    }
  }

  static String reason(IOException e) {
    String message = e.getMessage();
    return message != null ? message : e.getClass().getSimpleName();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
