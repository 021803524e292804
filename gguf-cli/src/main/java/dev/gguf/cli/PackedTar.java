package dev.gguf.cli;

import dev.gguf.HeaderSource;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/// The first model of a compressed tar archive, or the one that is named. Nothing behind its header
/// is unpacked, so whether there are others is not known.
final class PackedTar implements HeaderSource, Closeable {
  private final TarArchiveInputStream tar;
  private final TarArchiveEntry entry;

  /// Looks for the entry.
  ///
  /// @param unpacked what comes out of the decompressor, bounded
  /// @param wanted the name of an entry, or null for the first that ends in .gguf
  PackedTar(InputStream unpacked, @Nullable String wanted) throws IOException {
    tar = new TarArchiveInputStream(unpacked);
    try {
      entry = find(wanted);
    } catch (IOException | RuntimeException e) {
      tar.close();
      throw e;
    }
  }

  private TarArchiveEntry find(@Nullable String wanted) throws IOException {
    TarArchiveEntry next = tar.getNextEntry();
    while (next != null) {
      String name = next.getName();
      boolean found =
          wanted == null
              ? Archives.isModel(name)
              : name.equals(wanted) || name.endsWith("/" + wanted);
      if (found && next.isFile()) {
        return next;
      }
      next = tar.getNextEntry();
    }
    throw new IOException(
        wanted == null ? "no entry ends in .gguf" : "there is no entry " + wanted);
  }

  /// Returns the size of a file as it is unpacked; archives of sparse files leave the holes out.
  static long size(TarArchiveEntry entry) {
    return entry.isSparse() ? entry.getRealSize() : entry.getSize();
  }

  String name() {
    return entry.getName();
  }

  @Override
  public @Nullable Stream open(String name) throws IOException {
    if (!name().equals(name) && !name().endsWith("/" + name)) {
      return null;
    }
    InputStream bytes =
        new FilterInputStream(tar) {
          @Override
          public void close() {
            // The archive is closed by its owner.
          }
        };
    return new Stream(bytes, OptionalLong.of(size(entry)));
  }

  @Override
  public void close() throws IOException {
    tar.close();
  }
}
