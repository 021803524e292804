package dev.gguf.write;

import dev.gguf.GgufException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Where a new file can be written.
///
/// A new file is renamed to its place, so what is there would be lost: a pipe, a socket or a device
/// as well as a link, whose target would stay as it is. Only regular files may be replaced.
public final class OutputPath {
  private OutputPath() {}

  /// Requires that a file can be written at a path.
  ///
  /// @param overwrite whether a regular file may be there
  /// @throws GgufException if its folder is missing or may not be written, or something is there
  ///   that may not be replaced; the message says what to do
  public static void require(Path path, boolean overwrite) throws GgufException {
    if (path.getFileName() == null || Files.isDirectory(path)) {
      throw new GgufException(path + ": is a folder; name the file to write");
    }
    requireFolder(path);
    if (Files.isSymbolicLink(path)) {
      Path target = target(path);
      throw new GgufException(path + ": is a link to " + target + "; name " + target);
    }
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new GgufException(path + ": is a pipe or a device; name a file to write");
    }
    if (!overwrite) {
      throw taken(path);
    }
  }

  /// Requires that the folder of a path is there and may be written.
  ///
  /// @throws GgufException if not
  public static void requireFolder(Path path) throws GgufException {
    Path folder = folder(path);
    if (!Files.isWritable(folder)) {
      throw new GgufException(
          path + ": the folder " + folder + " may not be written by this user; name another");
    }
  }

  static Path folder(Path path) throws GgufException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new GgufException(path + ": there is no folder " + folder + "; create it first");
    }
    return folder;
  }

  static GgufException taken(Path path) {
    return new GgufException(
        path + ": is there already and stays as it is; name another file, or give --force");
  }

  /// Returns why something failed, without the name of the file, which may be one that the user
  /// never heard of.
  static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "this user may not do that";
    }
    if (e instanceof NoSuchFileException) {
      return "it or its folder is not there any more";
    }
    String message = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    if (message == null) {
      return e.getClass().getSimpleName();
    }
    int at = message.lastIndexOf('(');
    return e instanceof FileNotFoundException && at >= 0 && message.endsWith(")")
        ? message.substring(at + 1, message.length() - 1)
        : message;
  }

  private static Path target(Path link) throws GgufException {
    try {
      return link.resolveSibling(Files.readSymbolicLink(link));
    } catch (IOException e) {
      throw new GgufException(link + ": is a link that cannot be read: " + reason(e), e);
    }
  }
}
