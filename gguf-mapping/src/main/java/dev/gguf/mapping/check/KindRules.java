package dev.gguf.mapping.check;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Files that are not models by themselves: what each is, and the faults that its kind can have.
final class KindRules {
  private static final String A = ".lora_a";
  private static final String B = ".lora_b";

  private final Judged model;

  private KindRules(Judged model) {
    this.model = model;
  }

  static void check(Judged model) {
    KindRules rules = new KindRules(model);
    switch (model.kind()) {
      case ADAPTER -> rules.adapter();
      case PROJECTOR -> rules.projector();
      case IMATRIX -> rules.imatrix();
      case VOCABULARY ->
          rules.say(
              "a vocabulary alone: "
                  + tokens(model)
                  + " and no tensors, as made for tests of tokenizers");
      case MTP -> rules.mtp();
      case MODEL -> rules.draft();
      case NOT_GGUF -> {}
    }
  }

  private static String tokens(Judged model) {
    Metadata.Entry entry = model.entry("tokenizer.ggml.tokens");
    return entry != null && entry.type() == ValueType.ARRAY
        ? entry.array().count() + " tokens"
        : "a tokenizer";
  }

  private void say(String message) {
    model.add(model.aboutModel(ModelRule.KIND, message));
  }

  private void adapter() {
    String type = model.string("adapter.type");
    say(
        (type.isEmpty() || type.equals("lora") ? "a LoRA adapter" : "an adapter of type " + type)
            + (model.architecture().isEmpty() ? "" : " for a " + model.architecture() + " model")
            + ", "
            + model.tensors().size()
            + " tensors: it is loaded beside its base model");
    if (!model.hasAllTensors() || !type.isEmpty() && !type.equals("lora")) {
      return;
    }
    Map<String, Tensor> halves = HashMap.newHashMap(model.tensors().size());
    for (Tensor tensor : model.tensors()) {
      halves.put(tensor.name(), tensor);
    }
    List<String> alone = new ArrayList<>();
    Tensor firstAlone = null;
    List<String> ranks = new ArrayList<>();
    Tensor firstRank = null;
    for (Tensor tensor : model.tensors()) {
      String name = tensor.name();
      Tensor partner = partner(name, halves);
      if (partner == null) {
        // Engines skip whole norms in adapters.
        if (!name.endsWith("_norm.weight")) {
          firstAlone = firstAlone == null ? tensor : firstAlone;
          alone.add(name);
        }
      } else if (name.endsWith(A)) {
        // The rows of an embedding are looked up, so its first half lies the other way round.
        long rank = name.startsWith("token_embd.") ? tensor.ne(0) : tensor.ne(1);
        if (rank != partner.ne(0)) {
          firstRank = firstRank == null ? tensor : firstRank;
          ranks.add(name + " has rank " + rank + ", " + partner.name() + " has " + partner.ne(0));
        }
      }
    }
    if (firstAlone != null) {
      model.add(
          model
              .aboutTensor(
                  ModelRule.ADAPTER_PARTNER,
                  firstAlone,
                  (alone.size() == 1 ? "1 tensor" : alone.size() + " tensors")
                      + " without the other half .lora_a or .lora_b, first "
                      + alone.getFirst())
              .withHint("convert the adapter again: python convert_lora_to_gguf.py FOLDER"));
    }
    if (firstRank != null) {
      model.add(
          model
              .aboutTensor(
                  ModelRule.ADAPTER_RANK,
                  firstRank,
                  (ranks.size() == 1 ? "1 pair" : ranks.size() + " pairs")
                      + " of halves with different ranks, first "
                      + ranks.getFirst())
              .withHint("convert the adapter again: python convert_lora_to_gguf.py FOLDER"));
    }
  }

  private static @Nullable Tensor partner(String name, Map<String, Tensor> halves) {
    if (name.endsWith(A)) {
      return halves.get(name.substring(0, name.length() - A.length()) + B);
    }
    return name.endsWith(B) ? halves.get(name.substring(0, name.length() - B.length()) + A) : null;
  }

