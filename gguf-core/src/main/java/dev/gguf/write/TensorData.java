package dev.gguf.write;

import dev.gguf.GgufException;
import dev.gguf.Tensor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/// The bytes of one tensor on their way into a file.
public interface TensorData {
  /// Returns the number of bytes.
  long size();

  /// Writes all bytes at a position of the channel.
  ///
  /// @throws IOException if reading or writing fails
  void write(FileChannel channel, long position) throws IOException;

  /// Returns whether nothing has to be written, because the bytes are zeros that a sparse file
  /// holds without disk space.
  default boolean isHole() {
    return false;
  }

  /// Returns the bytes of an array, which is not copied.
  static TensorData of(byte[] bytes) {
    return of(MemorySegment.ofArray(bytes));
  }

  /// Returns little-endian `F32` data.
  static TensorData floats(float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return of(bytes.array());
  }

  /// Returns the bytes of a segment, which is not copied.
  static TensorData of(MemorySegment segment) {
    return new TensorData() {
      @Override
      public long size() {
        return segment.byteSize();
      }

      @Override
      public void write(FileChannel channel, long position) throws IOException {
        long done = 0;
        while (done < segment.byteSize()) {
          int part = (int) Math.min(1 << 20, segment.byteSize() - done);
          ByteBuffer bytes = ByteBuffer.allocate(part);
          MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, done, bytes.array(), 0, part);
          while (bytes.hasRemaining()) {
            done += channel.write(bytes, position + done);
          }
        }
      }
    };
  }

  /// Returns zeros that take no disk space where the file system has sparse files.
  static TensorData hole(long size) {
    return new TensorData() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public void write(FileChannel channel, long position) {}

      @Override
      public boolean isHole() {
        return true;
      }
    };
  }

  /// Returns the bytes of a tensor of another file, read as they are needed: copied by the
  /// operating system where it can, and holes left as holes. The model must stay open until then.
  ///
  /// @throws GgufException if the tensor lies outside its file
  static TensorData of(Tensor tensor) throws GgufException {
    if (!tensor.isInsideFile()) {
      tensor.data();
    }
    return new TensorCopy(tensor);
  }
}
