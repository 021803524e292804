package dev.gguf.mapping.check;

import dev.gguf.FileKind;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.ValueType;
import dev.gguf.mapping.NameMap;
import org.jspecify.annotations.Nullable;

/// Whether the file says what architecture it is, in a word that engines know, with keys and names
/// that go with it.
final class ArchitectureRules {
  private static final int LONGEST_NAME = 4096;

  private final Judged model;

  private ArchitectureRules(Judged model) {
    this.model = model;
  }

  /// Returns whether the architecture is one whose keys and types can be judged further.
  static boolean check(Judged model) {
    return new ArchitectureRules(model).check();
  }

  private boolean check() {
    if (model.kind() != FileKind.MODEL && model.kind() != FileKind.MTP) {
      return model.kind() == FileKind.VOCABULARY && model.isText();
    }
    if (!model.hasAllKeys()) {
      return false;
    }
    Metadata.Entry entry = model.entry("general.architecture");
    boolean empty = entry != null && entry.type() == ValueType.STRING && entry.stringLength() == 0;
    if (entry == null || empty) {
      missing();
      return false;
    }
    if (entry.type() != ValueType.STRING) {
      return false;
    }
    if (entry.stringLength() > LONGEST_NAME) {
      model.add(
          model.aboutKey(
              ModelRule.ARCHITECTURE_UNKNOWN,
              "general.architecture",
              "general.architecture is a text of "
                  + entry.stringLength()
                  + " bytes, which no list of released architectures has"));
      return false;
    }
    String kind = model.architectureKind();
    if (kind.isEmpty()) {
      unknown();
      return false;
    }
    if ((model.isText() || kind.equals("draft")) && !model.tensors().isEmpty() && !hasOwnKeys()) {
      doubtful();
      return false;
    }
    foreign();
    boolean named = model.isText() || kind.equals("draft");
    if (!named || NameMap.forArchitecture(model.architecture()).isEmpty()) {
      notJudged(kind);
    }
    return named;
  }

  private void missing() {
    String guess = guess();
    model.add(
        model
            .aboutKey(
                ModelRule.ARCHITECTURE_MISSING,
                "general.architecture",
                (model.entry("general.architecture") == null
                        ? "there is no general.architecture"
                        : "general.architecture is empty")
                    + ": no engine can tell what the "
                    + model.tensors().size()
                    + " tensors are"
                    + (guess == null ? "" : "; " + guess))
            .withHint(
                "gguf edit "
                    + model.fileName()
                    + " OUT --set-type general.architecture:string="
                    + (keyPrefix() == null ? "NAME" : keyPrefix())));
  }

  private void unknown() {
    String name = model.architecture();
    String similar = Architectures.similar(name);
    String guess = guess();
    model.add(
        model
            .aboutKey(
                ModelRule.ARCHITECTURE_UNKNOWN,
                "general.architecture",
                "general.architecture is \""
                    + name
                    + "\", which no list of released architectures has"
                    + (similar == null ? "" : "; did you mean \"" + similar + "\"?")
                    + (guess == null ? "" : "; " + guess))
            .withHint(
                similar == null
                    ? "load it with the program of its publisher, or fetch a file of another one"
                    : "fetch a file made for a released engine; if the name alone differs: gguf"
                        + " edit "
                        + model.fileName()
                        + " OUT --set general.architecture="
                        + similar
                        + " and rename the keys that begin with "
                        + name
                        + "."));
  }

  private boolean hasOwnKeys() {
    String prefix = model.architecture() + ".";
    for (Metadata.Entry entry : model.metadata()) {
      if (entry.key().startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  private void doubtful() {
    String guess = guess();
    model.add(
        model
            .aboutKey(
                ModelRule.ARCHITECTURE_DOUBTFUL,
                "general.architecture",
                "general.architecture is \""
                    + model.architecture()
                    + "\", but none of the keys begins with "
                    + model.architecture()
                    + ". and the first tensor is "
                    + model.tensors().getFirst().name()
                    + ": the label looks wrong"
                    + (guess == null ? "" : "; " + guess))
            .withHint("load it with the program that it was made for"));
  }

  /// Names as the Hugging Face libraries write them, which no engine looks for in a GGUF file.
  private void foreign() {
    if (!model.isText()) {
      return;
    }
    int count = 0;
    Tensor first = null;
    for (Tensor tensor : model.tensors()) {
      if (ForeignNames.isForeign(tensor.name())) {
        count++;
        first = first == null ? tensor : first;
      }
    }
    if (first != null) {
      model.add(
          model
              .aboutTensor(
                  ModelRule.NAME_FOREIGN,
                  first,
                  (count == 1 ? "1 tensor" : count + " tensors")
                      + " with names in the style of Hugging Face, first "
                      + first.name()
                      + ": engines look for names such as blk.0.attn_q.weight")
              .withHint("convert the checkpoint again: python convert_hf_to_gguf.py FOLDER"));
    }
  }

  private void notJudged(String kind) {
    model.add(
        model.aboutKey(
            ModelRule.NAMES_NOT_JUDGED,
            "general.architecture",
            "the architecture "
                + model.architecture()
                + " ("
                + kind
                + ") has no map here, so names and shapes are not judged"
                + (kind.equals("image") ? imagePart() : "")));
  }

  private String imagePart() {
    boolean bare = true;
    for (Tensor tensor : model.tensors()) {
      bare &= !tensor.name().startsWith("model.diffusion_model.");
    }
    return bare
        ? "; an image transformer alone, with bare names: stable-diffusion.cpp takes it as"
            + " --diffusion-model"
        : "; an image model with the prefix model.diffusion_model.";
  }

  private @Nullable String guess() {
    String prefix = keyPrefix();
    if (prefix != null && !prefix.equals(model.architecture())) {
      return "its keys begin with " + prefix + ".";
    }
    String names = Likeness.of(model.gguf());
    return names == null ? null : "its names look like " + names;
  }

  /// The prefix of the key that every text architecture has.
  private @Nullable String keyPrefix() {
    for (Metadata.Entry entry : model.metadata()) {
      if (entry.key().endsWith(".block_count") && entry.key().indexOf('.') > 0) {
        String prefix = entry.key().substring(0, entry.key().length() - ".block_count".length());
        if (Architectures.kind(prefix).isPresent()) {
          return prefix;
        }
      }
    }
    return null;
  }
}