  private void projector() {
    String type = model.string("clip.projector_type");
    String vision = model.string("clip.vision.projector_type");
    String audio = model.string("clip.audio.projector_type");
    String any = !type.isEmpty() ? type : !vision.isEmpty() ? vision : audio;
    say(
        "a projector for images or sound"
            + (any.isEmpty() ? "" : " of type " + any)
            + ": it is loaded beside its language model (--mmproj)");
    if (any.isEmpty() && !model.metadata().has("clip.has_llava_projector") && model.hasAllKeys()) {
      model.add(
          model
              .aboutKey(
                  ModelRule.PROJECTOR_TYPE,
                  "clip.projector_type",
                  "there is no clip.projector_type: engines take the oldest kind, mlp")
              .withHint(
                  "gguf edit "
                      + model.fileName()
                      + " OUT --set-type clip.projector_type:string=TYPE"));
    }
  }

  private void imatrix() {
    say(
        "an importance matrix (imatrix) of "
            + model.tensors().size()
            + " tensors, for quantising a model");
  }

  private void mtp() {
    String shared = model.key("nextn_shared_target_tensors");
    boolean borrows = model.isTrue(shared);
    say(
        "the multi-token-prediction head of a "
            + model.architecture()
            + " model alone, "
            + model.tensors().size()
            + " tensors"
            + (borrows ? "; embedding and output come from its target" : "")
            + ": it is loaded beside its target");
    if (!borrows && model.hasAllTensors() && !model.has("token_embd.weight")) {
      boolean output = model.has("output.weight");
      model.add(
          model
              .aboutKey(
                  ModelRule.MTP_SHARED,
                  shared,
                  "the head has no token_embd.weight"
                      + (output ? "" : " and no output.weight")
                      + ", and no "
                      + shared
                      + " that says they are its target's")
              .withHint(
                  "gguf edit " + model.fileName() + " OUT --set-type " + shared + ":bool=true"));
    }
  }

  /// A dflash draft reads the hidden states of some layers of its target; which ones is baked into
  /// its weights.
  private void draft() {
    String architecture = model.architecture();
    if (!architecture.equals("dflash") && !architecture.equals("dflash-draft")) {
      return;
    }
    if (!model.hasAllKeys()) {
      return;
    }
    Metadata.Entry list = null;
    for (String own :
        new String[] {
          "target_layers", "dflash.target_layer_ids", "target_layer_ids", "dflash.target_layers"
        }) {
      Metadata.Entry entry = model.entry(model.key(own));
      if (list == null && entry != null && entry.type() == ValueType.ARRAY) {
        list = entry;
      }
    }
    if (list == null) {
      model.add(
          model
              .aboutKey(
                  ModelRule.DRAFT_LAYERS,
                  "dflash.target_layers",
                  "there is no dflash.target_layers, the list of the target's layers that the draft"
                      + " reads; it cannot be guessed")
              .withHint("convert the draft again, or ask its publisher for the list"));
      return;
    }
    Tensor fc = model.gguf().find("fc.weight").orElse(null);
    Long own = model.integer(model.key("embedding_length"));
    Long target = model.integer(model.key("target_hidden_size"));
    Long width = target != null ? target : own;
    if (fc == null || width == null) {
      return;
    }
    long layers = list.array().count();
    if (layers > 0
        && layers <= 4096
        && width > 0
        && width < 1L << 40
        && fc.ne(0) != layers * width) {
      model.add(
          model
              .aboutTensor(
                  ModelRule.DRAFT_LAYERS,
                  fc,
                  "fc.weight has rows of "
                      + fc.ne(0)
                      + ", but "
                      + list.key()
                      + " lists "
                      + layers
                      + " layers of width "
                      + width
                      + ", together "
                      + layers * width)
              .withHint("the list must be the one that the draft was trained with"));
    }
  }
}
