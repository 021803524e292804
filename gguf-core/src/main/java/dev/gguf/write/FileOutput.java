package dev.gguf.write;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.zip.GZIPOutputStream;

/// Writes files so that nothing unfinished is ever found under their names.
///
/// A file is written beside its place under a name of its own, `NAME.….unfinished`, its header
/// last, read back, and renamed when everything is right. What was there before is untouched until
/// then, and is replaced only when that is asked for. A failure or an end of the program takes the
/// unfinished file away.
public final class FileOutput {
  private static final String SUFFIX = ".unfinished";

  private static final int START = 16 << 20;

  private boolean overwrite;
  private boolean verify;
  private Progress progress = Progress.NONE;

  private FileOutput() {}

  /// Disk space that a write needs and finds.
  ///
  /// @param size bytes of all files together
  /// @param needed bytes that they will take on disk; holes do not count
  /// @param available bytes that the file system has left for this user
  public record Space(long size, long needed, long available) {
    /// Returns whether there is enough.
    public boolean isEnough() {
      return needed <= available;
    }
  }

  /// Returns an output that replaces no file and compares the new header only.
  public static FileOutput create() {
    return new FileOutput();
  }

  /// Sets whether a file that is there may be replaced; never one that is being read.
  public FileOutput overwrite(boolean replaced) {
    overwrite = replaced;
    return this;
  }

  /// Sets whether every byte is brought to the disk, and every copied one read back and compared,
  /// before a file gets its name.
  public FileOutput verify(boolean compared) {
    verify = compared;
    return this;
  }

  /// Sets who is told about progress.
  public FileOutput progress(Progress listener) {
    progress = listener;
    return this;
  }

  /// Returns the space that files need and find.
  ///
  /// @throws GgufException if the folder they go to, or a file they are made of, cannot be asked
  public Space space(Map<Path, GgufWriter> files) throws GgufException {
    long size = 0;
    long needed = 0;
    long available = Long.MAX_VALUE;
    for (Map.Entry<Path, GgufWriter> file : files.entrySet()) {
      Path folder = OutputPath.folder(file.getKey());
      try {
        size = Math.addExact(size, file.getValue().size());
        needed += file.getValue().diskBytes();
        available = Math.min(available, Files.getFileStore(folder).getUsableSpace());
      } catch (IOException e) {
        throw failure(file.getKey(), "its disk space cannot be found out", e);
      }
    }
    return new Space(size, needed, available);
  }

  /// Writes one file, see [#write(SequencedMap)].
  ///
  /// @throws GgufException if there is no such file afterwards
  public void write(Path path, GgufWriter file) throws GgufException {
    SequencedMap<Path, GgufWriter> files = new LinkedHashMap<>();
    files.put(path, file);
    write(files);
  }

  /// Writes all files or none.
  ///
  /// @throws GgufException if a path is taken, the space is not enough, or reading or writing
  ///   fails; none of the new files exists then, and what was there before still does. Only where
  ///   several files replace others and the renaming itself fails, some may be replaced
  public void write(SequencedMap<Path, GgufWriter> files) throws GgufException {
    Map<Path, Path> unfinished = new LinkedHashMap<>();
    require(files);
    requireSpace(space(files), files.firstEntry().getKey());
    Map<GgufFile, FileTime> times = times(files);
    Cleaner cleaner = new Cleaner();
    try {
      for (Map.Entry<Path, GgufWriter> file : files.entrySet()) {
        Path path = file.getKey();
        Path place = unfinishedName(path);
        unfinished.put(path, place);
        writeOne(path, place, file.getValue(), cleaner);
      }
      requireUnchanged(times);
      for (Map.Entry<Path, Path> file : unfinished.entrySet()) {
        rename(file.getValue(), file.getKey(), cleaner);
      }
      cleaner.keepAll();
    } catch (GgufException e) {
      throw cleaner.told(files.firstEntry().getKey(), e);
    } finally {
      cleaner.clean();
    }
  }

