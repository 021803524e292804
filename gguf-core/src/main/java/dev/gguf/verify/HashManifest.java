package dev.gguf.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A list of hashes as llama-gguf-hash writes it: lines of an algorithm, a hash in hexadecimal, and
/// `FILE:TENSOR`, or `FILE` for all data of the file. Lines of other algorithms are left out.
///
/// @param lines in the order of the manifest
public record HashManifest(List<Line> lines) {
  /// One line.
  ///
  /// @param algorithm of the hash
  /// @param hex lower-case hexadecimal
  /// @param name what the hash is of
  public record Line(HashAlgorithm algorithm, String hex, String name) {
    /// Returns whether the line is about this name. The folder in front of the file does not count:
    /// manifests are made elsewhere.
    ///
    /// @param file name of the file, without its folder
    /// @param tensor name of the tensor, or null for all data of the file
    boolean isAbout(String file, @Nullable String tensor) {
      String end = tensor == null ? file : file + ":" + tensor;
      if (!name.endsWith(end)) {
        return false;
      }
      int before = name.length() - end.length() - 1;
      return before < 0 || name.charAt(before) == '/' || name.charAt(before) == '\\';
    }
  }

  /// Copies the list.
  public HashManifest {
    lines = List.copyOf(lines);
  }

  /// Reads a manifest.
  ///
  /// @throws IOException if the file cannot be read
  public static HashManifest read(Path path) throws IOException {
    return of(new String(Files.readAllBytes(path), StandardCharsets.UTF_8).lines().toList());
  }

  /// Returns the manifest that these lines are. A name may have spaces in it.
  public static HashManifest of(List<String> text) {
    List<Line> lines = new ArrayList<>();
    for (String line : text) {
      int word = end(line, 0);
      int start = start(line, word);
      int hexEnd = end(line, start);
      int name = start(line, hexEnd);
      Optional<HashAlgorithm> algorithm = HashAlgorithm.of(line.substring(0, word));
      if (algorithm.isPresent() && name < line.length()) {
        String hex = line.substring(start, hexEnd).toLowerCase(Locale.ROOT);
        lines.add(new Line(algorithm.get(), hex, line.substring(name).stripTrailing()));
      }
    }
    return new HashManifest(lines);
  }

  private static int end(String line, int from) {
    int at = from;
    while (at < line.length() && line.charAt(at) != ' ' && line.charAt(at) != '\t') {
      at++;
    }
    return at;
  }

  private static int start(String line, int from) {
    int at = from;
    while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
      at++;
    }
    return at;
  }

  /// Returns the strongest algorithm that the manifest has lines of.
  public Optional<HashAlgorithm> strongest() {
    return lines.stream().map(Line::algorithm).max(HashAlgorithm::compareTo);
  }

  /// Returns the hash of the first line of an algorithm about a file's data or one of its tensors.
  ///
  /// @param file name of the file, without its folder
  /// @param tensor name of the tensor, or null for all data of the file
  public Optional<String> find(HashAlgorithm algorithm, String file, @Nullable String tensor) {
    for (Line line : lines) {
      if (line.algorithm() == algorithm && line.isAbout(file, tensor)) {
        return Optional.of(line.hex());
      }
    }
    return Optional.empty();
  }
}
