package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.Tensor;
import dev.gguf.cli.render.Findings;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.Missing;
import dev.gguf.mapping.Parameter;
import dev.gguf.mapping.SharedTensor;
import dev.gguf.mapping.Target;
import dev.gguf.mapping.Unmapped;
import dev.gguf.mapping.compare.NameComparison;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The document of `map`.
final class MapJson {
  private final JsonWriter json;
  private final boolean expand;

  /// @param expand whether parameters of experts are written out
  MapJson(JsonWriter json, boolean expand) {
    this.json = json;
    this.expand = expand;
  }

  /// @param mapping null for an architecture without a map
  /// @param names null where there is no checkpoint to compare with
  void write(
      Path path,
      @Nullable String architecture,
      Target target,
      @Nullable Mapping mapping,
      @Nullable NameComparison names,
      List<Finding> findings) {
    json.field("path", path.toString()).field("architecture", architecture);
    json.field("target", target.id());
    if (mapping == null) {
      json.name("summary").nothing();
    } else {
      json.object("summary").field("tensors", mapping.tensors().size());
      json.field("mapped", mapping.mappedCount()).field("unmapped", mapping.unmapped().size());
      json.field("missing", mapping.missing().size()).endObject();
    }
    mapped(mapping == null ? List.of() : mapping.mapped());
    unmapped(mapping == null ? List.of() : mapping.unmapped());
    missing(mapping == null ? List.of() : mapping.missing());
    shared(mapping == null ? List.of() : mapping.shared());
    checkpoint(names);
    json.name("findings");
    Findings.write(json, findings);
  }

  /// The names of a checkpoint: how many are on both sides, and which on one side only.
  private void checkpoint(@Nullable NameComparison names) {
    if (names == null) {
      json.name("checkpoint").nothing();
      return;
    }
    json.object("checkpoint").field("common", names.common());
    json.field("onlyInFile", names.extra()).field("onlyInCheckpoint", names.left());
    json.array("shapes");
    for (NameComparison.ShapeDifference shape : names.shapes()) {
      json.object().field("parameter", shape.parameter());
      json.field("file", shape.fed()).field("checkpoint", shape.wanted()).endObject();
    }
    json.endArray().endObject();
  }

  private void mapped(List<MappedTensors> entries) {
    json.array("mapped");
    for (MappedTensors entry : entries) {
      json.object().array("sources");
      for (Tensor source : entry.sources()) {
        json.value(source.name());
      }
      json.endArray().array("parameters");
      for (Parameter parameter : entry.parameters()) {
        parameter(parameter);
      }
      json.endArray().array("companions");
      for (Parameter parameter : entry.parameters()) {
        companion(parameter);
      }
      json.endArray().field("transform", entry.transform()).field("shape", entry.shape());
      json.field("globalReplace", globalReplace(entry)).field("module", module(entry));
      json.endObject();
    }
    json.endArray();
  }

  private void parameter(Parameter parameter) {
    if (!expand) {
      json.value(parameter.name());
      return;
    }
    for (long expert = 0; expert < parameter.count(); expert++) {
      json.value(parameter.name(expert));
    }
  }

  private void companion(Parameter parameter) {
    if (parameter.companion() == null) {
      return;
    }
    if (!expand) {
      json.value(parameter.companion());
      return;
    }
    for (long expert = 0; expert < parameter.count(); expert++) {
      json.value(parameter.companion(expert));
    }
  }

  static @Nullable String globalReplace(MappedTensors entry) {
    for (Parameter parameter : entry.parameters()) {
      if (parameter.globalReplace() != null) {
        return parameter.globalReplace();
      }
    }
    return null;
  }

  private static @Nullable String module(MappedTensors entry) {
    for (Parameter parameter : entry.parameters()) {
      if (parameter.module() != null) {
        return parameter.module();
      }
    }
    return null;
  }

  private void unmapped(List<Unmapped> tensors) {
    json.array("unmapped");
    for (Unmapped unmapped : tensors) {
      json.object().field("tensor", unmapped.tensor().name()).field("layer", unmapped.layer());
      json.field("group", unmapped.group().id()).field("reason", unmapped.reason());
      json.field("checkpointName", unmapped.checkpointName()).endObject();
    }
    json.endArray();
  }

  private void missing(List<Missing> parameters) {
    json.array("missing");
    for (Missing missing : parameters) {
      json.object().field("parameter", missing.parameter()).field("layer", missing.layer());
      json.field("tensor", missing.tensor()).field("reason", missing.reason()).endObject();
    }
    json.endArray();
  }

  private void shared(List<SharedTensor> parameters) {
    json.array("shared");
    for (SharedTensor shared : parameters) {
      json.object().field("parameter", shared.parameter()).field("tensor", shared.tensor());
      json.field("reason", shared.reason()).endObject();
    }
    json.endArray();
  }
}
