package dev.gguf;

import dev.gguf.internal.ByteSource;
import dev.gguf.internal.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A GGUF model: one file, or all files of a split set as one.
///
/// Opening reads the header only, in one forward walk; strings of arrays and tensor data are read
/// when they are asked for. A model is immutable and safe to share between threads. Closing it
/// unmaps the data at once: a thread that still reads a segment of it gets an
/// [IllegalStateException].
public final class Gguf implements AutoCloseable {
  private final List<GgufFile> files;
  private final GgufFile first;
  private final List<Tensor> tensors;
  private final Map<String, Tensor> byName;

  private Gguf(List<GgufFile> files) {
    this.files = List.copyOf(files);
    this.first = files.getFirst();
    if (files.size() == 1) {
      this.tensors = first.tensors();
    } else {
      List<Tensor> all = new ArrayList<>();
      files.forEach(file -> all.addAll(file.tensors()));
      this.tensors = List.copyOf(all);
    }
    this.byName = HashMap.newHashMap(tensors.size());
    for (Tensor tensor : tensors) {
      byName.putIfAbsent(tensor.name(), tensor);
    }
  }

  /// Opens a file, or with any file of a split set the whole set.
  ///
  /// @throws GgufFormatException if the bytes break a rule that stops the opening
  /// @throws GgufException if the path is no readable file
  public static Gguf open(Path path) throws GgufException {
    Inspection inspection = inspect(path);
    if (!inspection.findings().isEmpty()) {
      inspection.close();
      throw new GgufFormatException(inspection.findings().getFirst());
    }
    return inspection.gguf().orElseThrow();
  }

  /// Opens a file or split set and reads as much as can be read. Content never makes this throw;
  /// see [Inspection#findings()] for what stopped the reading.
  ///
  /// @throws GgufException if the path is no readable file
  public static Inspection inspect(Path path) throws GgufException {
    return inspect(path, Gguf::read);
  }

  /// Reads the headers of a file or split set that can only be read forward, and no further. The
  /// data of its tensors cannot be asked for, see [GgufFile#isHeaderOnly()].
  ///
  /// @param path what the file is called; files are asked for by the last part of it, and of its
  ///   siblings
  /// @throws GgufException if the source has no such file, or cannot open it
  public static Inspection inspect(Path path, HeaderSource source) throws GgufException {
    return inspect(path, new StreamReader(source));
  }

  static Inspection inspect(Path path, ShardSet.Reader reader) throws GgufException {
    List<Finding> findings = new ArrayList<>();
    GgufFile given = reader.read(path, findings);
    if (given == null) {
      return new Inspection(path, Optional.empty(), findings);
    }
    List<GgufFile> files = new ArrayList<>();
    try {
      ShardSet.collect(given, reader, files, findings);
      for (GgufFile file : files) {
        outside(file, findings);
      }
      return new Inspection(path, Optional.of(new Gguf(files)), findings);
    } catch (GgufException | RuntimeException e) {
      for (GgufFile file : files) {
        closeQuietly(file);
      }
      throw e;
    }
  }

  private static @Nullable GgufFile read(Path path, List<Finding> findings) throws GgufException {
    return read(path, source(path), findings);
  }

  static @Nullable GgufFile read(Path path, ByteSource source, List<Finding> findings)
      throws GgufException {
    GgufFile file = new GgufFile(path, source);
    try {
      HeaderReader.read(file, source);
    } catch (GgufFormatException e) {
      findings.add(e.finding());
      if (file.version == 0) {
        closeQuietly(file);
        return null;
      }
    } catch (IOException e) {
      closeQuietly(file);
      throw new GgufException(path + ": cannot be read: " + GgufFile.reason(e), e);
    }
    return file;
  }

