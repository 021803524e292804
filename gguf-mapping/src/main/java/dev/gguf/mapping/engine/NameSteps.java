package dev.gguf.mapping.engine;

import static dev.gguf.mapping.engine.EngineRule.ENGINE_KV_B;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_RENAME;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_ROLE;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_UNKNOWN;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_UNMAPPED;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_UNUSED;

import dev.gguf.FileKind;
import dev.gguf.Finding;
import dev.gguf.Severity;
import dev.gguf.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The steps about names: the map, the renames, the parameters that nothing feeds and the tensors
/// that nobody takes.
final class NameSteps {
  private static final int SHOWN = 10;
  private final Attempt attempt;

  NameSteps(Attempt attempt) {
    this.attempt = attempt;
  }

  private @Nullable EngineNames names() {
    return attempt.model.kind() == FileKind.MODEL && !attempt.architecture.isEmpty()
        ? attempt.names()
        : null;
  }

  /// Parameters for which gguf-py has no name.
  void map() {
    if (attempt.model.kind() != FileKind.MODEL || attempt.architecture.isEmpty()) {
      return;
    }
    EngineNames names = attempt.names();
    if (names == null) {
      attempt.add(
          ENGINE_UNKNOWN,
          Reason.Effect.UNKNOWN,
          "the parameters of the model type "
              + attempt.modelType()
              + " are not known here, so its"
              + " name map is not judged",
          null,
          null,
          attempt.fact("unmapped"),
          null);
      return;
    }
    List<String> unmapped = names.unmapped();
    if (unmapped.isEmpty() || !attempt.profile.is("unmapped", "error")) {
      return;
    }
    attempt.add(
        ENGINE_UNMAPPED,
        Reason.Effect.STOPS,
        unmapped.size()
            + (unmapped.size() == 1 ? " parameter has" : " parameters have")
            + " no GGUF name with "
            + attempt.namingLibraries(),
        attempt.error(
            "unmapped.error",
            "count",
            Integer.toString(unmapped.size()),
            "list",
            EngineNames.list(unmapped, SHOWN)),
        unmapped.getFirst(),
        attempt.fact("unmapped"),
        null);
  }

  /// Names that a replacement of every "weight" turns into others.
  void rename() {
    EngineNames names = names();
    boolean companion = attempt.profile.is("rename", "companion");
    if (names == null
        || !(attempt.profile.is("rename", "global")
            || companion && attempt.profile.is("rename.companion", "global"))) {
      return;
    }
    int count = 0;
    Tensor first = null;
    for (Tensor tensor : attempt.model.tensors()) {
      String parameter = names.entries().get(tensor.name());
      if (parameter != null && !attempt.plain(tensor.type()) && corrupts(parameter)) {
        first = first == null ? tensor : first;
        count++;
      }
    }
    if (first == null) {
      return;
    }
    String parameter = names.entries().getOrDefault(first.name(), "");
    String becomes = EngineStream.companion(attempt.profile, parameter);
    attempt.add(
        ENGINE_RENAME,
        Reason.Effect.STOPS,
        count
            + (count == 1 ? " quantised tensor, " : " quantised tensors, first ")
            + first.name()
            + ": every \"weight\" of "
            + parameter
            + " is replaced"
            + (companion
                ? " in the name of its type"
                : ", the data become " + EngineStream.data(attempt.profile, parameter)),
        attempt.error("rename.error", "name", becomes),
        first.name(),
        attempt.fact("rename"),
        "replace the suffix .weight only, or keep these tensors float");
  }

  static boolean corrupts(String parameter) {
    String base = StateDict.base(parameter);
    return !base.equals(parameter) && base.contains("weight");
  }