  /// Writes the header of a file alone, compressed by gzip.
  ///
  /// @throws GgufException if it cannot be written; there is no such file then
  public void writeCompressed(Path path, GgufWriter file) throws GgufException {
    requireFree(path, file);
    byte[] header = file.header();
    // With the padding that leads to the data, so that readers can tell a header alone.
    byte[] start = Arrays.copyOf(header, Math.toIntExact(file.dataStart(header.length)));
    writeStream(path, new ByteArrayInputStream(start), start.length, true, 0);
  }

  /// Writes the first bytes of any file, at most 16 MiB.
  ///
  /// @param source the file
  /// @param compressed by gzip; else the rest is a hole, so that the size is that of the file
  /// @throws GgufException if it cannot be written; there is no such file then
  public void writeStart(Path source, Path path, boolean compressed) throws GgufException {
    requireFree(path, GgufWriter.of(Metadata.EMPTY));
    if (isSame(path, source)) {
      throw new GgufException(path + ": is the file that is read; name another file to write");
    }
    try (InputStream in = Files.newInputStream(source)) {
      writeStream(path, in, START, compressed, Files.size(source));
    } catch (GgufException e) {
      throw e;
    } catch (IOException e) {
      throw failure(source, "cannot be read", e);
    }
  }

  private void writeStream(Path path, InputStream in, int bytes, boolean compressed, long size)
      throws GgufException {
    Cleaner cleaner = new Cleaner();
    Path place = unfinishedName(path);
    try {
      try (RandomAccessFile file = cleaner.create(place, path)) {
        byte[] start = in.readNBytes(bytes);
        if (compressed) {
          ByteArrayOutputStream packed = new ByteArrayOutputStream();
          try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(start);
          }
          file.write(packed.toByteArray());
        } else {
          file.write(start);
          file.setLength(size);
        }
      }
      rename(place, path, cleaner);
      cleaner.keepAll();
    } catch (GgufException e) {
      throw cleaner.told(path, e);
    } catch (IOException e) {
      throw cleaner.told(path, failure(path, "cannot be written", e));
    } finally {
      cleaner.clean();
    }
  }

  /// Requires that all files can be written where they are to go, the space apart.
  ///
  /// @throws GgufException if a path is that of a file that is read, or as
  ///   [OutputPath#require(Path, boolean)] says
  public void require(Map<Path, GgufWriter> files) throws GgufException {
    for (Map.Entry<Path, GgufWriter> file : files.entrySet()) {
      requireFree(file.getKey(), file.getValue());
    }
  }

  private void requireFree(Path path, GgufWriter file) throws GgufException {
    for (GgufFile source : file.sources()) {
      if (!source.isHeaderOnly() && isSame(path, source.path())) {
        throw new GgufException(
            path + ": is one of the files that are read; name another file to write");
      }
    }
    OutputPath.require(path, overwrite);
  }

  private static boolean isSame(Path path, Path source) throws GgufException {
    try {
      return Files.exists(path) && Files.isSameFile(path, source);
    } catch (IOException e) {
      throw failure(path, "cannot be compared with " + source, e);
    }
  }

  private static void requireSpace(Space space, Path first) throws GgufException {
    if (!space.isEnough()) {
      throw new GgufException(
          first
              + ": "
              + space.needed()
              + " bytes of disk space are needed, "
              + space.available()
              + " are left in "
              + OutputPath.folder(first)
              + "; nothing was written");
    }
  }

  private static Map<GgufFile, FileTime> times(SequencedMap<Path, GgufWriter> files)
      throws GgufException {
    Map<GgufFile, FileTime> times = new HashMap<>();
    for (GgufWriter file : files.values()) {
      for (GgufFile source : file.sources()) {
        if (!source.isHeaderOnly()) {
          times.put(source, time(source));
        }
      }
    }
    return times;
  }

  private static FileTime time(GgufFile source) throws GgufException {
    try {
      return Files.getLastModifiedTime(source.path());
    } catch (IOException e) {
      throw failure(source.path(), "cannot be read any more", e);
    }
  }

  private static void requireUnchanged(Map<GgufFile, FileTime> times) throws GgufException {
    for (Map.Entry<GgufFile, FileTime> source : times.entrySet()) {
      Path path = source.getKey().path();
      if (!time(source.getKey()).equals(source.getValue())) {
        throw new GgufException(path + ": was changed while it was copied; nothing was written");
      }
    }
  }

  private static Path unfinishedName(Path path) {
    String id = Long.toHexString(System.nanoTime() & 0xffff_ffffL);
    return path.resolveSibling(path.getFileName() + "." + id + SUFFIX);
  }

  private void writeOne(Path path, Path place, GgufWriter file, Cleaner cleaner)
      throws GgufException {
    try {
      try (RandomAccessFile out = cleaner.create(place, path)) {
        file.write(out, progress);
        if (verify) {
          out.getChannel().force(true);
        }
        long differs = file.headerBytes().mismatch(out.getChannel());
        if (differs >= 0) {
          throw new GgufException(
              path + ": the header read back differs from the one written at byte " + differs);
        }
      }
      try (Gguf written = Gguf.open(place)) {
        if (verify) {
          Verification.run(file, written.files().getFirst(), path, progress);
        }
      }
    } catch (GgufException e) {
      throw e;
    } catch (IOException e) {
      throw failure(path, "cannot be written", e);
    }
  }

  private void rename(Path place, Path path, Cleaner cleaner) throws GgufException {
    // Once more, since much may have happened while the data was copied.
    OutputPath.require(path, overwrite);
    try {
      if (overwrite) {
        Files.move(
            place, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } else {
        Files.move(place, path);
        cleaner.add(path);
      }
    } catch (FileAlreadyExistsException e) {
      throw OutputPath.taken(path);
    } catch (IOException e) {
      throw failure(path, "the finished file cannot get this name", e);
    }
  }

  private static GgufException failure(Path path, String what, IOException e) {
    return new GgufException(path + ": " + what + ": " + OutputPath.reason(e), e);
  }

  /// Returns the files that were left beside a path by a program that was killed while it wrote
  /// there; they can be deleted.
  ///
  /// @throws GgufException if the folder cannot be listed
  public static List<Path> leftovers(Path path) throws GgufException {
    String prefix = path.getFileName() + ".";
    List<Path> found = new ArrayList<>();
    try (var files = Files.newDirectoryStream(OutputPath.folder(path))) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (name.startsWith(prefix) && name.endsWith(SUFFIX)) {
          found.add(file);
        }
      }
    } catch (IOException e) {
      throw failure(path, "its folder cannot be listed", e);
    }
    found.sort(null);
    return found;
  }

  /// Deletes what is unfinished: after a failure, and when the program is told to end.
  private static final class Cleaner {
    private final List<Path> files = new ArrayList<>();
    private final Thread hook = new Thread(this::end, "unfinished files");
    private boolean hooked;
    private boolean ended;

    Cleaner() {
      try {
        Runtime.getRuntime().addShutdownHook(hook);
        hooked = true;
      } catch (IllegalStateException e) {
        // The program is ending already, and nobody would clean what is written now.
        ended = true;
      }
    }

    synchronized void add(Path file) {
      files.add(file);
    }

    /// Creates and opens an empty file that is deleted when the program ends before it is whole.
    /// Both at once, since opening would create again what was just deleted.
    synchronized RandomAccessFile create(Path place, Path path) throws GgufException {
      if (ended) {
        throw interrupted(path);
      }
      try {
        Files.createFile(place);
        files.add(place);
        return new RandomAccessFile(place.toFile(), "rw");
      } catch (IOException e) {
        throw failure(path, "cannot be written", e);
      }
    }

    /// Returns what is to be told about a failure: that the program is ending, where that took the
    /// files away.
    synchronized GgufException told(Path path, GgufException failure) {
      return ended ? interrupted(path) : failure;
    }

    private static GgufException interrupted(Path path) {
      return new GgufException(path + ": writing was interrupted; nothing was written");
    }

    private synchronized void end() {
      ended = true;
      delete();
    }

    synchronized void keepAll() {
      files.clear();
    }

    synchronized void delete() {
      for (Path file : files) {
        try {
          Files.deleteIfExists(file);
        } catch (IOException e) {
          // Its name says that it is unfinished; more cannot be done here.
        }
      }
      files.clear();
    }

    void clean() {
      delete();
      if (hooked) {
        try {
          Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
          // The hook is running or has run.
          hooked = false;
        }
      }
    }
  }
}
