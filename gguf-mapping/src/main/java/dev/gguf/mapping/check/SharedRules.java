package dev.gguf.mapping.check;

import dev.gguf.Subject;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.SharedTensor;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Optional tensors that a file leaves out because another one stands in for them.
final class SharedRules {
  private static final String OUTPUT = "output.weight";

  private SharedRules() {}

  /// @param config the `config.json` of the checkpoint, or null
  static void check(Judged model, Mapping mapping, @Nullable ModelConfig config) {
    if (config != null && model.has(OUTPUT) && config.bool("tie_word_embeddings", false)) {
      model.add(
          model
              .aboutModel(
                  ModelRule.TENSOR_SHARED,
                  OUTPUT
                      + " is there although the config.json says that the model ties it to"
                      + " token_embd.weight; engines that tie them do not read it")
              .about(Subject.tensor(OUTPUT)));
    }
    if (mapping.shared().isEmpty() || !model.hasAllTensors()) {
      return;
    }
    Map<String, List<SharedTensor>> groups = new LinkedHashMap<>();
    for (SharedTensor shared : mapping.shared()) {
      String name = Words.withoutBlock(shared.tensor());
      List<SharedTensor> members = groups.get(name);
      if (members == null) {
        members = new ArrayList<>();
        groups.put(name, members);
      }
      members.add(shared);
    }
    for (List<SharedTensor> members : groups.values()) {
      SharedTensor first = members.getFirst();
      String more =
          members.size() == 1 ? "" : ", and so on " + (members.size() - 1) + " more layers";
      model.add(
          model
              .aboutModel(
                  ModelRule.TENSOR_SHARED,
                  first.tensor() + " is left out" + more + ": " + first.reason())
              .about(Subject.tensor(first.tensor())));
    }
  }
}