  /// Embeddings whose class takes no quantised weight, or only the GGUF method.
  void embedding() {
    Tensor embedding = attempt.tensor("token_embd.weight");
    if (embedding == null || names() == null) {
      return;
    }
    boolean plain = attempt.plain(embedding.type());
    Fact fact = attempt.fact("embedding.plain." + attempt.architecture);
    if (fact != null) {
      if (!plain && fact.value().startsWith("unknown: ")) {
        attempt.stated(
            ENGINE_UNKNOWN,
            fact,
            "token_embd.weight is " + embedding.type().name(),
            "token_embd.weight");
      } else if (!plain) {
        attempt.add(
            ENGINE_ROLE,
            Reason.Effect.STOPS,
            "token_embd.weight is "
                + embedding.type().name()
                + ", and the class of this model takes no quantised embedding (embed_tokens)",
            fact.value().replace("{type}", "qweight_type"),
            "token_embd.weight",
            fact,
            "keep token_embd.weight in F16 or F32");
      }
    } else if (plain && attempt.profile.is("plain-modules.embedding", "no")) {
      attempt.add(
          ENGINE_ROLE,
          Reason.Effect.STOPS,
          "token_embd.weight is "
              + embedding.type().name()
              + ", and the embedding always takes the GGUF method",
          "KeyError: 'model.embed_tokens.weight'",
          "token_embd.weight",
          attempt.fact("plain-modules.embedding"),
          null);
    }
  }

  /// Modules that are never quantised.
  void roles() {
    EngineNames names = names();
    if (names == null) {
      return;
    }
    for (Fact fact : attempt.profile.under("float-only")) {
      String kind = fact.key().substring("float-only.".length());
      int count = 0;
      Tensor first = null;
      for (Tensor tensor : attempt.model.tensors()) {
        if (tensor.layer().isPresent()
            && attempt.inTrunk(tensor)
            && !attempt.plain(tensor.type())
            && Attempt.kind(tensor.name()).equals(kind)
            && tensor.name().endsWith(".weight")) {
          first = first == null ? tensor : first;
          count++;
        }
      }
      if (first != null) {
        String module = "model.layers." + first.layer().getAsInt() + "." + fact.value();
        attempt.add(
            ENGINE_ROLE,
            Reason.Effect.STOPS,
            count
                + " of "
                + kind
                + " are quantised, first "
                + first.name()
                + " ("
                + first.type().name()
                + "), and "
                + fact.value()
                + " is never quantised",
            attempt.error("rename.error", "name", module + ".qweight_type"),
            first.name(),
            fact,
            "keep these tensors float");
      }
    }
  }

  /// Experts take the GGUF method even if they are float.
  void experts() {
    if (!attempt.profile.is("experts.float", "KeyError") || names() == null) {
      return;
    }
    for (Tensor tensor : attempt.model.tensors()) {
      String kind = Attempt.kind(tensor.name());
      boolean expert =
          kind.equals("ffn_gate_exps")
              || kind.equals("ffn_up_exps")
              || kind.equals("ffn_down_exps");
      if (expert
          && tensor.name().endsWith(".weight")
          && attempt.inTrunk(tensor)
          && attempt.profile.has("experts.float.types", tensor.type().name())) {
        attempt.add(
            ENGINE_ROLE,
            Reason.Effect.STOPS_AS_GIVEN,
            tensor.name()
                + " is "
                + tensor.type().name()
                + ", and experts have no float parameters",
            attempt.error(
                "experts.float.error", "layer", Integer.toString(tensor.layer().orElse(0))),
            tensor.name(),
            attempt.fact("experts.float"),
            "quantise the experts");
        return;
      }
    }
  }

  /// kv_b_proj where the file has its halves.
  void kvB() {
    if (!attempt.profile.is("kv-b", "whole") || names() == null) {
      return;
    }
    int halves = 0;
    Tensor first = null;
    for (Tensor tensor : attempt.model.tensors()) {
      if (Attempt.rest(tensor.name()).equals("attn_k_b.weight") && attempt.inTrunk(tensor)) {
        String whole = tensor.name().replace("attn_k_b", "attn_kv_b");
        if (attempt.tensor(whole) == null) {
          first = first == null ? tensor : first;
          halves++;
        }
      }
    }
    if (first == null) {
      return;
    }
    String rank = Long.toString(attempt.integer("attention.kv_lora_rank", 0));
    attempt.add(
        ENGINE_KV_B,
        Reason.Effect.STOPS_AS_GIVEN,
        "the map looks for "
            + first.name().replace("attn_k_b", "attn_kv_b")
            + ", the file has attn_k_b and attn_v_b in "
            + halves
            + (halves == 1 ? " layer" : " layers")
            + ": nothing arrives for kv_b_proj, without a message while loading; the start fails later",
        attempt.error("kv-b.error", "rank", rank),
        first.name(),
        attempt.fact("kv-b"),
        "join attn_k_b and attn_v_b per head into kv_b_proj, or take a file with attn_kv_b");
  }

