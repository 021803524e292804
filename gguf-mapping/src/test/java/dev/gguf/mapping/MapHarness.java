package dev.gguf.mapping;

import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Says where a map and the truth about some model disagree. Whoever writes a map runs it against a
/// tensor table, a converted model or a list of parameter names; an empty answer is agreement.
final class MapHarness {
  private final NameMap map;

  MapHarness(NameMap map) {
    this.map = map;
  }

  /// Maps the tensor table of a real model: every tensor has to be mapped, or set aside for a
  /// reason, nothing may be missing, and dimensions have to be those that follow from the keys.
  List<String> table(Metadata metadata, List<Tensor> tensors) {
    List<String> differences = new ArrayList<>();
    for (Target target : Target.values()) {
      complete(map.map(metadata, tensors, target, MapOptions.DEFAULT), differences);
    }
    complete(map.map(metadata, tensors, Target.HF, MapOptions.WITH_MTP), differences);
    return differences;
  }

  private static void complete(Mapping mapping, List<String> differences) {
    for (Missing missing : mapping.missing()) {
      differences.add(
          mapping.target().id() + ": missing " + missing.parameter() + ": " + missing.reason());
    }
    for (Unmapped unmapped : mapping.unmapped()) {
      if (unmapped.group() == Group.UNKNOWN) {
        differences.add(mapping.target().id() + ": unknown " + unmapped.tensor().name());
      }
    }
    for (ShapeDifference difference : mapping.shapeDifferences()) {
      differences.add(mapping.target().id() + ": " + difference);
    }
    accounted(mapping, differences);
  }

  /// Every tensor is mapped once or unmapped, every parameter is fed once.
  private static void accounted(Mapping mapping, List<String> differences) {
    Map<String, Integer> seen = new TreeMap<>();
    mapping.mapped().forEach(e -> e.sources().forEach(t -> seen.merge(t.name(), 1, Integer::sum)));
    mapping.unmapped().forEach(u -> seen.merge(u.tensor().name(), 1, Integer::sum));
    for (Tensor tensor : mapping.tensors()) {
      if (seen.getOrDefault(tensor.name(), 0) != 1) {
        differences.add(tensor.name() + " is accounted for " + seen.get(tensor.name()) + " times");
      }
    }
    Map<String, Integer> fed = new TreeMap<>();
    mapping.parameterNames().forEach(name -> fed.merge(name, 1, Integer::sum));
    fed.forEach((name, times) -> {
      if (times != 1) {
        differences.add(name + " is fed " + times + " times");
      }
    });
  }

  /// Compares with what the converter did: `tensors.tsv` names for every tensor the parameters that
  /// it came from, and how.
  List<String> converted(Path gguf, Path tensorsTsv) throws IOException {
    List<String> differences = new ArrayList<>();
    try (Gguf model = Gguf.open(gguf)) {
      Mapping mapping = map.map(model.metadata(), model.tensors(), Target.HF, MapOptions.WITH_MTP);
      complete(mapping, differences);
      for (Map.Entry<String, String[]> line : lines(tensorsTsv).entrySet()) {
        converted(mapping, line.getKey(), line.getValue(), differences);
      }
    }
    return differences;
  }

  /// Compares the parameters that a file feeds with those that `parameters.tsv` rebuilt from it.
  List<String> feeds(Path gguf, Path parametersTsv) throws IOException {
    Map<String, String> expected = new LinkedHashMap<>();
    for (String[] line : lines(parametersTsv).values()) {
      if (!line[4].equals("missing")) {
        expected.put(line[0], line[1]);
      }
    }
    try (Gguf model = Gguf.open(gguf)) {
      return names(
          map.map(model.metadata(), model.tensors(), Target.HF, MapOptions.WITH_MTP), expected);
    }
  }

