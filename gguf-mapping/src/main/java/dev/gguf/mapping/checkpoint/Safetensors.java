package dev.gguf.mapping.checkpoint;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One safetensors file: eight bytes with the length of the header, a JSON header, the data.
///
/// Everything the header declares is held against the size of the file before it is used: the
/// length of the header, every dimension, every offset. As in the format's own reader, the
/// parameters must fill the data without gaps or overlaps.
final class Safetensors implements AutoCloseable {
  private static final long MAX_HEADER = 100_000_000;
  private static final int MAX_DIMENSIONS = 16;

  private final Path path;
  private final FileChannel channel;
  private final long size;
  private final Map<String, CheckpointParameter> parameters = new LinkedHashMap<>();
  private final Object lock = new Object();
  private long dataStart;
  private @Nullable Arena arena;
  private volatile @Nullable MemorySegment data;
  private boolean closed;

  private Safetensors(Path path, FileChannel channel, long size) {
    this.path = path;
    this.channel = channel;
    this.size = size;
  }

  static Safetensors open(Path path) throws CheckpointException {
    FileChannel channel = null;
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ);
      Safetensors file = new Safetensors(path, channel, channel.size());
      file.readHeader();
      channel = null;
      return file;
    } catch (CheckpointException e) {
      throw e;
    } catch (NoSuchFileException e) {
      throw new CheckpointException(path, "there is no such file", e);
    } catch (IOException e) {
      throw new CheckpointException(path, "cannot be read: " + e.getMessage(), e);
    } finally {
      closeQuietly(channel);
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // The reason why the file is given up is already on its way to the caller.
        return;
      }
    }
  }

  private void readHeader() throws IOException {
    if (size < 8) {
      throw new CheckpointException(
          path, "has " + size + " bytes; a safetensors file has at least 8");
    }
    ByteBuffer prefix = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    while (prefix.hasRemaining()) {
      if (channel.read(prefix, prefix.position()) < 0) {
        throw new CheckpointException(path, "has become shorter while it was read");
      }
    }
    long length = prefix.getLong(0);
    if (length < 2 || length > size - 8 || length > MAX_HEADER) {
      throw new CheckpointException(
          path,
          "is no safetensors file: its first eight bytes declare a header of "
              + Long.toUnsignedString(length)
              + " bytes, and "
              + (size - 8)
              + " bytes follow (at most "
              + MAX_HEADER
              + " are allowed)");
    }
    dataStart = 8 + length;
    try (InputStream in = new BufferedInputStream(new Range(channel, 8, length), 1 << 16)) {
      Json.read(
          path,
          8,
          in,
          parser -> {
            readHeader(parser);
            return true;
          });
    }
    checkLayout();
  }

  private void readHeader(JsonParser parser) throws IOException {
    Json.expect(parser, JsonToken.START_OBJECT, "the header's object");
    JsonToken token;
    while ((token = parser.nextToken()) == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (name.equals("__metadata__")) {
        parser.nextToken();
        parser.skipChildren();
      } else if (parameters.put(name, readParameter(parser, name)) != null) {
        throw new IOException("the parameter " + name + " comes twice");
      }
    }
    if (token != JsonToken.END_OBJECT) {
      throw new IOException("the header ends too early");
    }
  }

  private CheckpointParameter readParameter(JsonParser parser, String name) throws IOException {
    Json.expect(parser, JsonToken.START_OBJECT, "an object for " + name);
    String dtype = null;
    long[] shape = null;
    long[] offsets = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      switch (parser.currentName()) {
        case "dtype" -> {
          Json.expect(parser, JsonToken.VALUE_STRING, "a string as dtype of " + name);
          dtype = parser.getText();
        }
        case "shape" -> shape = longs(parser, name, MAX_DIMENSIONS);
        case "data_offsets" -> offsets = longs(parser, name, 2);
        default -> {
          parser.nextToken();
          parser.skipChildren();
        }
      }
    }
    if (dtype == null || shape == null || offsets == null || offsets.length != 2) {
      throw new IOException(name + " lacks one of dtype, shape and two data_offsets");
    }
    return parameter(name, dtype, shape, offsets[0], offsets[1]);
  }

  private static long[] longs(JsonParser parser, String name, int atMost) throws IOException {
    Json.expect(parser, JsonToken.START_ARRAY, "a list of whole numbers for " + name);
    long[] values = new long[atMost];
    int count = 0;
    while (parser.nextToken() == JsonToken.VALUE_NUMBER_INT) {
      if (count == atMost) {
        throw new IOException(name + " has a list of more than " + atMost + " numbers");
      }
      long value = parser.getLongValue();
      if (value < 0) {
        throw new IOException(name + " has the number " + value + " among sizes and offsets");
      }
      values[count++] = value;
    }
    if (parser.currentToken() != JsonToken.END_ARRAY) {
      throw new IOException(name + " has something other than whole numbers in a list");
    }
    return Arrays.copyOf(values, count);
  }

  private CheckpointParameter parameter(
      String name, String dtypeName, long[] shape, long begin, long end) throws IOException {
    long bytes = size - dataStart;
    if (end < begin || end > bytes) {
      throw new IOException(
          name
              + " has the data offsets "
              + begin
              + " to "
              + end
              + "; the file has "
              + bytes
              + " bytes of data");
    }
    Dtype dtype = Dtype.of(dtypeName);
    long elements = 1;
    try {
      for (long n : shape) {
        elements = Math.multiplyExact(elements, n);
      }
      if (dtype != Dtype.OTHER
          && Math.multiplyExact(elements, (long) dtype.bits()) != (end - begin) * 8) {
        throw new IOException(
            name
                + " has "
                + elements
                + " elements of "
                + dtypeName
                + ", and "
                + (end - begin)
                + " bytes between its data offsets");
      }
    } catch (ArithmeticException e) {
      throw new IOException(name + " has more than 2^63-1 elements or bits", e);
    }
    return new CheckpointParameter(
        name, dtype, dtypeName, shape, elements, this, begin, end - begin);
  }

  private void checkLayout() throws CheckpointException {
    List<CheckpointParameter> byOffset = new ArrayList<>(parameters.values());
    byOffset.sort(
        Comparator.comparingLong(CheckpointParameter::begin)
            .thenComparingLong(CheckpointParameter::bytes));
    long expected = 0;
    for (CheckpointParameter parameter : byOffset) {
      if (parameter.begin() != expected) {
        throw new CheckpointException(
            path,
            parameter.name()
                + " starts at byte "
                + parameter.begin()
                + " of the data, and the parameter before it ends at "
                + expected
                + (parameter.begin() < expected ? ": they overlap" : ": there is a gap"));
      }
      expected += parameter.bytes();
    }
    if (expected != size - dataStart) {
      throw new CheckpointException(
          path,
          "the parameters end at byte "
              + expected
              + " of the data, which has "
              + (size - dataStart)
              + " bytes");
    }
  }

  Path path() {
    return path;
  }

  Map<String, CheckpointParameter> parameters() {
    return parameters;
  }

  long dataStart() {
    return dataStart;
  }

  /// Returns whether the file still has the size that it had when it was opened.
  boolean isWhole() throws CheckpointException {
    try {
      return channel.size() >= size;
    } catch (IOException e) {
      throw new CheckpointException(path, "cannot be read: " + e.getMessage(), e);
    }
  }

  /// Returns the mapped bytes of one parameter.
  MemorySegment data(CheckpointParameter parameter) throws CheckpointException {
    MemorySegment all = data;
    return (all == null ? map() : all).asSlice(dataStart + parameter.begin(), parameter.bytes());
  }

  @SuppressWarnings(
      "MustBeClosedChecker") // The segment lives as long as the file, not as long as this method.
  private MemorySegment map() throws CheckpointException {
    synchronized (lock) {
      MemorySegment all = data;
      if (all == null) {
        if (closed) {
          throw new IllegalStateException(path + " is closed");
        }
        Arena shared = Arena.ofShared();
        try {
          all = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, shared);
        } catch (IOException e) {
          shared.close();
          throw new CheckpointException(path, "cannot be mapped: " + e.getMessage(), e);
        }
        arena = shared;
        data = all;
      }
      return all;
    }
  }

  @Override
  public void close() throws CheckpointException {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      data = null;
      if (arena != null) {
        arena.close();
      }
      try {
        channel.close();
      } catch (IOException e) {
        throw new CheckpointException(path, "cannot be closed: " + e.getMessage(), e);
      }
    }
  }

  /// A part of a file as a stream.
  private static final class Range extends InputStream {
    private final FileChannel channel;
    private final long end;
    private long position;

    Range(FileChannel channel, long position, long length) {
      this.channel = channel;
      this.position = position;
      this.end = position + length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int wanted = (int) Math.min(length, end - position);
      if (wanted <= 0) {
        return length == 0 ? 0 : -1;
      }
      int read = channel.read(ByteBuffer.wrap(into, offset, wanted), position);
      position += Math.max(0, read);
      return read;
    }
  }
}