  private static ByteSource source(Path path) throws GgufException {
    if (Files.isDirectory(path)) {
      throw new GgufException(path + ": is a folder; name one GGUF file in it");
    }
    try {
      return ByteSource.of(path);
    } catch (NoSuchFileException e) {
      throw new GgufException(path + ": there is no such file", e);
    } catch (IOException e) {
      throw new GgufException(path + ": cannot be opened: " + GgufFile.reason(e), e);
    }
  }

  private static void outside(GgufFile file, List<Finding> findings) {
    Tensor firstOutside = null;
    int count = 0;
    long expected = file.dataStart();
    boolean overflow = false;
    if (!file.isHeaderComplete() || isAlignmentTold(file, findings)) {
      return;
    }
    for (Tensor tensor : file.tensors()) {
      long end = tensor.offset() + tensor.bytes();
      boolean above = tensor.offset() < 0 || end < 0 || end + file.dataStart() < 0;
      overflow |= above;
      expected = above ? expected : Math.max(expected, end + file.dataStart());
      if (!tensor.isInsideFile()) {
        count++;
        firstOutside = firstOutside == null ? tensor : firstOutside;
      }
    }
    if (firstOutside == null) {
      return;
    }
    String missing =
        overflow
            ? "an end above 2^63-1"
            : "at least "
                + expected
                + " bytes are needed, "
                + file.size()
                + " are there, "
                + Numbers.bytes(expected - file.size())
                + " are missing";
    RawSlice slice = RawSlice.of(file.path());
    String hint =
        slice != null
            ? "by its name this is slice " + slice.text() + ": " + slice.hint()
            : overflow
                ? "the table holds impossible numbers: fetch the file again"
                : "resume the download (curl -L -C - -o '"
                    + file.path().getFileName()
                    + "' URL) or fetch the file again";
    findings.add(
        Finding.of(
                FileRule.TENSOR_OUTSIDE_FILE,
                count
                    + " of "
                    + file.tensors().size()
                    + " tensors lie outside the file, first "
                    + firstOutside.name()
                    + " ("
                    + firstOutside.bytes()
                    + " bytes at data offset "
                    + Long.toUnsignedString(firstOutside.offset())
                    + "): "
                    + missing)
            .about(Subject.tensor(firstOutside.name()))
            .at(file.path(), firstOutside.infoOffset())
            .withHint(hint));
  }

  /// Whether the data would start behind the end of the file because of its alignment, so that
  /// where single tensors lie says nothing more.
  private static boolean isAlignmentTold(GgufFile file, List<Finding> findings) {
    for (Finding finding : findings) {
      if (finding.rule() == FileRule.ALIGNMENT_VALUE && file.path().equals(finding.file())) {
        return true;
      }
    }
    return false;
  }

  /// Returns the files of the model in the order of their numbers; one for a model that is not
  /// split.
  public List<GgufFile> files() {
    return files;
  }

  /// Returns the pairs of the model: those of the first file.
  public Metadata metadata() {
    return first.metadata();
  }

  /// Returns all tensors, file by file in the order of the tables.
  public List<Tensor> tensors() {
    return tensors;
  }

  /// Returns the first tensor with this name.
  public Optional<Tensor> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /// Returns the number of different tensor names.
  public int nameCount() {
    return byName.size();
  }

  /// Returns the value of `general.architecture`, if it is there and a string.
  public Optional<String> architecture() {
    return metadata().findString("general.architecture");
  }

  /// Returns what the model is for.
  public FileKind kind() {
    boolean complete = true;
    for (GgufFile file : files) {
      complete &= file.isHeaderComplete();
    }
    return FileKind.of(metadata(), tensors, complete);
  }

  /// Unmaps and closes all files. Closing twice has no effect.
  ///
  /// @throws GgufException if a file cannot be closed
  @Override
  public void close() throws GgufException {
    for (GgufFile file : files) {
      try {
        file.close();
      } catch (IOException e) {
        throw new GgufException(file.path() + ": cannot be closed: " + GgufFile.reason(e), e);
      }
    }
  }

  private static void closeQuietly(GgufFile file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
