package dev.gguf.mapping.checkpoint;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The parameters of a checkpoint: of all safetensors files of a folder, or of a single file.
///
/// Opening reads headers only. Values are read from mapped memory when they are asked for, as
/// floats whatever their dtype; 8-bit floats are multiplied with the scales that lie beside them.
/// Immutable and safe to share between threads; closing it unmaps the data at once.
public final class Checkpoint implements AutoCloseable {
  private static final int MAX_FILES = 10_000;

  private final Path path;
  private final @Nullable WeightIndex index;
  private final @Nullable ModelConfig config;
  private final List<Safetensors> files;
  private final List<String> absentFiles;
  private final Map<String, CheckpointParameter> parameters;

  private Checkpoint(
      Path path,
      @Nullable WeightIndex index,
      @Nullable ModelConfig config,
      List<Safetensors> files,
      List<String> absentFiles,
      Map<String, CheckpointParameter> parameters) {
    this.path = path;
    this.index = index;
    this.config = config;
    this.files = files;
    this.absentFiles = absentFiles;
    this.parameters = parameters;
  }

  /// Opens a folder with safetensors files, one such file, or the files that a weight index
  /// (`…index.json`) names. Files of an index that are not there are told by [#absentFiles()].
  ///
  /// @throws CheckpointException if nothing of the kind is there, or the bytes of a file contradict
  ///   its header
  public static Checkpoint open(Path path) throws CheckpointException {
    boolean folder = Files.isDirectory(path);
    Path home = folder ? path : path.toAbsolutePath().getParent();
    WeightIndex index = null;
    if (!folder && path.toString().endsWith(".json")) {
      index = WeightIndex.read(path);
    } else if (folder && Files.exists(path.resolve(WeightIndex.FILE_NAME))) {
      index = WeightIndex.read(path.resolve(WeightIndex.FILE_NAME));
    }
    Path configPath = Objects.requireNonNull(home).resolve(ModelConfig.FILE_NAME);
    ModelConfig config = Files.isRegularFile(configPath) ? ModelConfig.read(configPath) : null;
    List<Path> wanted = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    if (index != null) {
      for (String name : index.files()) {
        Path file = home.resolve(name);
        if (Files.exists(file)) {
          wanted.add(file);
        } else {
          absent.add(name);
        }
      }
    } else if (folder) {
      wanted.addAll(list(path));
    } else {
      wanted.add(path);
    }
    if (wanted.isEmpty()) {
      throw new CheckpointException(
          path,
          absent.isEmpty()
              ? "has no safetensors file"
              : "none of the " + absent.size() + " files of its weight index is there");
    }
    return open(path, index, config, wanted, absent);
  }

  private static Checkpoint open(
      Path path,
      @Nullable WeightIndex index,
      @Nullable ModelConfig config,
      List<Path> wanted,
      List<String> absent)
      throws CheckpointException {
    List<Safetensors> files = new ArrayList<>();
    Checkpoint checkpoint = null;
    try {
      for (Path file : wanted) {
        files.add(Safetensors.open(file));
      }
      Map<String, CheckpointParameter> all = gather(files, index);
      Map<String, CheckpointParameter> parameters = Scales.attach(all, config);
      checkpoint =
          new Checkpoint(
              path,
              index,
              config,
              List.copyOf(files),
              List.copyOf(absent),
              Collections.unmodifiableMap(parameters));
      return checkpoint;
    } finally {
      if (checkpoint == null) {
        for (Safetensors file : files) {
          file.close();
        }
      }
    }
  }

