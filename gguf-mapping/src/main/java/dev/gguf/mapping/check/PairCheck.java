package dev.gguf.mapping.check;

import dev.gguf.FileKind;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.Severity;
import java.util.ArrayList;
import java.util.List;

/// Holds files that belong together against each other: a projector, an adapter, a draft or an MTP
/// head against the model that it is for.
public final class PairCheck {
  private PairCheck() {}

  /// Returns what the parts and their models say about each other.
  ///
  /// A part is held against the model that fits it best where several are given, and nothing is
  /// said where no model is. Models are not held against models: two of them need not belong
  /// together.
  ///
  /// @param files every file that was given, or set of shards, once
  /// @return a list for each file, in their order; the findings stand with the part, never with its
  ///   model
  public static List<List<Finding>> check(List<Inspection> files) {
    List<List<Finding>> said = new ArrayList<>();
    List<Judged> models = new ArrayList<>();
    for (Inspection file : files) {
      if (file.gguf().isPresent() && isTarget(file.gguf().get())) {
        models.add(new Judged(file.gguf().get(), new ArrayList<>()));
      }
    }
    for (Inspection file : files) {
      said.add(
          file.gguf().isEmpty() || isTarget(file.gguf().get())
              ? List.of()
              : part(file.gguf().get(), models));
    }
    return said;
  }

  private static boolean isTarget(Gguf gguf) {
    return gguf.kind() == FileKind.MODEL
        && !Architectures.kind(gguf.architecture().orElse("")).orElse("").equals("draft")
        && !gguf.architecture().orElse("").equals("dflash-draft");
  }

  private static List<Finding> part(Gguf part, List<Judged> models) {
    List<Finding> best = List.of();
    long fewest = Long.MAX_VALUE;
    for (Judged model : models) {
      List<Finding> findings = new ArrayList<>();
      against(new Judged(part, findings), model);
      long errors = 0;
      for (Finding finding : findings) {
        errors += finding.severity() == Severity.ERROR ? 1 : 0;
      }
      if (errors < fewest) {
        fewest = errors;
        best = findings;
      }
    }
    return best;
  }

  private static void against(Judged part, Judged model) {
    switch (part.kind()) {
      case PROJECTOR -> new ProjectorPair(part, model).check();
      case ADAPTER -> new AdapterPair(part, model).check();
      case MTP, MODEL -> new DraftPair(part, model).check();
      case IMATRIX, VOCABULARY, NOT_GGUF -> {}
    }
  }
}
