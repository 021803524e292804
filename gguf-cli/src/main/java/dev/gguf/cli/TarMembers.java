package dev.gguf.cli;

import dev.gguf.HeaderSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarFile;
import org.jspecify.annotations.Nullable;

/// The files of a tar archive that is not compressed.
final class TarMembers implements Members {
  private final TarFile tar;

  TarMembers(Path path) throws IOException {
    tar = new TarFile(path);
  }

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (TarArchiveEntry entry : tar.getEntries()) {
      if (entry.isFile()) {
        names.add(entry.getName());
      }
    }
    return names;
  }

  @Override
  public HeaderSource.@Nullable Stream open(String name) throws IOException {
    for (TarArchiveEntry entry : tar.getEntries()) {
      if (entry.isFile() && entry.getName().equals(name)) {
        return new HeaderSource.Stream(
            tar.getInputStream(entry), OptionalLong.of(PackedTar.size(entry)));
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    tar.close();
  }
}