  private static List<Path> list(Path folder) throws CheckpointException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.safetensors")) {
      for (Path file : found) {
        if (files.size() == MAX_FILES) {
          throw new CheckpointException(folder, "has more than " + MAX_FILES + " files");
        }
        files.add(file);
      }
    } catch (CheckpointException e) {
      throw e;
    } catch (IOException e) {
      throw new CheckpointException(folder, "cannot be listed: " + e.getMessage(), e);
    }
    Collections.sort(files);
    return files;
  }

  private static Map<String, CheckpointParameter> gather(
      List<Safetensors> files, @Nullable WeightIndex index) throws CheckpointException {
    Map<String, CheckpointParameter> all = new LinkedHashMap<>();
    for (Safetensors file : files) {
      String fileName = String.valueOf(file.path().getFileName());
      for (CheckpointParameter parameter : file.parameters().values()) {
        String indexed = index == null ? null : index.fileOf(parameter.name()).orElse(null);
        if (indexed != null && !indexed.equals(fileName)) {
          continue;
        }
        CheckpointParameter other = all.putIfAbsent(parameter.name(), parameter);
        if (other != null) {
          throw new CheckpointException(
              file.path(), "holds " + parameter.name() + ", which is in " + other.path() + " too");
        }
      }
      if (index != null) {
        for (String name : index.parameters()) {
          if (!all.containsKey(name) && fileName.equals(index.fileOf(name).orElse(null))) {
            throw new CheckpointException(
                index.path(), "says that " + name + " is in " + fileName + ", which lacks it");
          }
        }
      }
    }
    return all;
  }

  /// Returns the folder or file that was opened.
  public Path path() {
    return path;
  }

  /// Returns the weight index, if there is one.
  public Optional<WeightIndex> index() {
    return Optional.ofNullable(index);
  }

  /// Returns the `config.json` beside the weights, if there is one.
  public Optional<ModelConfig> config() {
    return Optional.ofNullable(config);
  }

  /// Returns the names of the files that the weight index names and that are not there.
  public List<String> absentFiles() {
    return absentFiles;
  }

  /// Returns all parameters, file by file in the order of their headers; those that are the scales
  /// of another one are found through [CheckpointParameter#scale()] and not listed.
  public Collection<CheckpointParameter> parameters() {
    return parameters.values();
  }

  /// Returns the parameter with this name.
  public Optional<CheckpointParameter> find(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  /// Reads elements in row-major order as floats. 64-bit values are rounded.
  ///
  /// @param from the first element
  /// @param count how many
  /// @param into receives them, from index `at` on
  /// @throws CheckpointException if the values are of a kind that cannot be read, or the file has
  ///   become shorter
  /// @throws IndexOutOfBoundsException if the range is not within the parameter or the array
  public void read(CheckpointParameter parameter, long from, int count, float[] into, int at)
      throws CheckpointException {
    Objects.checkFromIndexSize(from, count, parameter.elements());
    Objects.checkFromIndexSize(at, count, into.length);
    if (count == 0) {
      return;
    }
    if (!parameter.dtype().isReadable()) {
      throw new CheckpointException(
          parameter.path(),
          parameter.name() + " is " + parameter.dtypeName() + ", whose values are not read here");
    }
    try {
      decode(parameter, from, count, into, at);
      Scales.apply(parameter, from, count, into, at);
    } catch (InternalError e) {
      // The JVM's answer to reading a mapped page that the file no longer has.
      throw new CheckpointException(parameter.path(), shorter(parameter), e);
    }
    // Up to the end of the last page it gives zeros without a word.
    if (!parameter.file().isWhole()) {
      throw new CheckpointException(parameter.path(), shorter(parameter));
    }
  }

  private static String shorter(CheckpointParameter parameter) {
    return "has become shorter while " + parameter.name() + " was read";
  }

  static void decode(CheckpointParameter parameter, long from, int count, float[] into, int at)
      throws CheckpointException {
    MemorySegment data = parameter.file().data(parameter);
    parameter.dtype().decode(data, from, count, into, at);
  }

  /// Reads a whole parameter.
  ///
  /// @throws CheckpointException as [#read(CheckpointParameter, long, int, float\[\], int)] does,
  ///   and if it has more elements than an array can have
  public float[] read(CheckpointParameter parameter) throws CheckpointException {
    if (parameter.elements() > Integer.MAX_VALUE - 8) {
      throw new CheckpointException(
          parameter.path(),
          parameter.name() + " has " + parameter.elements() + " elements; read it in parts");
    }
    float[] values = new float[(int) parameter.elements()];
    read(parameter, 0, values.length, values, 0);
    return values;
  }

  /// Returns the bytes of a parameter as they are in the file, mapped and read-only. The segment
  /// lives until the checkpoint is closed; reading it where the file has been shortened meanwhile
  /// makes the JVM throw an [InternalError].
  ///
  /// @throws CheckpointException if the file cannot be mapped
  public MemorySegment data(CheckpointParameter parameter) throws CheckpointException {
    return parameter.bytes() == 0 ? MemorySegment.NULL : parameter.file().data(parameter);
  }

  /// Unmaps and closes all files. Closing twice has no effect.
  @Override
  public void close() throws CheckpointException {
    for (Safetensors file : files) {
      file.close();
    }
  }
}
