package dev.gguf.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Runs many command lines in one process, so that the ahead-of-time cache made of that process
/// holds the classes that all of them need. What the commands print is thrown away.
final class Training {
  private Training() {}

  /// Runs every line of a file; empty lines and lines that begin with `#` are left out.
  ///
  /// @param args the file's path
  static void main(String[] args) throws IOException {
    List<String> lines = Files.readAllLines(Path.of(args[0]), StandardCharsets.UTF_8);
    OutputStream nowhere = OutputStream.nullOutputStream();
    Environment environment = Environment.ofProcess(nowhere, nowhere);
    for (String line : lines) {
      String command = line.strip();
      if (!command.isEmpty() && !command.startsWith("#")) {
        Main.run(command.split("\\s+", -1), environment);
      }
    }
  }
}
