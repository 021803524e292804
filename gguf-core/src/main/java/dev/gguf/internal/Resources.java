package dev.gguf.internal;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Reads the data files that belong to classes.
///
/// Out of a jar the first of them takes as long as reading and checking a whole model header. The
/// launcher therefore lays them out as files and names their folder in the property
/// `gguf.resources`; where that is not set, or a file is not in it, the class loader is asked.
public final class Resources {
  private static final String FOLDER = "gguf.resources";

  private Resources() {}

  /// Returns the bytes of a resource, or null if there is none of this name.
  ///
  /// @param owner a class of the package that the resource is in
  /// @param name relative to that package
  public static byte @Nullable [] find(Class<?> owner, String name) {
    try (InputStream in = open(owner, name)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns the bytes of a resource that is part of this program.
  ///
  /// @param owner a class of the package that the resource is in
  /// @param name relative to that package
  /// @throws IllegalStateException if there is none of this name
  public static byte[] read(Class<?> owner, String name) {
    byte[] bytes = find(owner, name);
    if (bytes == null) {
      throw new IllegalStateException(name.concat(" is not beside ").concat(owner.getName()));
    }
    return bytes;
  }

  private static @Nullable InputStream open(Class<?> owner, String name) {
    String folder = System.getProperty(FOLDER);
    if (folder != null) {
      try {
        return new FileInputStream(
            new File(new File(folder, owner.getPackageName().replace('.', '/')), name));
      } catch (FileNotFoundException e) {
        // Then it may be in the jar.
      }
    }
    return owner.getResourceAsStream(name);
  }
}
