package dev.gguf.cli;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.cli.render.Findings;
import dev.gguf.cli.render.JsonWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The document of `tensors`.
final class TensorJson {
  private TensorJson() {}

  /// @param judged everything that is found about the file; what is about a tensor stands with it
  /// @param findings what stopped the reading
  static void write(
      JsonWriter json,
      Path path,
      List<Tensor> tensors,
      List<TensorPatterns.Group> groups,
      List<Finding> judged,
      List<Finding> findings) {
    Map<String, List<Finding>> byTensor = byTensor(judged);
    json.field("path", path.toString()).array("tensors");
    for (Tensor tensor : tensors) {
      tensor(json, tensor, byTensor.getOrDefault(tensor.name(), List.of()));
    }
    json.endArray();
    if (!groups.isEmpty()) {
      patterns(json, groups);
    }
    json.name("findings");
    Findings.write(json, findings);
  }

  private static Map<String, List<Finding>> byTensor(List<Finding> findings) {
    Map<String, List<Finding>> byTensor = new HashMap<>();
    for (Finding finding : findings) {
      Subject subject = finding.subject();
      if (subject != null && subject.kind() == Subject.Kind.TENSOR) {
        byTensor.computeIfAbsent(subject.name(), name -> new ArrayList<>()).add(finding);
      }
    }
    return byTensor;
  }

  private static void tensor(JsonWriter json, Tensor tensor, List<Finding> findings) {
    json.object().field("name", tensor.name(), tensor.nameBase64());
    json.field("type", tensor.type().name()).field("typeId", tensor.type().id());
    json.field("ne", tensor.ne()).field("shape", tensor.shape());
    json.field("elements", tensor.elements()).field("bytes", tensor.bytes());
    if (TensorTables.hasPlace(tensor)) {
      json.field("offset", tensor.fileOffset());
    } else {
      json.name("offset").nothing();
    }
    json.field("file", tensor.file().path().toString()).field("layer", tensor.layer());
    json.name("findings");
    Findings.write(json, own(tensor, findings));
    json.endObject();
  }

  /// Returns the findings about one tensor; where one stands for all tensors outside their file,
  /// each of them has its own here.
  private static List<Finding> own(Tensor tensor, List<Finding> findings) {
    List<Finding> own = new ArrayList<>();
    if (!tensor.isInsideFile()) {
      own.add(
          Finding.of(
                  FileRule.TENSOR_OUTSIDE_FILE,
                  tensor.bytesOutside()
                      + " of "
                      + tensor.bytes()
                      + " bytes lie behind the end of the file")
              .about(Subject.tensor(tensor.name()))
              .at(tensor.file().path(), tensor.infoOffset()));
    }
    for (Finding finding : findings) {
      if (finding.rule() != FileRule.TENSOR_OUTSIDE_FILE) {
        own.add(finding);
      }
    }
    return own;
  }

  private static void patterns(JsonWriter json, List<TensorPatterns.Group> groups) {
    json.array("patterns");
    for (TensorPatterns.Group group : groups) {
      json.object().field("pattern", group.pattern()).field("tensors", group.tensors().size());
      json.array("numbers");
      for (int i = 0; i < group.numbers(); i++) {
        json.value(group.ranges(i));
      }
      json.endArray();
      long bytes = 0;
      for (Tensor tensor : group.tensors()) {
        bytes += tensor.bytes();
      }
      json.field("bytes", bytes).endObject();
    }
    json.endArray();
  }
}