  private static void converted(
      Mapping mapping, String tensor, String[] line, List<String> differences) {
    MappedTensors entry = mapping.ofTensor(tensor).orElse(null);
    if (entry == null) {
      if (!line[4].equals("none")) {
        differences.add(tensor + " is not mapped, and comes from " + line[3]);
      }
      return;
    }
    List<String> names = entry.parameters().stream().map(Parameter::name).toList();
    List<String> from = Arrays.asList(line[3].split(" \\+ ", -1));
    if (!names.equals(from)) {
      differences.add(tensor + " comes from " + from + ", mapped to " + names);
    }
    List<String> allowed =
        switch (line[4]) {
          case "same" ->
              List.of("none", "stack-experts", "join-rows", "split-rows", "reorder-heads");
          case "same+reshape" -> List.of("reshape", "reorder-heads+reshape");
          case "transpose" -> List.of("transpose");
          case "stack-experts" -> List.of("split-experts");
          case "concat-rows" -> List.of("split-rows");
          case "kv-b-k", "kv-b-v" -> List.of("join-kv-b");
          case "permute-heads" -> List.of("unpermute-heads", "reorder-heads");
          case "select-rows" -> List.of("join-rows", "join-rows+reorder-heads");
          case "transpose-select-rows" -> List.of("join-rows+transpose");
          case "plus-one" -> List.of("minus-one");
          case "neg-exp" -> List.of("log-negative", "reorder-heads+log-negative");
          default -> List.of();
        };
    if (!allowed.contains(entry.transform())) {
      differences.add(tensor + " was made by " + line[4] + ", mapped by " + entry.transform());
    }
    if (line.length > 5 && !line[5].isEmpty()) {
      rows(entry, tensor, line[5], differences);
    }
  }

  /// Row `i` of the tensor is row `rows[i]` of the parameter; the mapping has to say the same the
  /// other way round.
  private static void rows(
      MappedTensors entry, String tensor, String text, List<String> differences) {
    long[] parameterRows = rows(text);
    RowOrder order = entry.rows(0, 0).orElse(null);
    if (order == null) {
      differences.add(tensor + ": the mapping does not say where rows come from");
      return;
    }
    int source = -1;
    for (int i = 0; i < entry.sources().size(); i++) {
      source = entry.sources().get(i).name().equals(tensor) ? i : source;
    }
    for (int i = 0; i < parameterRows.length; i++) {
      if (order.source(parameterRows[i]) != source || order.sourceRow(parameterRows[i]) != i) {
        differences.add(
            tensor
                + ": row "
                + parameterRows[i]
                + " of the parameter is row "
                + i
                + " of the tensor, the mapping says row "
                + order.sourceRow(parameterRows[i])
                + " of "
                + entry.sources().get(order.source(parameterRows[i])).name());
        return;
      }
    }
  }

  private static long[] rows(String text) {
    List<Long> rows = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int range = part.indexOf("..");
      if (range < 0) {
        rows.add(Long.parseLong(part));
        continue;
      }
      String[] rest = part.substring(range + 2).split(" step ", -1);
      long step = rest.length > 1 ? Long.parseLong(rest[1]) : 1;
      for (long row = Long.parseLong(part.substring(0, range));
          row <= Long.parseLong(rest[0]);
          row += step) {
        rows.add(row);
      }
    }
    return rows.stream().mapToLong(row -> row).toArray();
  }

  /// Reads a table by its first column.
  private static Map<String, String[]> lines(Path file) throws IOException {
    Map<String, String[]> lines = new LinkedHashMap<>();
    List<String> all = Files.readAllLines(file);
    for (String line : all.subList(1, all.size())) {
      String[] columns = line.split("\t", -1);
      lines.put(columns[0], columns);
    }
    return lines;
  }

  /// Compares the parameters of a mapping with a list of names and row-major shapes.
  static List<String> names(Mapping mapping, Map<String, String> expected) {
    Map<String, String> got = new TreeMap<>();
    for (MappedTensors entry : mapping.mapped()) {
      for (Parameter parameter : entry.parameters()) {
        for (String name : parameter.names()) {
          got.put(name, shape(parameter.shape()));
        }
      }
    }
    List<String> differences = new ArrayList<>();
    expected.forEach((name, shape) -> {
      String other = got.remove(name);
      if (other == null) {
        differences.add("not produced: " + name);
      } else if (!other.equals(shape)) {
        differences.add(name + " has the shape " + shape + ", produced " + other);
      }
    });
    got.keySet().forEach(name -> differences.add("not in the list: " + name));
    return differences;
  }

  static String shape(long[] shape) {
    StringBuilder text = new StringBuilder();
    for (long n : shape) {
      text.append(text.isEmpty() ? "" : ",").append(n);
    }
    return text.toString();
  }

  /// Reads a list of parameter names and shapes.
  static Map<String, String> names(Path file) throws IOException {
    Map<String, String> names = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("#") && !line.startsWith("name\t")) {
        String[] columns = line.split("\t", -1);
        names.put(columns[0], columns.length > 1 ? columns[1] : "");
      }
    }
    return names;
  }
}
