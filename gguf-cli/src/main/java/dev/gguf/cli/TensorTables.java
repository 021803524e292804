package dev.gguf.cli;

import dev.gguf.Tensor;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.Table;
import dev.gguf.cli.render.TextWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The tensor table in columns.
final class TensorTables {
  private TensorTables() {}

  /// Returns the table for people.
  ///
  /// @param sets whether the model has several files, which are then named
  static Table forPeople(List<Tensor> tensors, boolean sets) {
    Table table =
        new Table(
            "name",
            "type",
            "ne (row first)",
            "shape (row last)",
            ">size",
            ">bytes",
            ">offset",
            sets ? "file" : "");
    for (Tensor tensor : tensors) {
      table.row(
          tensor.name(),
          tensor.type().name(),
          dimensions(tensor.ne(), " x "),
          dimensions(tensor.shape(), " x "),
          Numbers.size(tensor.bytes()),
          Long.toString(tensor.bytes()),
          place(tensor),
          sets ? String.valueOf(tensor.file().path().getFileName()) : "");
    }
    return table;
  }

  /// Returns the table for programs: every field that the JSON document has.
  static Table exact(List<Tensor> tensors) {
    Table table =
        new Table(
            "name",
            "type",
            ">typeId",
            "ne",
            "shape",
            ">elements",
            ">bytes",
            ">offset",
            "file",
            ">layer");
    for (Tensor tensor : tensors) {
      table.row(
          tensor.name(),
          tensor.type().name(),
          Long.toString(tensor.type().id()),
          dimensions(tensor.ne(), "x"),
          dimensions(tensor.shape(), "x"),
          Long.toString(tensor.elements()),
          Long.toString(tensor.bytes()),
          place(tensor),
          tensor.file().path().toString(),
          tensor.layer().isPresent() ? Integer.toString(tensor.layer().getAsInt()) : "");
    }
    return table;
  }

  /// Returns the table with the numbers in names folded.
  static Table patterns(List<TensorPatterns.Group> groups, boolean forPeople) {
    Table table =
        forPeople
            ? new Table("name", ">tensors", "type", "ne (row first)", "shape (row last)", ">bytes")
            : new Table("name", ">tensors", "type", "ne", "shape", ">bytes");
    String separator = forPeople ? " x " : "x";
    for (TensorPatterns.Group group : groups) {
      Map<String, Integer> types = new LinkedHashMap<>();
      Map<String, Integer> ne = new LinkedHashMap<>();
      Map<String, Integer> shapes = new LinkedHashMap<>();
      long bytes = 0;
      for (Tensor tensor : group.tensors()) {
        types.merge(tensor.type().name(), 1, Integer::sum);
        ne.merge(dimensions(tensor.ne(), separator), 1, Integer::sum);
        shapes.merge(dimensions(tensor.shape(), separator), 1, Integer::sum);
        bytes += tensor.bytes();
      }
      table.row(
          group.name(),
          Integer.toString(group.tensors().size()),
          counted(types),
          counted(ne),
          counted(shapes),
          forPeople ? Numbers.size(bytes) : Long.toString(bytes));
    }
    return table;
  }

  private static String counted(Map<String, Integer> counts) {
    if (counts.size() == 1) {
      return counts.keySet().iterator().next();
    }
    List<String> parts = new ArrayList<>();
    counts.forEach((word, count) -> parts.add(count + "× " + word));
    return String.join(", ", parts);
  }

  /// Writes how many tensors the table has and what they take.
  static void total(TextWriter text, List<Tensor> tensors) {
    long bytes = 0;
    for (Tensor tensor : tensors) {
      bytes += tensor.bytes();
    }
    text.newline().line(Numbers.of(tensors.size(), "tensor") + ", " + Numbers.sizeAndBytes(bytes));
  }

  private static String place(Tensor tensor) {
    return hasPlace(tensor) ? Long.toString(tensor.fileOffset()) : "";
  }

  /// Returns whether it is known where in its file a tensor is: not where the header is cut, since
  /// data begins behind it.
  static boolean hasPlace(Tensor tensor) {
    return tensor.file().isHeaderComplete() && tensor.offset() >= 0 && tensor.fileOffset() >= 0;
  }

  private static String dimensions(long[] sizes, String separator) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < sizes.length; i++) {
      text.append(i == 0 ? "" : separator).append(sizes[i]);
    }
    return text.toString();
  }
}
