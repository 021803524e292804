package dev.gguf.internal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Bytes that can be read at any position, without a position of its own.
public interface ByteSource extends Closeable {
  /// Returns the number of bytes.
  long size();

  /// Reads from `position` until `into` is full or the bytes end.
  ///
  /// @return the number of bytes read, 0 at the end
  /// @throws IOException if reading fails
  int read(long position, ByteBuffer into) throws IOException;

  /// Returns the bytes of a file, which stays open until the source is closed.
  ///
  /// @throws IOException if the file cannot be opened
  static ByteSource of(Path path) throws IOException {
    return new OfFile(FileChannel.open(path, StandardOpenOption.READ));
  }

  /// The bytes of a file, as many as it had when it was opened.
  final class OfFile implements ByteSource {
    /// Heap memory is read through native memory of the same size, which the platform clears and
    /// keeps; a small one stays in the processor's cache.
    private static final int CHUNK = 1 << 17;

    private final FileChannel channel;
    private final long size;

    OfFile(FileChannel channel) throws IOException {
      this.channel = channel;
      this.size = channel.size();
    }

    /// Returns the channel, for mapping.
    public FileChannel channel() {
      return channel;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public int read(long position, ByteBuffer into) throws IOException {
      int total = 0;
      int limit = into.limit();
      while (into.position() < limit) {
        into.limit(into.isDirect() ? limit : Math.min(limit, into.position() + CHUNK));
        int n = channel.read(into, position + total);
        if (n < 0) {
          break;
        }
        total += n;
      }
      into.limit(limit);
      return total;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
