package dev.gguf.mapping.checkpoint;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A `config.json`, as the Hugging Face libraries write it.
///
/// A model of several parts keeps the values of its language model in a section of its own
/// (`text_config` and its like). Every accessor looks there first and then at the top, so that a
/// caller asks for `hidden_size` and gets the language model's. A key whose value is null counts as
/// absent. Immutable.
public final class ModelConfig {
  /// The name that the file has in a checkpoint's folder.
  public static final String FILE_NAME = "config.json";

  private static final long MAX_BYTES = 16 << 20;

  /// Sections that hold the language model, outermost first (names used by transformers and by
  /// published models).
  private static final List<String> TEXT_SECTIONS =
      List.of(
          "thinker_config",
          "text_config",
          "llm_config",
          "language_config",
          "language_model_config",
          "language_model",
          "text_model_config");

  private final Path path;
  private final Map<String, @Nullable Object> top;
  private final Map<String, @Nullable Object> text;
  private final boolean nested;

  private ModelConfig(Path path, Map<String, @Nullable Object> top) {
    this.path = path;
    this.top = top;
    this.text = text(top);
    this.nested = !text.equals(top);
  }

  private static Map<String, @Nullable Object> text(Map<String, @Nullable Object> top) {
    Map<String, @Nullable Object> text = top;
    for (String section : TEXT_SECTIONS) {
      if (text.get(section) instanceof Map<?, ?> inner && !inner.isEmpty()) {
        text = map(inner);
      }
    }
    return text;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> map(Map<?, ?> map) {
    return (Map<String, @Nullable Object>) map;
  }

  /// Reads a file.
  ///
  /// @throws CheckpointException if it cannot be read, is no JSON object, has more than 16 MiB or
  ///   nests deeper than 64 levels
  public static ModelConfig read(Path path) throws CheckpointException {
    return new ModelConfig(path, Json.read(path, MAX_BYTES, Json::object));
  }

  /// Reads text, under the name of a file that need not exist.
  ///
  /// @throws CheckpointException as [#read] does
  public static ModelConfig parse(String name, String json) throws CheckpointException {
    Path path = Path.of(name);
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return new ModelConfig(path, Json.read(path, 0, new ByteArrayInputStream(bytes), Json::object));
  }

  /// Returns the file.
  public Path path() {
    return path;
  }

  /// Returns `model_type` of the whole model, such as `glm_moe_dsa`.
  public Optional<String> modelType() {
    return Optional.ofNullable(top.get("model_type") instanceof String type ? type : null);
  }

  /// Returns `model_type` of the language model: the same as [#modelType()] where the config has no
  /// section of its own for it.
  public Optional<String> textModelType() {
    return Optional.ofNullable(text.get("model_type") instanceof String type ? type : null)
        .or(this::modelType);
  }

  /// Returns the class names under `architectures`, empty where there are none.
  public List<String> architectures() {
    return has("architectures") ? strings("architectures") : List.of();
  }

  /// Returns whether the language model has a section of its own.
  public boolean isNested() {
    return nested;
  }

  /// Returns every key of the language model's section and of the top.
  public Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>(text.keySet());
    keys.addAll(top.keySet());
    return keys;
  }

  private @Nullable Object value(String key) {
    Object inner = text.get(key);
    return inner != null ? inner : top.get(key);
  }

  /// Returns whether a key has a value other than null.
  public boolean has(String key) {
    return value(key) != null;
  }

  /// Returns whether the value is a whole number that fits a long; `1e6` and `1.0` are whole.
  public boolean isInteger(String key) {
    return integer(value(key)) != null;
  }

  /// Returns whether the value is a number.
  public boolean isNumber(String key) {
    return value(key) instanceof Number;
  }

  /// Returns a whole number.
  ///
  /// @throws ConfigException if the key is absent or no whole number
  public long integer(String key) {
    Long value = integer(value(key));
    if (value == null) {
      throw wrong(key, "a whole number");
    }
    return value;
  }

  /// Returns a whole number, or empty if the key is absent.
  ///
  /// @throws ConfigException if the key is no whole number
  public OptionalLong findInteger(String key) {
    return has(key) ? OptionalLong.of(integer(key)) : OptionalLong.empty();
  }

  /// Returns a number.
  ///
  /// @throws ConfigException if the key is absent or no number
  public double number(String key) {
    if (!(value(key) instanceof Number number)) {
      throw wrong(key, "a number");
    }
    return number.doubleValue();
  }