  /// Entries of the map that no tensor of the file feeds.
  void unfed() {
    EngineNames names = names();
    if (names == null || hasErrors()) {
      return;
    }
    List<String> absent = new ArrayList<>();
    boolean indexer = attempt.profile.is("indexer.layers", "all");
    for (Map.Entry<String, String> entry : names.entries().entrySet()) {
      String tensor = entry.getKey();
      String kind = Attempt.kind(tensor);
      boolean expected =
          tensor.endsWith(".weight")
              && !tensor.equals("output.weight")
              && !tensor.startsWith("None.")
              && !kind.endsWith("_exps")
              && !kind.equals("attn_kv_b")
              && (indexer || !kind.startsWith("indexer."));
      if (expected && attempt.tensor(tensor) == null) {
        absent.add(entry.getValue());
      }
    }
    if (!absent.isEmpty()) {
      attempt.add(
          ENGINE_UNMAPPED,
          Reason.Effect.STOPS,
          absent.size()
              + " parameters that no tensor feeds stay at their initial values, without a"
              + " message: "
              + EngineNames.list(absent, SHOWN),
          null,
          absent.getFirst(),
          attempt.fact(indexer ? "indexer.layers" : "unused-tensors"),
          null);
    }
  }

  /// What an unsound file lacks is told once, by the finding about it.
  private boolean hasErrors() {
    for (Finding finding : attempt.model.findings()) {
      if (finding.severity() == Severity.ERROR) {
        return true;
      }
    }
    return false;
  }

  /// Names without a suffix are looked up with a dot behind them.
  void suffixless() {
    Fact fact = attempt.fact("suffixless");
    if (fact == null) {
      return;
    }
    int count = 0;
    Tensor first = null;
    for (Tensor tensor : attempt.model.tensors()) {
      String rest = Attempt.rest(tensor.name());
      if (tensor.layer().isPresent() && rest.indexOf('.') < 0) {
        first = first == null ? tensor : first;
        count++;
      }
    }
    if (first != null) {
      attempt.add(
          ENGINE_UNMAPPED,
          Reason.Effect.STOPS,
          count
              + " tensors without a suffix, first "
              + first.name()
              + ", are looked up as "
              + first.name()
              + ". with a dot behind: the parameter stays at its initial value",
          null,
          first.name(),
          fact,
          null);
    }
  }

  /// Layers after the trunk.
  void mtp() {
    int count = 0;
    String first = null;
    for (Tensor tensor : attempt.model.tensors()) {
      if (tensor.layer().isPresent() && !attempt.inTrunk(tensor)) {
        first = first == null ? tensor.name() : first;
        count++;
      }
    }
    if (count > 0 && attempt.fact("mtp") != null) {
      attempt.note(
          ENGINE_UNUSED,
          count
              + " tensors of the MTP layers, first "
              + first
              + ", have no entry and are passed over without a message",
          attempt.fact("mtp"));
    }
  }

  /// Tensors of the trunk that no entry asks for.
  void surplus() {
    EngineNames names = names();
    if (names == null) {
      return;
    }
    int count = 0;
    String first = null;
    for (Tensor tensor : attempt.model.tensors()) {
      String name = tensor.name();
      String kind = Attempt.kind(name);
      boolean half = kind.equals("attn_k_b") || kind.equals("attn_v_b");
      if (attempt.inTrunk(tensor) && !half && !names.entries().containsKey(name)) {
        first = first == null ? name : first;
        count++;
      }
    }
    if (first != null) {
      attempt.note(
          ENGINE_UNUSED,
          count
              + (count == 1 ? " tensor, " : " tensors, first ")
              + first
              + ", which no entry of the map asks for, are passed over without a message",
          attempt.fact("unused-tensors"));
    }
  }
}
