package dev.gguf.mapping;

import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.internal.Resources;
import dev.gguf.mapping.internal.MapFile;
import dev.gguf.mapping.internal.MapParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The tensor names of one architecture and the parameters that they stand for, read from a text
/// file. It is immutable and safe to share.
public final class NameMap {
  private static final ConcurrentMap<String, NameMap> READ = new ConcurrentHashMap<>();

  private final String architecture;
  private final MapFile file;

  private NameMap(String architecture, MapFile file) {
    this.architecture = architecture;
    this.file = file;
  }

  /// Returns the map of an architecture, or empty if there is none. The file is read at the first
  /// call for this architecture, and no other file is but those that it includes.
  ///
  /// @param architecture the value of `general.architecture`, such as `glm-dsa`
  public static Optional<NameMap> forArchitecture(String architecture) {
    NameMap known = READ.get(architecture);
    if (known == null && isFileName(architecture)) {
      MapFile file = MapParser.parse(architecture, new MapTexts());
      if (file != null) {
        known = new NameMap(architecture, file);
        READ.put(architecture, known);
      }
    }
    return Optional.ofNullable(known);
  }

  /// Returns a map from the text of a map file.
  ///
  /// @param architecture the architecture string
  /// @param text what the file holds
  /// @param included gives the text of other map files by their names without `.map`, or null
  /// @throws IllegalArgumentException if a text breaks the grammar of map files; the message names
  ///   the line
  public static NameMap parse(
      String architecture, String text, Function<String, @Nullable String> included) {
    MapFile file =
        MapParser.parse(
            architecture, name -> name.equals(architecture) ? text : included.apply(name));
    if (file == null) {
      throw new IllegalArgumentException(architecture + " has no text");
    }
    return new NameMap(architecture, file);
  }

  /// Returns the text of the map file of an architecture or a family, or null if there is none.
  ///
  /// @param name of the file, without `.map`
  public static @Nullable String text(String name) {
    return isFileName(name) ? new MapTexts().apply(name) : null;
  }

  /// An architecture string comes from a file that anyone can write, and must not name a path.
  private static boolean isFileName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.')) {
        return false;
      }
    }
    return !name.isEmpty() && name.length() < 64;
  }

  /// Reads map files of the module.
  private static final class MapTexts implements Function<String, @Nullable String> {
    @Override
    public @Nullable String apply(String name) {
      byte[] text = Resources.find(NameMap.class, "maps/".concat(name).concat(".map"));
      return text == null ? null : new String(text, StandardCharsets.UTF_8);
    }
  }

  MapFile file() {
    return file;
  }

  /// Returns the architecture string.
  public String architecture() {
    return architecture;
  }

  /// Returns what Hugging Face calls the models of this architecture.
  public List<ModelType> modelTypes() {
    List<ModelType> types = new ArrayList<>();
    for (MapFile.Model model : file.models()) {
      types.add(model.type());
    }
    return types;
  }

  /// Returns what the map was checked against, one line each: the kind of data, a space, its name.
  public List<String> checks() {
    return file.checks();
  }

  /// Returns what the map does not cover, one sentence each.
  public List<String> notes() {
    return file.notes();
  }

  /// Returns other spellings of parameter names: a prefix, and what stands in its place in some
  /// checkpoints of the same model.
  public List<Spelling> spellings() {
    List<Spelling> spellings = new ArrayList<>();
    for (MapFile.Spelling spelling : file.spellings()) {
      spellings.add(new Spelling(spelling.prefix(), spelling.other()));
    }
    return spellings;
  }

  /// Returns the keys without which the loaders of the architecture refuse a file with these
  /// metadata.
  public List<RequiredKey> requiredKeys(Metadata metadata) {
    Mapper mapper = mapper(metadata, List.of(), Target.HF, MapOptions.DEFAULT);
    List<RequiredKey> required = new ArrayList<>();
    for (MapFile.Required key : file.required()) {
      if (key.condition() == null || key.condition().holds(mapper)) {
        required.add(new RequiredKey(architecture + "." + key.key(), key.reason()));
      }
    }
    return required;
  }

  /// Maps the tensors of a model to the main language model of the target.
  public Mapping map(Gguf gguf, Target target) {
    return map(gguf.metadata(), gguf.tensors(), target, MapOptions.DEFAULT);
  }

  /// Maps a tensor table with the metadata that describe it.
  ///
  /// @param metadata the keys of the architecture, from which layers and shapes follow
  /// @param tensors the table, in file order
  public Mapping map(Metadata metadata, List<Tensor> tensors, Target target, MapOptions options) {
    return mapper(metadata, tensors, target, options).map(architecture);
  }

  private Mapper mapper(
      Metadata metadata, List<Tensor> tensors, Target target, MapOptions options) {
    TensorIndex index = new TensorIndex(tensors, file.sections());
    long blocks = count(metadata, "block_count", -1);
    if (blocks < 0) {
      for (int i = 0; i < index.size(); i++) {
        blocks = Math.max(blocks, index.layer(i));
      }
      blocks++;
    }
    long mtp = Math.min(count(metadata, "nextn_predict_layers", 0), blocks);
    return new Mapper(file, architecture, metadata, index, blocks, mtp, target, options);
  }

  private long count(Metadata metadata, String key, long absent) {
    Metadata.Entry entry = metadata.find(architecture.concat(".").concat(key)).orElse(null);
    if (entry == null || !entry.type().isInteger() || entry.bits() < 0) {
      return absent;
    }
    return entry.bits();
  }
}
