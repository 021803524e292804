package dev.gguf.internal;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

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
    return new OfFile(path);
  }

  /// The bytes of a file, as many as it had when it was opened.
  ///
  /// An interruption of a thread that reads closes a channel for all threads. The next one that
  /// needs it opens the file again.
  final class OfFile implements ByteSource {
    /// Heap memory is read through native memory of the same size, which the platform clears and
    /// keeps; a small one stays in the processor's cache.
    private static final int CHUNK = 1 << 17;

    private final Path path;
    private final long size;
    private volatile FileChannel channel;
    private boolean closed;

    OfFile(Path path) throws IOException {
      this.path = path;
      this.channel = FileChannel.open(path, StandardOpenOption.READ);
      this.size = channel.size();
    }

    /// Returns a channel that is open, unless this source is closed.
    ///
    /// @throws IOException if the file had to be opened again and cannot be, or has another size
    public FileChannel channel() throws IOException {
      FileChannel known = channel;
      return known.isOpen() ? known : reopened();
    }

    private synchronized FileChannel reopened() throws IOException {
      if (!channel.isOpen() && !closed) {
        FileChannel again = FileChannel.open(path, StandardOpenOption.READ);
        long now = again.size();
        if (now != size) {
          again.close();
          throw new IOException(
              "the file is not the one that was opened: it had " + size + " bytes, now " + now);
        }
        channel = again;
      }
      return channel;
    }

    /// Maps the whole file, also for a thread that has been interrupted, which it stays.
    ///
    /// @throws IOException if the file cannot be mapped
    public MemorySegment map(Arena arena) throws IOException {
      boolean interrupted = Thread.interrupted();
      try {
        while (true) {
          try {
            return channel().map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
          } catch (ClosedByInterruptException e) {
            interrupted |= Thread.interrupted();
          } catch (AsynchronousCloseException e) {
            // Another thread was interrupted; once more.
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
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
        int n = readSome(position + total, into);
        if (n < 0) {
          break;
        }
        total += n;
      }
      into.limit(limit);
      return total;
    }

    private int readSome(long position, ByteBuffer into) throws IOException {
      while (true) {
        try {
          return channel().read(into, position);
        } catch (ClosedByInterruptException e) {
          throw e;
        } catch (ClosedChannelException e) {
          if (!channel().isOpen()) {
            throw e;
          }
          // Another thread was interrupted while it read; once more.
        }
      }
    }

    @Override
    public synchronized void close() throws IOException {
      closed = true;
      channel.close();
    }
  }

  /// The start of bytes that can only be read forward, kept as far as it was read.
  final class OfStream implements ByteSource {
    private static final int PIECE = 1 << 17;

    private final List<byte[]> pieces = new ArrayList<>();
    private final InputStream stream;
    private final boolean declared;
    private long kept;
    private long size;
    private boolean ended;

    /// Takes a stream and reads its first bytes.
    ///
    /// @param stream is closed by [#seal(long, long)] or with the source
    /// @param size number of bytes, or [Long#MAX_VALUE] where it is not known
    /// @throws IOException if reading fails
    public OfStream(InputStream stream, long size) throws IOException {
      this.stream = stream;
      this.size = size;
      this.declared = size != Long.MAX_VALUE;
      keep(1);
    }

    /// Returns the number of bytes as far as it is known, else [Long#MAX_VALUE].
    @Override
    public long size() {
      return size;
    }

    @Override
    public int read(long position, ByteBuffer into) throws IOException {
      long to = Math.min(size, position + into.remaining());
      keep(to);
      int total = 0;
      while (into.hasRemaining() && position + total < kept) {
        long at = position + total;
        byte[] piece = pieces.get((int) (at / PIECE));
        int from = (int) (at % PIECE);
        int n = (int) Math.min(Math.min(PIECE - from, kept - at), into.remaining());
        into.put(piece, from, n);
        total += n;
      }
      return total;
    }

    /// Reads on until so many bytes are kept, or the stream ends.
    private void keep(long count) throws IOException {
      while (kept < count && !ended) {
        int from = (int) (kept % PIECE);
        if (from == 0) {
          pieces.add(new byte[PIECE]);
        }
        int wanted = (int) Math.min(PIECE - from, count - kept);
        int n = stream.readNBytes(pieces.getLast(), from, wanted);
        kept += n;
        if (n < wanted) {
          ended = true;
          size = Math.min(size, kept);
        }
      }
    }

    /// Reads no further and closes the stream; what was read can be read again.
    ///
    /// @param header where the data would begin; bytes of unknown number that end there are a
    ///   header alone
    /// @param whole the number of bytes, if it is not known yet
    /// @throws IOException if closing fails
    public void seal(long header, long whole) throws IOException {
      ended = true;
      size = size == Long.MAX_VALUE || !declared && size == header ? whole : size;
      stream.close();
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
