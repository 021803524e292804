package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.check.FileCheck;
import dev.gguf.cli.render.Findings;
import dev.gguf.cli.render.Format;
import dev.gguf.cli.render.Output;
import dev.gguf.cli.render.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `gguf tensors`: the tensor table.
final class TensorsCommand extends Command {
  private static final Comparator<Tensor> BY_PLACE =
      (a, b) -> Long.compareUnsigned(a.offset(), b.offset());

  @Override
  String summary() {
    return "The tensor table: names, types, dimensions, sizes and places";
  }

  @Override
  List<String> description() {
    return List.of(
        "Dimensions are given in both orders: ne as the file has them, the length of a row first;"
            + " shape as numpy and PyTorch write them, the length of a row last.");
  }

  @Override
  List<Format> formats() {
    return List.of(Format.TEXT, Format.JSON, Format.CSV, Format.MARKDOWN);
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.value("--filter", "GLOB", "Only names that fit; * and ? stand for any characters.");
    syntax.value("--type", "T", "Only tensors of this type, such as Q4_K.");
    syntax.value("--layer", "N", "Only tensors of this layer.");
    syntax.value("--sort", "name|size|offset|file", "Order; default file, the order of the table.");
    syntax.flag("Fold names that differ in numbers only.", "--patterns");
  }

  @Override
  int run(Call call) throws IOException {
    String name = call.positional(0);
    String sort = call.word("--sort", "name", "size", "offset", "file");
    long layer = call.number("--layer", -1, 0, Integer.MAX_VALUE);
    String filter = call.option("--filter");
    TensorType type = type(call.option("--type"));
    try (Inspection inspection = Inputs.inspect(name)) {
      Gguf gguf = inspection.gguf().orElse(null);
      List<Tensor> all = gguf == null ? List.of() : gguf.tensors();
      List<Tensor> tensors = chosen(all, filter, type, layer);
      sort(tensors, sort);
      boolean sets = gguf != null && gguf.files().size() > 1;
      show(call, Path.of(name), tensors, inspection, sets);
      if (tensors.isEmpty() && !all.isEmpty()) {
        call.output().note("gguf: none of the " + all.size() + " tensors of " + name + " fits");
        return Exit.FOUND;
      }
      return call.status(Findings.worst(inspection.findings()));
    }
  }

  private static @Nullable TensorType type(@Nullable String text) {
    if (text == null) {
      return null;
    }
    TensorType type = TensorType.named(text.toUpperCase(Locale.ROOT)).orElse(null);
    if (type != null) {
      return type;
    }
    try {
      return TensorType.of(Integer.parseUnsignedInt(text));
    } catch (NumberFormatException e) {
      throw CommandException.usage(
          "--type " + text + ": there is no such tensor type; types are written like Q4_K or BF16");
    }
  }

  private static List<Tensor> chosen(
      List<Tensor> all, @Nullable String filter, @Nullable TensorType type, long layer) {
    Glob glob = filter == null ? null : new Glob(filter);
    List<Tensor> chosen = new ArrayList<>();
    for (Tensor tensor : all) {
      if ((glob == null || glob.matches(tensor.name()))
          && (type == null || type.equals(tensor.type()))
          && (layer < 0 || tensor.layer().orElse(-1) == layer)) {
        chosen.add(tensor);
      }
    }
    return chosen;
  }

  private static void sort(List<Tensor> tensors, @Nullable String order) {
    if (order == null || order.equals("file")) {
      return;
    }
    switch (order) {
      case "name" -> tensors.sort((a, b) -> NaturalOrder.compare(a.name(), b.name()));
      case "size" -> tensors.sort((a, b) -> Long.compare(b.bytes(), a.bytes()));
      default -> {
        // By file first: the table of a set is in the order of its files, and the sort is stable.
        List<Tensor> sorted = new ArrayList<>();
        int from = 0;
        for (int to = 1; to <= tensors.size(); to++) {
          if (to == tensors.size() || tensors.get(to).file() != tensors.get(from).file()) {
            List<Tensor> ofFile = new ArrayList<>(tensors.subList(from, to));
            ofFile.sort(BY_PLACE);
            sorted.addAll(ofFile);
            from = to;
          }
        }
        tensors.clear();
        tensors.addAll(sorted);
      }
    }
  }

  private static void show(
      Call call, Path path, List<Tensor> tensors, Inspection inspection, boolean sets) {
    Output output = call.output();
    List<Finding> findings = inspection.findings();
    List<TensorPatterns.Group> groups =
        call.has("--patterns") ? TensorPatterns.of(tensors) : List.of();
    if (output.isJson()) {
      List<Finding> judged = FileCheck.check(inspection).findings();
      TensorJson.write(output.json("tensors"), path, tensors, groups, judged, findings);
      return;
    }
    boolean text = output.format() == Format.TEXT;
    Table table;
    if (call.has("--patterns")) {
      table = TensorTables.patterns(groups, text);
    } else {
      table = text ? TensorTables.forPeople(tensors, sets) : TensorTables.exact(tensors);
    }
    switch (output.format()) {
      case CSV -> table.writeCsv(output.text());
      case MARKDOWN -> table.writeMarkdown(output.text());
      default -> {
        if (table.size() > 0) {
          table.write(output.text(), 0);
          TensorTables.total(output.text(), tensors);
        }
      }
    }
    if (!findings.isEmpty()) {
      if (text) {
        output.text().newline();
        Findings.write(output.text(), findings, path);
      } else {
        findings.forEach(finding -> output.note("gguf: " + path + ": " + finding.message()));
      }
    }
  }
}
