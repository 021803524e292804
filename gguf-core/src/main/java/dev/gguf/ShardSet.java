package dev.gguf;

import dev.gguf.internal.ShardName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the other files of a split set by the name of one, as the format's reference loader does:
/// names are made, not searched for.
final class ShardSet {
  private static final int MAX_SHARDS = 65_535;
  private static final int NAMED = 10;

  private ShardSet() {}

  /// Opens the files of a set.
  interface Reader {
    /// Returns whether there is such a file.
    default boolean exists(Path path) {
      return Files.exists(path);
    }

    /// Returns the file, or null after adding why it is none.
    ///
    /// @throws GgufException if the path is no readable file
    @Nullable GgufFile read(Path path, List<Finding> findings) throws GgufException;
  }

  /// Adds the given file and the others of its set, in the order of their numbers.
  static void collect(GgufFile given, Reader reader, List<GgufFile> files, List<Finding> findings)
      throws GgufException {
    ShardName name = ShardName.of(given.path()).orElse(null);
    if (name == null
        || name.count() < 2
        || name.count() > MAX_SHARDS
        || name.number() < 1
        || name.number() > name.count()
        || !isShard(given, name, reader)) {
      files.add(given);
      return;
    }
    List<String> missing = new ArrayList<>();
    for (int number = 1; number <= name.count(); number++) {
      if (number == name.number()) {
        files.add(given);
        continue;
      }
      Path path = given.path().resolveSibling(name.sibling(number));
      if (!reader.exists(path)) {
        missing.add(name.sibling(number));
        continue;
      }
      GgufFile file = reader.read(path, findings);
      if (file != null) {
        files.add(file);
      }
    }
    if (!missing.isEmpty()) {
      findings.add(missing(given, name, missing, files));
    }
  }

  /// Whether a file with the name of a shard is one. Its own keys say so; where they are absent, of
  /// a wrong type, from before `split.count` or at odds with the name, a neighbour with the keys of
  /// this set does.
  private static boolean isShard(GgufFile given, ShardName name, Reader reader)
      throws GgufException {
    Metadata metadata = given.metadata();
    Metadata.Entry count = metadata.find("split.count").orElse(null);
    if (count != null && count.type().isInteger() && count.bits() == name.count()) {
      return true;
    }
    Metadata.Entry old = metadata.find("general.split_count").orElse(null);
    if (old != null && old.type().isInteger() && old.bits() == name.count()) {
      return true;
    }
    int neighbour = name.number() == 1 ? 2 : 1;
    Path path = given.path().resolveSibling(name.sibling(neighbour));
    if (!reader.exists(path) || Files.isDirectory(path)) {
      return false;
    }
    GgufFile file = reader.read(path, new ArrayList<>());
    if (file == null) {
      return false;
    }
    Metadata.Entry other = file.metadata().find("split.count").orElse(null);
    boolean same = other != null && other.type().isInteger() && other.bits() == name.count();
    try {
      file.close();
    } catch (IOException e) {
      throw new GgufException(path + ": cannot be closed: " + GgufFile.reason(e), e);
    }
    return same;
  }

  private static Finding missing(
      GgufFile given, ShardName name, List<String> missing, List<GgufFile> files) {
    long there = 0;
    for (GgufFile file : files) {
      there += file.tensors().size();
    }
    List<String> named = missing.subList(0, Math.min(NAMED, missing.size()));
    String more =
        missing.size() > named.size() ? " and " + (missing.size() - named.size()) + " more" : "";
    Metadata.Entry promised = given.metadata().find("split.tensors.count").orElse(null);
    return Finding.of(
            FileRule.SHARD_MISSING,
            missing.size()
                + " of "
                + name.count()
                + " shards are missing: "
                + String.join(", ", named)
                + more
                + "; "
                + there
                + (promised != null && promised.type().isInteger() ? " of " + promised.bits() : "")
                + " tensors are there")
        .about(new Subject(Subject.Kind.SHARD, missing.getFirst()))
        .in(given.path())
        .withHint(
            "fetch "
                + String.join(", ", named)
                + more
                + " and put "
                + (missing.size() == 1 ? "it" : "them")
                + " beside "
                + given.path().getFileName());
  }
}
