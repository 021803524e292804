package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.Tensor;
import dev.gguf.cli.render.Findings;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.Style;
import dev.gguf.cli.render.Table;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.Missing;
import dev.gguf.mapping.Parameter;
import dev.gguf.mapping.SharedTensor;
import dev.gguf.mapping.Target;
import dev.gguf.mapping.Unmapped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The answer of `map` for people.
final class MapText {
  private final TextWriter text;
  private final boolean expand;
  private final boolean patterns;

  /// @param expand whether parameters of experts are written out
  /// @param patterns whether layers that are alike share a line
  MapText(TextWriter text, boolean expand, boolean patterns) {
    this.text = text;
    this.expand = expand;
    this.patterns = patterns;
  }

  /// @param mapping null for an architecture without a map
  void write(
      Path path,
      @Nullable String architecture,
      Target target,
      @Nullable Mapping mapping,
      List<Finding> findings) {
    text.text(Style.BOLD, path.toString());
    if (mapping == null) {
      text.line(architecture == null ? "" : ": there is no map for " + architecture);
    } else {
      text.line(": " + architecture + " to " + words(target));
      summary(mapping);
    }
    if (!findings.isEmpty()) {
      text.newline();
      Findings.write(text, findings, path);
    }
    if (mapping != null) {
      section("mapped", mapped(mapping.mapped()));
      unmapped(mapping.unmapped());
      section("missing", missing(mapping.missing()));
      section("shared: left out of the file, another tensor stands in", shared(mapping.shared()));
    }
  }

  private static String words(Target target) {
    return switch (target) {
      case HF -> "hf, the names of the checkpoint";
      case TRANSFORMERS -> "transformers, the module names of transformers 5";
      case VLLM -> "vllm, the names in vLLM up to 0.23 and its plugin up to 0.0.5";
      case VLLM_PLUGIN -> "vllm-plugin, the names in vLLM's plugin since August 2026";
    };
  }

  private void summary(Mapping mapping) {
    int missing = mapping.missing().size();
    text.spaces(2).text(Numbers.of(mapping.tensors().size(), "tensor") + ": ");
    text.text(mapping.mappedCount() + " mapped");
    if (!mapping.unmapped().isEmpty()) {
      text.text(", " + mapping.unmapped().size() + " not");
    }
    if (missing > 0) {
      text.text("; ").text(Style.ERROR, Numbers.of(missing, "parameter") + " missing");
    }
    text.newline();
  }

  private void section(String title, Table table) {
    if (table.size() > 0) {
      text.newline().text(Style.BOLD, title).newline();
      table.write(text, 2);
    }
  }

  private Table mapped(List<MappedTensors> entries) {
    boolean typed = false;
    boolean replaced = false;
    for (MappedTensors entry : entries) {
      for (Parameter parameter : entry.parameters()) {
        typed |= parameter.companion() != null;
        replaced |= parameter.globalReplace() != null;
      }
    }
    Table table =
        new Table(
            "tensor",
            "parameter",
            "shape (row last)",
            "transform",
            typed ? "type in" : "",
            replaced ? "replacing every \"weight\" gives" : "");
    List<String[]> rows = new ArrayList<>();
    List<OptionalInt> layers = new ArrayList<>();
    for (MappedTensors entry : entries) {
      String replacement = MapJson.globalReplace(entry);
      rows.add(
          new String[] {
            sources(entry),
            parameters(entry, false),
            dimensions(entry.shape()),
            entry.transform(),
            parameters(entry, true),
            replacement == null ? "" : replacement
          });
      layers.add(entry.layer());
    }
    for (String[] row : patterns ? LayerFold.fold(rows, layers, 0, 1, 4, 5) : rows) {
      table.row(row);
    }
    return table;
  }

  private static String sources(MappedTensors entry) {
    List<String> names = new ArrayList<>();
    for (Tensor source : entry.sources()) {
      names.add(source.name());
    }
    return String.join(" + ", names);
  }

  private String parameters(MappedTensors entry, boolean companions) {
    List<String> names = new ArrayList<>();
    for (Parameter parameter : entry.parameters()) {
      if (companions && parameter.companion() == null) {
        continue;
      }
      if (!expand) {
        names.add(companions ? String.valueOf(parameter.companion()) : parameter.name());
        continue;
      }
      for (long expert = 0; expert < parameter.count(); expert++) {
        names.add(
            companions ? String.valueOf(parameter.companion(expert)) : parameter.name(expert));
      }
    }
    return String.join(", ", names);
  }

  private static String dimensions(long[] shape) {
    return Arrays.toString(shape).replace("[", "").replace("]", "").replace(", ", " x ");
  }

  private void unmapped(List<Unmapped> tensors) {
    Map<String, List<Unmapped>> kinds = new LinkedHashMap<>();
    for (Unmapped unmapped : tensors) {
      String kind = "not mapped, " + unmapped.group().id() + ": " + unmapped.reason();
      kinds.computeIfAbsent(kind, key -> new ArrayList<>()).add(unmapped);
    }
    kinds.forEach((kind, alike) -> section(kind, table(alike)));
  }

  private Table table(List<Unmapped> tensors) {
    Table table = new Table("tensor", "name in the checkpoint");
    List<String[]> rows = new ArrayList<>();
    List<OptionalInt> layers = new ArrayList<>();
    for (Unmapped unmapped : tensors) {
      String name = unmapped.checkpointName();
      rows.add(new String[] {unmapped.tensor().name(), name == null ? "none" : name});
      layers.add(unmapped.layer());
    }
    for (String[] row : patterns ? LayerFold.fold(rows, layers, 0, 1) : rows) {
      table.row(row);
    }
    return table;
  }

  private Table missing(List<Missing> parameters) {
    Table table = new Table("parameter", "tensor that would feed it", "reason");
    List<String[]> rows = new ArrayList<>();
    List<OptionalInt> layers = new ArrayList<>();
    for (Missing missing : parameters) {
      rows.add(new String[] {missing.parameter(), missing.tensor(), missing.reason()});
      layers.add(missing.layer());
    }
    for (String[] row : patterns ? LayerFold.fold(rows, layers, 0, 1, 2) : rows) {
      table.row(row);
    }
    return table;
  }

  private static Table shared(List<SharedTensor> parameters) {
    Table table = new Table("parameter", "tensor", "reason");
    for (SharedTensor shared : parameters) {
      table.row(shared.parameter(), shared.tensor(), shared.reason());
    }
    return table;
  }
}
