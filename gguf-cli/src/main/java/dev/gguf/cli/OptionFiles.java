package dev.gguf.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// The rules for files that are values of options, such as `--config`, `--log` and `--set-file`.
final class OptionFiles {
  private OptionFiles() {}

  /// Returns the path of a regular file that can be read.
  ///
  /// @throws CommandException if it is anything else
  static Path path(String name) {
    Path path = pathOrFolder(name);
    if (Files.isDirectory(path)) {
      throw CommandException.usage(name + ": is a folder; name a file");
    }
    return path;
  }

  /// Returns the path of a folder, or of a regular file that can be read.
  ///
  /// @throws CommandException if it is anything else
  static Path pathOrFolder(String name) {
    Path path = existing(name);
    if (!Files.isRegularFile(path) && !Files.isDirectory(path)) {
      throw CommandException.usage(name + ": is a pipe or a device; name a regular file");
    }
    if (!Files.isReadable(path)) {
      throw CommandException.usage(name + ": may not be read by this user");
    }
    return path;
  }

  private static Path existing(String name) {
    Path path;
    try {
      path = Path.of(name);
    } catch (InvalidPathException e) {
      throw CommandException.usage(name + ": is no path: " + e.getReason(), e);
    }
    try {
      Files.readAttributes(path, BasicFileAttributes.class);
    } catch (FileSystemException e) {
      throw CommandException.usage(name + ": " + reason(e), e);
    } catch (IOException e) {
      throw CommandException.usage(name + ": cannot be read", e);
    }
    return path;
  }

  /// Reads a regular file whole.
  ///
  /// @param most bytes that it may have
  /// @throws CommandException if it cannot be read or has more
  static byte[] read(String name, long most) {
    Path path = path(name);
    // Some files of the system say that they have no bytes, and have many: what is read counts.
    try (InputStream in = Files.newInputStream(path)) {
      byte[] content = Files.size(path) > most ? null : in.readNBytes((int) most);
      if (content == null || in.read() >= 0) {
        throw CommandException.usage(name + ": has more than " + most + " bytes");
      }
      return content;
    } catch (FileSystemException e) {
      throw CommandException.usage(name + ": " + reason(e), e);
    } catch (IOException e) {
      throw CommandException.usage(name + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /// Returns in words why a file cannot be reached. The platform gives some reasons only by the
  /// kind of the exception.
  static String reason(FileSystemException e) {
    if (e instanceof AccessDeniedException) {
      return "may not be read by this user";
    }
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    return e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
  }
}
