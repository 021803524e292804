package dev.gguf.mapping.check;

import dev.gguf.Severity;
import java.util.Locale;

/// Rerankers and the classification head that makes them one.
final class HeadRules {
  private HeadRules() {}

  static void check(Judged model) {
    if (!model.hasAllTensors() || !model.isText()) {
      return;
    }
    boolean encoder = model.architectureKind().equals("encoder");
    boolean output = model.has("cls.output.weight");
    boolean inner = model.has("cls.weight");
    if (!output && isReranker(model)) {
      model.add(
          model
              .aboutModel(
                  ModelRule.HEAD_ABSENT,
                  "the model is a reranker by its name, but there is no cls.output.weight"
                      + (inner ? ", only cls.weight" : "")
                      + ": scores come from no trained head"
                      + (model.metadata().has(model.key("pooling_type"))
                          ? ""
                          : ", and there is no " + model.key("pooling_type")))
              .withSeverity(encoder ? Severity.INFO : Severity.WARNING)
              .withHint(
                  "fetch a file made by the format's own converter, which keeps the head; as a text"
                      + " model it works"));
    } else if (output && !inner && encoder) {
      model.add(
          model
              .aboutTensor(
                  ModelRule.HEAD_ABSENT,
                  model.gguf().find("cls.output.weight").orElseThrow(),
                  "there is cls.output.weight without cls.weight: the head has one layer")
              .withSeverity(Severity.INFO));
    }
  }

  private static boolean isReranker(Judged model) {
    for (String key : new String[] {"general.name", "general.basename", "general.finetune"}) {
      if (model.string(key).toLowerCase(Locale.ROOT).contains("rerank")) {
        return true;
      }
    }
    return model.fileName().toLowerCase(Locale.ROOT).contains("rerank");
  }
}
