package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Inspection;
import dev.gguf.cli.render.Numbers;
import dev.gguf.write.FileOutput;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.OutputPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
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
  /// @param input the FILE that is read
  /// @throws CommandException if it cannot become one, is the one that is read, or is there and
  ///   `--force` is not given
  static Path path(Call call, String name, String input) {
    Path path = parse(name);
    if (isSame(path, input)) {
      throw CommandException.usage(name + ": is the file that is read; name another file to write");
    }
    requireFree(call, path);
    return path;
  }

  /// Returns a name as a path.
  ///
  /// @throws CommandException if it is none, or is `-`
  static Path parse(String name) {
    if (name.equals("-")) {
      throw CommandException.usage(
          "-: standard output cannot be written to, since a GGUF file is written at many places;"
              + " name a file");
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw CommandException.usage(name + ": is no path: " + e.getReason(), e);
    }
  }

  private static boolean isSame(Path path, String input) {
    try {
      return Files.exists(path) && Files.isSameFile(path, Path.of(input));
    } catch (IOException | InvalidPathException e) {
      // What is wrong with the input is told when it is opened.
      return false;
    }
  }

  /// Requires that a path can be written and is not taken, or that `--force` is given.
  static void requireFree(Call call, Path path) {
    try {
      OutputPath.require(path, call.has("--force"));
    } catch (GgufException e) {
      throw CommandException.usage(e.getMessage(), e);
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
    try {
      output.require(files);
    } catch (GgufException e) {
      throw CommandException.usage(e.getMessage(), e);
    }
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
