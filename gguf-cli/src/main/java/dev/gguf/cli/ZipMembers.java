package dev.gguf.cli;

import dev.gguf.HeaderSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// The files of a zip archive.
final class ZipMembers implements Members {
  private final ZipFile zip;

  ZipMembers(Path path) throws IOException {
    zip = ZipFile.builder().setPath(path).get();
  }

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (ZipArchiveEntry entry : java.util.Collections.list(zip.getEntries())) {
      if (!entry.isDirectory()) {
        names.add(entry.getName());
      }
    }
    return names;
  }

  @Override
  public HeaderSource.@Nullable Stream open(String name) throws IOException {
    ZipArchiveEntry entry = zip.getEntry(name);
    if (entry == null) {
      return null;
    }
    InputStream unpacked = zip.getInputStream(entry);
    if (unpacked == null) {
      throw new IOException(name + " is encrypted");
    }
    long packed = entry.getCompressedSize();
    return new HeaderSource.Stream(
        new BoundedStream(unpacked, () -> packed), OptionalLong.of(entry.getSize()));
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
