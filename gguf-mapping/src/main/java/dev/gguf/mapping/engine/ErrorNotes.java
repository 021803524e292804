package dev.gguf.mapping.engine;

import dev.gguf.FileKind;
import dev.gguf.Tensor;
import java.util.Map;

/// Fills the mechanisms and remedies of known texts with what they are about in this file.
final class ErrorNotes {
  private final Candidate model;

  ErrorNotes(Candidate model) {
    this.model = model;
  }

  static String unquoted(String text) {
    int length = text.length();
    boolean quoted =
        length > 1
            && (text.charAt(0) == '\'' || text.charAt(0) == '"' || text.charAt(0) == '`')
            && text.charAt(length - 1) == text.charAt(0);
    return quoted ? text.substring(1, length - 1) : text;
  }

  static String filled(String text, Map<String, String> places) {
    String filled = text;
    for (Map.Entry<String, String> place : places.entrySet()) {
      filled = filled.replace("{" + place.getKey() + "}", place.getValue());
    }
    return filled;
  }

  /// Fills the places, and what starts with an `@` from the file.
  String notes(String text, Map<String, String> places) {
    String filled = filled(text, places);
    if (filled.indexOf('@') < 0) {
      return filled;
    }
    return filled
        .replace("@unfilled-remedy", unfilledRemedy())
        .replace("@unfilled", unfilled())
        .replace("@alias-remedy", aliasRemedy(places))
        .replace("@alias", alias(places))
        .replace("@dtype-remedy", dtypeRemedy(places.getOrDefault("architecture", "")))
        .replace("@typed", typed(places.getOrDefault("id", "")))
        .replace("@sized", sized(places.getOrDefault("size", "")));
  }

  private boolean halves() {
    boolean halves = false;
    boolean whole = false;
    for (Tensor tensor : model.tensors()) {
      String rest = Attempt.rest(tensor.name());
      halves |= rest.equals("attn_k_b.weight");
      whole |= rest.equals("attn_kv_b.weight");
    }
    return halves && !whole;
  }

  private String unfilled() {
    return halves()
        ? "kv_b_proj, since the map looks for attn_kv_b and the file has attn_k_b and attn_v_b"
        : model.files() > 1
            ? "up to vLLM 0.19.1 only the file named is read of a split set"
            : "no tensor of the file feeds it, or a shard of its fused module is absent";
  }

  private String unfilledRemedy() {
    return halves()
        ? "join attn_k_b and attn_v_b per head into kv_b_proj, or take a file with attn_kv_b"
        : model.files() > 1
            ? "merge the set into one file: gguf merge"
            : "gguf map names what each tensor feeds";
  }

  /// Why a model type leads to no architecture. The engine prints the type behind its aliases.
  private String alias(Map<String, String> places) {
    String type = places.getOrDefault("type", "");
    String architecture = places.getOrDefault("architecture", "");
    if (model.kind() == FileKind.PROJECTOR) {
      return "the file given is a projector (mmproj), no language model";
    }
    return type.equals(architecture)
        ? "the installed gguf-py does not know the architecture " + type
        : "no alias from "
            + type
            + " to "
            + architecture
            + ": the model type is no name of gguf-py, and the engine has no entry that leads to one";
  }

  private String aliasRemedy(Map<String, String> places) {
    if (model.kind() == FileKind.PROJECTOR) {
      return "give the language model, and leave the projector in the same folder";
    }
    return places.getOrDefault("type", "").equals(places.getOrDefault("architecture", ""))
        ? "install a newer gguf package"
        : "add the alias where the name map is built, or take an engine that knows the architecture,"
            + " such as llama.cpp";
  }

  /// What is left where bfloat16 is refused: some models take no float16, and neither do most
  /// attention backends of models with an indexer.
  private String dtypeRemedy(String architecture) {
    EngineProfile newest = EngineProfiles.of("vllm", "0.23.0");
    if (newest.has("float16.refused", StateDict.modelType(architecture))) {
      return "start with --dtype float32, since the model refuses float16 too; the plugin 0.0.3 and newer"
          + " take bfloat16";
    }
    for (Tensor tensor : model.tensors()) {
      if (Attempt.rest(tensor.name()).startsWith("indexer.")) {
        return "start with --dtype float16, which attention with an indexer takes on capability 10.x from"
            + " vLLM 0.19.1 on and never on 12.x; the plugin 0.0.3 and newer take bfloat16";
      }
    }
    return "start with --dtype float16";
  }

  /// The tensors of a type, given by its number.
  private String typed(String id) {
    int count = 0;
    Tensor first = null;
    for (Tensor tensor : model.tensors()) {
      if (Long.toString(tensor.type().id()).equals(id.strip())) {
        first = first == null ? tensor : first;
        count++;
      }
    }
    return first == null
        ? ""
        : " (" + first.type().name() + " in this file: " + count(count, first) + ")";
  }

  /// The tensors with so many rows of so many bytes.
  private String sized(String size) {
    int count = 0;
    Tensor first = null;
    for (Tensor tensor : model.tensors()) {
      boolean fits =
          tensor.hasExactSize()
              && tensor.type().isQuantized()
              && size.equals(tensor.rows() + ", " + tensor.rowBytes());
      if (fits) {
        first = first == null ? tensor : first;
        count++;
      }
    }
    return first == null ? "" : "; of this size and quantised in this file: " + count(count, first);
  }

  private static String count(int count, Tensor first) {
    return count == 1 ? first.name() : count + " tensors, first " + first.name();
  }
}
