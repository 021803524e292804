package dev.gguf.cli;

import dev.gguf.HeaderSource;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files of an archive that can be listed without unpacking it.
interface Members extends Closeable {
  /// Returns the names of all files, in the order of the archive.
  List<String> names();

  /// Opens a file, or returns null if there is none of this name.
  ///
  /// @throws IOException if it cannot be opened
  HeaderSource.@Nullable Stream open(String name) throws IOException;

  /// Returns a source of the files in the same folder as an entry.
  default HeaderSource beside(String entry) {
    String folder = entry.substring(0, entry.lastIndexOf('/') + 1);
    return name -> open(folder + name);
  }
}
