package dev.gguf.mapping;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Tensor tables of published models with the keys that fit them.
final class TensorTables {
  /// One model without data.
  record Model(String name, String architecture, Metadata metadata, List<Tensor> tensors) {}

  private TensorTables() {}

  /// Reads a table: name, ne and type, separated by tabs, under a line that names the columns.
  static List<Tensor> tensors(Path file) throws IOException {
    List<Tensor> tensors = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (String line : lines.subList(1, lines.size())) {
      String[] columns = line.split("\t", -1);
      TensorType type = TensorType.named(columns[2].toUpperCase(Locale.ROOT)).orElseThrow();
      tensors.add(Tensor.of(columns[0], type, numbers(columns[1])));
    }
    return tensors;
  }

  static long[] numbers(String text) {
    String[] parts = text.split(",", -1);
    long[] numbers = new long[parts.length];
    for (int i = 0; i < parts.length; i++) {
      numbers[i] = Long.parseLong(parts[i].strip());
    }
    return numbers;
  }

  /// Reads all models of a folder with a `keys.json` and a table each.
  static List<Model> models(Path folder) throws IOException {
    List<Model> models = new ArrayList<>();
    for (Map.Entry<String, Metadata> entry : keys(folder.resolve("keys.json")).entrySet()) {
      Metadata metadata = entry.getValue();
      models.add(
          new Model(
              entry.getKey(),
              metadata.string("general.architecture"),
              metadata,
              tensors(folder.resolve(entry.getKey() + ".tsv"))));
    }
    return models;
  }

  static Model model(Path folder, String name) throws IOException {
    return models(folder).stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow();
  }

  private static Map<String, Metadata> keys(Path file) throws IOException {
    Map<String, Metadata> all = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String model = json.currentName();
        json.nextToken();
        all.put(model, model(json));
      }
    }
    return all;
  }

  private static Metadata model(JsonParser json) throws IOException {
    Metadata.Builder builder = Metadata.builder();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean architecture = json.currentName().equals("architecture");
      json.nextToken();
      if (architecture) {
        builder.string("general.architecture", json.getText());
      } else {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String key = json.currentName();
          json.nextToken();
          json.nextToken();
          String type = json.getText();
          json.nextToken();
          value(builder, key, type, json);
          json.nextToken();
        }
      }
    }
    return builder.build();
  }

  private static void value(Metadata.Builder builder, String key, String type, JsonParser json)
      throws IOException {
    switch (type) {
      case "u32" -> builder.uint32(key, json.getLongValue());
      case "i32" -> builder.int32(key, json.getIntValue());
      case "f32" -> builder.float32(key, json.getFloatValue());
      case "bool" -> builder.bool(key, json.getBooleanValue());
      case "str" -> builder.string(key, json.getText());
      case "arr" -> {
        json.nextToken();
        String elementType = json.getText();
        json.nextToken();
        List<Long> numbers = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          numbers.add(
              json.currentToken().isBoolean()
                  ? (json.getBooleanValue() ? 1L : 0L)
                  : json.getLongValue());
        }
        json.nextToken();
        ValueType element = elementType.equals("bool") ? ValueType.BOOL : ValueType.INT32;
        builder.integers(key, element, numbers.stream().mapToLong(n -> n).toArray());
      }
      default -> throw new IOException("type " + type + " of " + key);
    }
  }
}
