package dev.gguf.mapping;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A small model: the keys and tensors that the converter makes of it, the parameters that are
/// saved and the modules that they belong to, each with its row-major shape. Those in the folder
/// `built` are models that transformers 5.17 built; those in `accepted` are checkpoints of models
/// that it does not know, with names that the format's converter took, and have no modules. One
/// text file each, in which `{0..3}` and `{0,2}` stand for several numbers.
record BuiltModel(
    String kind,
    String name,
    String architecture,
    Metadata metadata,
    List<Tensor> tensors,
    Map<String, String> parameters,
    Map<String, String> modules) {
  /// Reads all of them.
  static List<BuiltModel> all() throws IOException {
    List<BuiltModel> models = new ArrayList<>();
    for (String kind : List.of("built", "accepted")) {
      Path folder =
          Shared.root().resolve("gguf-mapping/src/test/resources/dev/gguf/mapping").resolve(kind);
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.sorted().toList()) {
          models.add(read(kind, file));
        }
      }
    }
    return models;
  }

  private static BuiltModel read(String kind, Path file) throws IOException {
    String architecture = "";
    Metadata.Builder metadata = Metadata.builder();
    List<Tensor> tensors = new ArrayList<>();
    Map<String, String> parameters = new LinkedHashMap<>();
    Map<String, String> modules = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "architecture" -> {
          architecture = words[1];
          metadata.string("general.architecture", architecture);
        }
        case "key" -> key(metadata, architecture + "." + words[1], words[2]);
        case "tensor" ->
            names(words[1])
                .forEach(name ->
                    tensors.add(Tensor.of(name, TensorType.F32, TensorTables.numbers(words[2]))));
        case "parameter" -> names(words[1]).forEach(name -> parameters.put(name, words[2]));
        case "module" -> names(words[1]).forEach(name -> modules.put(name, words[2]));
        default -> {
          // a comment or an empty line
        }
      }
    }
    String name = file.getFileName().toString().replace(".txt", "");
    return new BuiltModel(kind, name, architecture, metadata.build(), tensors, parameters, modules);
  }

  /// Adds a key whose value is a number, `true`, `false`, several of them joined by commas, or a
  /// text.
  static void key(Metadata.Builder metadata, String key, String value) {
    if (!value.matches("(true|false|\\d+)(,(true|false|\\d+))*")) {
      metadata.string(key, value);
      return;
    }
    boolean bools = value.startsWith("true") || value.startsWith("false");
    long[] numbers =
        Arrays.stream(value.split(",", -1))
            .mapToLong(n -> bools ? (n.equals("true") ? 1 : 0) : Long.parseLong(n))
            .toArray();
    ValueType type = bools ? ValueType.BOOL : ValueType.UINT32;
    if (numbers.length > 1) {
      metadata.integers(key, type, numbers);
    } else {
      metadata.integer(key, type, numbers[0]);
    }
  }

  /// Writes out the numbers in braces.
  private static List<String> names(String pattern) {
    int open = pattern.indexOf('{');
    if (open < 0) {
      return List.of(pattern);
    }
    int close = pattern.indexOf('}');
    String inner = pattern.substring(open + 1, close);
    int range = inner.indexOf("..");
    IntStream numbers =
        range < 0
            ? Arrays.stream(inner.split(",", -1)).mapToInt(Integer::parseInt)
            : IntStream.rangeClosed(
                Integer.parseInt(inner.substring(0, range)),
                Integer.parseInt(inner.substring(range + 2)));
    List<String> names = new ArrayList<>();
    numbers.forEach(number ->
        names.addAll(names(pattern.substring(0, open) + number + pattern.substring(close + 1))));
    return names;
  }
}
