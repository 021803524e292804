package dev.gguf.internal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Which parts of a file were ever written, as its file system tells by `lseek`: data, and holes
/// that read as zeros and take no disk space.
///
/// Where the system cannot tell, the whole file is data. Closing it twice has no effect. An
/// instance is for one thread.
public final class Extents implements AutoCloseable {
  private final long size;
  private int descriptor;

  private Extents(int descriptor, long size) {
    this.descriptor = descriptor;
    this.size = size;
  }

  /// Opens a file of which the extents can be asked.
  ///
  /// @throws IOException if the file has no size that can be read
  public static Extents of(Path path) throws IOException {
    long size = Files.size(path);
    Calls calls = Calls.INSTANCE;
    return new Extents(calls == null ? -1 : calls.open(path), size);
  }

  /// Returns extents of a file all of which counts as data.
  ///
  /// @param size of the file in bytes
  public static Extents allData(long size) {
    return new Extents(-1, size);
  }

  /// Returns whether the system tells holes from data here.
  public boolean known() {
    return descriptor >= 0;
  }

  /// Returns the size of the file in bytes when it was opened.
  public long size() {
    return size;
  }

  /// Returns the first position of data at or after `position`, or the size of the file where only
  /// a hole follows.
  ///
  /// @param position absolute byte offset inside the file
  public long nextData(long position) {
    return position >= size ? size : seek(position, true, position);
  }

  /// Returns the first position of a hole at or after `position`; the end of the file counts as
  /// one.
  ///
  /// @param position absolute byte offset inside the file
  public long nextHole(long position) {
    return position >= size ? size : seek(position, false, size);
  }

  /// Returns how many bytes of a range are data.
  ///
  /// @param from absolute byte offset, inclusive
  /// @param to absolute byte offset, exclusive
  public long dataBytes(long from, long to) {
    long end = Math.min(to, size);
    long bytes = 0;
    long at = nextData(from);
    while (at < end) {
      long hole = Math.min(end, nextHole(at));
      bytes += hole - at;
      at = nextData(hole);
    }
    return bytes;
  }

  private long seek(long position, boolean data, long unknown) {
    Calls calls = Calls.INSTANCE;
    if (descriptor < 0 || calls == null) {
      return unknown;
    }
    long found = calls.seek(descriptor, position, data);
    if (found == Calls.NONE) {
      return size;
    }
    // A file system may refuse, and one that answers with less than was asked would never end.
    return found < position ? unknown : Math.min(found, size);
  }

  @Override
  public void close() {
    int open = descriptor;
    descriptor = -1;
    Calls calls = Calls.INSTANCE;
    if (open >= 0 && calls != null) {
      calls.close(open);
    }
  }

  /// The three functions of the C library; loaded when the first file is asked about.
  private static final class Calls {
    static final long NONE = -2;
    private static final long FAILED = -1;
    private static final int ENXIO = 6;
    static final @Nullable Calls INSTANCE = load();

    private final MethodHandle open;
    private final MethodHandle lseek;
    private final MethodHandle close;
    private final VarHandle errno;
    private final MemoryLayout state;
    private final int seekData;
    private final int seekHole;

    // The signatures are those of POSIX; where native access is denied, holes are not told.
    @SuppressWarnings("restricted")
    private Calls(Linker linker, boolean mac) {
      FunctionDescriptor number = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
      this.state = Linker.Option.captureStateLayout();
      this.errno = state.varHandle(MemoryLayout.PathElement.groupElement("errno"));
      this.open =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("open"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
      this.lseek =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("lseek"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_INT),
              Linker.Option.captureCallState("errno"));
      this.close = linker.downcallHandle(linker.defaultLookup().findOrThrow("close"), number);
      this.seekData = mac ? 4 : 3;
      this.seekHole = mac ? 3 : 4;
    }

    private static @Nullable Calls load() {
      String system = System.getProperty("os.name", "");
      boolean mac = system.startsWith("Mac");
      if (!mac && !system.equals("Linux")) {
        return null;
      }
      try {
        return new Calls(Linker.nativeLinker(), mac);
      } catch (RuntimeException e) {
        // No native access, or a C library that is otherwise: holes are then not told from data.
        return null;
      }
    }

    /// Returns a descriptor, or -1.
    int open(Path path) {
      Charset names =
          Charset.forName(
              System.getProperty("sun.jnu.encoding", "UTF-8"), Charset.defaultCharset());
      String name = path.toString();
      if (name.indexOf('\0') >= 0 || !names.newEncoder().canEncode(name)) {
        return -1;
      }
      try (Arena arena = Arena.ofConfined()) {
        // 0 is O_RDONLY everywhere.
        return (int) open.invokeExact(arena.allocateFrom(name, names), 0);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /// Returns the position found, [#NONE] where nothing but a hole follows, or a negative number.
    long seek(int descriptor, long position, boolean data) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment captured = arena.allocate(state);
        long found =
            (long) lseek.invokeExact(captured, descriptor, position, data ? seekData : seekHole);
        return found == FAILED && (int) errno.get(captured, 0L) == ENXIO ? NONE : found;
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    void close(int descriptor) {
      try {
        int ignored = (int) close.invokeExact(descriptor);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    private static RuntimeException unexpected(Throwable e) {
      return e instanceof RuntimeException known ? known : new IllegalStateException(e);
    }
  }
}
