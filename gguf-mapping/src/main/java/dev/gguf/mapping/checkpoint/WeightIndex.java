package dev.gguf.mapping.checkpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A `model.safetensors.index.json`: which file of a checkpoint holds which parameter. It has names
/// but no shapes; those are in the headers of the files. Immutable.
public final class WeightIndex {
  /// The name that the file has in a checkpoint's folder.
  public static final String FILE_NAME = "model.safetensors.index.json";

  private static final long MAX_BYTES = 64 << 20;

  private final Path path;
  private final Map<String, String> files;
  private final OptionalLong totalSize;

  private WeightIndex(Path path, Map<String, String> files, OptionalLong totalSize) {
    this.path = path;
    this.files = files;
    this.totalSize = totalSize;
  }

  /// Reads a file.
  ///
  /// @throws CheckpointException if it cannot be read, is no such index, has more than 64 MiB, or
  ///   names a file outside its own folder
  public static WeightIndex read(Path path) throws CheckpointException {
    return Json.read(path, MAX_BYTES, parser -> of(path, Json.object(parser)));
  }

  private static WeightIndex of(Path path, Map<String, @Nullable Object> json) throws IOException {
    if (!(json.get("weight_map") instanceof Map<?, ?> map)) {
      throw new CheckpointException(path, "has no weight_map; a weight index is expected");
    }
    Map<String, String> files = LinkedHashMap.newLinkedHashMap(map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = (String) entry.getKey();
      if (!(entry.getValue() instanceof String file) || !isPlainName(file)) {
        throw new CheckpointException(
            path,
            "weight_map gives "
                + entry.getValue()
                + " for "
                + name
                + "; the name of a file in the same folder is expected");
      }
      files.put(name, file);
    }
    Object size = json.get("metadata") instanceof Map<?, ?> about ? about.get("total_size") : null;
    return new WeightIndex(
        path,
        files,
        size instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty());
  }

  private static boolean isPlainName(String file) {
    return !file.isEmpty()
        && !file.equals(".")
        && !file.equals("..")
        && file.indexOf('/') < 0
        && file.indexOf('\\') < 0
        && file.indexOf('\0') < 0;
  }

  /// Returns the file.
  public Path path() {
    return path;
  }

  /// Returns the names of all parameters, in the order of the file; with those that hold the scales
  /// of a quantised checkpoint (`…_scale_inv`).
  public Set<String> parameters() {
    return Collections.unmodifiableSet(files.keySet());
  }

  /// Returns the name of the file that holds a parameter.
  public Optional<String> fileOf(String parameter) {
    return Optional.ofNullable(files.get(parameter));
  }

  /// Returns the names of all files, in the order in which they are first named.
  public Set<String> files() {
    return new LinkedHashSet<>(files.values());
  }

  /// Returns `total_size`: the bytes of all parameters, without headers.
  public OptionalLong totalSize() {
    return totalSize;
  }
}
