package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Inspection;
import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;

/// The rules for FILE on a command line.
final class Inputs {
  private static final int NAMED = 3;

  private Inputs() {}

  /// Returns the path of a file that can be opened.
  ///
  /// @throws CommandException if it is a folder, `-`, an address, or a path that cannot be opened;
  ///   the message says what to do instead
  static Path file(String name) {
    if (name.equals("-")) {
      throw CommandException.usage(
          "-: standard input cannot be read, since a GGUF file is read at many places;"
              + " save it to a file and name that");
    }
    if (name.startsWith("https://") || name.startsWith("http://") || name.startsWith("hf://")) {
      throw CommandException.usage(
          name + ": addresses cannot be read; download the file and name the copy");
    }
    Path path = path(name);
    if (Files.isDirectory(path)) {
      throw CommandException.usage(name + ": is a folder; name a file in it" + examples(path));
    }
    if (!Files.exists(path)) {
      requireReachable(name, path);
      Path folder = path.toAbsolutePath().getParent();
      boolean inFolder = folder != null && Files.isDirectory(folder);
      throw CommandException.usage(
          name
              + ": there is no such file"
              + (inFolder ? examples(folder) : "; its folder does not exist either"));
    }
    if (!Files.isRegularFile(path)) {
      throw CommandException.usage(
          name + ": is a pipe or a device; save the model to a file and name that");
    }
    if (!Files.isReadable(path)) {
      throw CommandException.usage(
          name + ": may not be read by this user; look at its permissions");
    }
    return path;
  }

  /// Tells a file in a folder that may not be entered from one that is not there.
  static void requireReachable(String name, Path path) {
    try {
      Files.readAttributes(path, BasicFileAttributes.class);
    } catch (AccessDeniedException e) {
      throw CommandException.usage(
          name + ": " + OptionFiles.reason(e) + "; look at the permissions of its folder", e);
    } catch (IOException e) {
      // There is none, which the caller tells with what there is instead.
    }
  }

  private static Path path(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw CommandException.usage(name + ": is no path: " + e.getReason(), e);
    }
  }

  private static String examples(Path folder) {
    String[] names = folder.toFile().list((File in, String name) -> name.endsWith(".gguf"));
    if (names == null || names.length == 0) {
      return "; there is no file that ends in .gguf";
    }
    Arrays.sort(names);
    String named =
        String.join(", ", Arrays.asList(names).subList(0, Math.min(NAMED, names.length)));
    int more = names.length - NAMED;
    return "; there is " + named + (more > 0 ? " and " + more + " more" : "");
  }

  /// Returns whether a name is that of an archive, a compressed file, or an entry of one.
  static boolean isArchive(String name) {
    // Without loading anything for the names that nearly all files have.
    return (name.indexOf('!') >= 0 || !name.endsWith(".gguf")) && Archives.isArchive(name);
  }

  /// Opens a FILE and reads as much of its header as can be read.
  ///
  /// @throws CommandException if it cannot be opened
  static Inspection inspect(String name) {
    if (isArchive(name)) {
      return Archives.inspect(name);
    }
    Path path = file(name);
    try {
      return Gguf.inspect(path);
    } catch (GgufException e) {
      throw CommandException.usage(e.getMessage(), e);
    }
  }
}