  /// Returns a number, or empty if the key is absent.
  ///
  /// @throws ConfigException if the key is no number
  public OptionalDouble findNumber(String key) {
    return has(key) ? OptionalDouble.of(number(key)) : OptionalDouble.empty();
  }

  /// Returns a string.
  ///
  /// @throws ConfigException if the key is absent or no string
  public String string(String key) {
    if (!(value(key) instanceof String string)) {
      throw wrong(key, "a string");
    }
    return string;
  }

  /// Returns a string, or empty if the key is absent.
  ///
  /// @throws ConfigException if the key is no string
  public Optional<String> findString(String key) {
    return has(key) ? Optional.of(string(key)) : Optional.empty();
  }

  /// Returns a boolean.
  ///
  /// @throws ConfigException if the key is absent or no boolean
  public boolean bool(String key) {
    if (!(value(key) instanceof Boolean bool)) {
      throw wrong(key, "true or false");
    }
    return bool;
  }

  /// Returns a boolean, or the value given if the key is absent.
  ///
  /// @throws ConfigException if the key is no boolean
  public boolean bool(String key, boolean absent) {
    return has(key) ? bool(key) : absent;
  }

  /// Returns a list of strings.
  ///
  /// @throws ConfigException if the key is absent or no list of strings
  public List<String> strings(String key) {
    List<String> strings = new ArrayList<>();
    for (Object element : list(key, "a list of strings")) {
      if (!(element instanceof String string)) {
        throw wrong(key, "a list of strings");
      }
      strings.add(string);
    }
    return List.copyOf(strings);
  }

  /// Returns a list of whole numbers.
  ///
  /// @throws ConfigException if the key is absent or no list of whole numbers
  public long[] integers(String key) {
    List<?> list = list(key, "a list of whole numbers");
    long[] integers = new long[list.size()];
    for (int i = 0; i < integers.length; i++) {
      Long value = integer(list.get(i));
      if (value == null) {
        throw wrong(key, "a list of whole numbers");
      }
      integers[i] = value;
    }
    return integers;
  }

  private List<?> list(String key, String wanted) {
    if (!(value(key) instanceof List<?> list)) {
      throw wrong(key, wanted);
    }
    return list;
  }

  /// Returns a section, such as `quantization_config`, or empty if the key is absent or no object.
  public Optional<ModelConfig> section(String key) {
    return value(key) instanceof Map<?, ?> map
        ? Optional.of(new ModelConfig(path, map(map)))
        : Optional.empty();
  }

  /// Returns the base of the rotary embedding's frequencies, which is a key of its own
  /// (`rope_theta`) in older configs and stands under `rope_parameters` or `rope_scaling` in newer
  /// ones. Where `rope_parameters` has one section per kind of layer, that of full attention
  /// counts.
  public OptionalDouble ropeTheta() {
    if (isNumber("rope_theta")) {
      return OptionalDouble.of(number("rope_theta"));
    }
    for (String name : List.of("rope_parameters", "rope_scaling")) {
      ModelConfig rope = section(name).orElse(null);
      if (rope != null) {
        ModelConfig full = rope.section("full_attention").orElse(rope);
        if (full.isNumber("rope_theta")) {
          return OptionalDouble.of(full.number("rope_theta"));
        }
      }
    }
    return isNumber("rotary_emb_base")
        ? OptionalDouble.of(number("rotary_emb_base"))
        : OptionalDouble.empty();
  }

  private static @Nullable Long integer(@Nullable Object value) {
    if (value instanceof Long integer) {
      return integer;
    }
    if (value instanceof Double number
        && number == Math.rint(number)
        && Math.abs(number) < 0x1p63) {
      return number.longValue();
    }
    return null;
  }

  private ConfigException wrong(String key, String wanted) {
    Object value = value(key);
    return new ConfigException(
        path
            + ": "
            + key
            + (value == null ? " is absent; " : " is " + describe(value) + "; ")
            + wanted
            + " is expected");
  }

  private static String describe(Object value) {
    return switch (value) {
      case String string ->
          "the string \"" + (string.length() > 40 ? string.substring(0, 40) + "…" : string) + "\"";
      case Number number -> "the number " + number;
      case Boolean bool -> bool.toString();
      case List<?> list -> "a list of " + list.size() + " elements";
      default -> "an object";
    };
  }
}
