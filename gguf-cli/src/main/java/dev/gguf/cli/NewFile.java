package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Inspection;
import dev.gguf.cli.render.Numbers;
import dev.gguf.write.FileOutput;
import dev.gguf.write.GgufWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// What the commands that write files have in common.
final class NewFile {
  private NewFile() {}

  /// Adds the options `--force` and `--verify`.
  static void describe(Syntax syntax) {
    syntax.flag("Replace what is there, once the new file is right.", "--force");
    syntax.flag("Read everything back and compare it before the file gets its name.", "--verify");
  }

  /// Returns the path of a file to be written.
  ///
  /// @throws CommandException if it cannot become one, or is there and `--force` is not given
  static Path path(Call call, String name) {
    Path path;
    try {
      path = Path.of(name);
    } catch (InvalidPathException e) {
      throw CommandException.usage(name + ": is no path: " + e.getReason(), e);
    }
    if (path.getFileName() == null || Files.isDirectory(path)) {
      throw CommandException.usage(name + ": is a folder; name the file to write");
    }
    requireFree(call, path);
    return path;
  }

  /// Requires that a path is not taken, or that `--force` is given.
  static void requireFree(Call call, Path path) {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw CommandException.usage(path + ": there is no folder " + folder + "; create it first");
    }
    if (!call.has("--force") && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw CommandException.usage(
          path + ": is there already and stays as it is; name another file, or give --force");
    }
  }

  /// Returns the model of an inspection that met nothing that stops the opening.
  ///
  /// @throws CommandException if there was something, with the first of it
  static Gguf whole(Inspection inspection, String name) {
    if (!inspection.findings().isEmpty()) {
      Finding first = inspection.findings().getFirst();
      throw CommandException.failure(
          (first.file() == null ? name : first.file().toString())
              + ": "
              + first.message()
              + " ["
              + first.rule().id()
              + "]; gguf check "
              + name
              + " tells more");
    }
    return inspection.gguf().orElseThrow();
  }

  /// Writes a file as the options say, see [#write(Call, SequencedMap)].
  static FileOutput.Space write(Call call, Path path, GgufWriter file) throws GgufException {
    SequencedMap<Path, GgufWriter> files = new LinkedHashMap<>();
    files.put(path, file);
    return write(call, files);
  }

  /// Writes files as the options say; tells before it starts what space they need, and what
  /// interrupted runs have left.
  ///
  /// @return the space that was needed
  /// @throws GgufException if they cannot be written; there is none of them then
  static FileOutput.Space write(Call call, SequencedMap<Path, GgufWriter> files)
      throws GgufException {
    FileOutput output =
        FileOutput.create()
            .overwrite(call.has("--force"))
            .verify(call.has("--verify"))
            .progress(new CopyProgress(call.output()));
    FileOutput.Space space = output.space(files);
    call.output()
        .note(
            Numbers.sizeAndBytes(space.needed())
                + " of disk space needed"
                + (space.size() > space.needed() + 4096
                    ? " for " + Numbers.size(space.size()) + ", most of which are holes"
                    : "")
                + ", "
                + Numbers.size(space.available())
                + " left");
    for (Path left : FileOutput.leftovers(files.firstEntry().getKey())) {
      call.output()
          .note(
              left + ": left by a run that was interrupted; it can be deleted if none is running");
    }
    output.write(files);
    return space;
  }
}
