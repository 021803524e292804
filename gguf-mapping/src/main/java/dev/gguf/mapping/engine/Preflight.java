package dev.gguf.mapping.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Predicts what an engine does with a model: an interpreter of [profiles][EngineProfile].
///
/// A prediction is about one engine and never about whether the file is sound.
public final class Preflight {
  private static final String INTREE = "0.8 - 0.23";
  private static final String NEWEST_INTREE = "vllm-0.21";

  private Preflight() {}

  /// Predicts for an engine by its name.
  ///
  /// `vllm` without a release in the launch is the loader in the tree, 0.8 to 0.23: yes if 0.23.0
  /// loads the file as it stands, conditional if another release, option or file helps, no if no
  /// release does. The other engines stand for their newest release known.
  ///
  /// @throws IllegalArgumentException if the engine, or a release so old, is not known, or if the
  ///   version is not written as those of the engine are: a date for llama.cpp and its fork
  public static Prediction predict(Candidate model, String engine, Launch launch) {
    if (!EngineProfiles.engines().contains(engine)) {
      throw new IllegalArgumentException(
          "there is no engine '"
              + engine
              + "'; known: "
              + String.join(", ", EngineProfiles.engines()));
    }
    if (engine.equals("vllm") && launch.engineVersion().isEmpty()) {
      return inTree(model, launch);
    }
    VersionForm.require(engine, launch.engineVersion());
    return predict(model, EngineProfiles.of(engine, launch.engineVersion()), launch);
  }

  /// Predicts for one generation of an engine.
  ///
  /// @throws IllegalArgumentException if the version of the launch is neither that of the profile
  ///   nor written as those of the engine are
  public static Prediction predict(Candidate model, EngineProfile profile, Launch launch) {
    if (!launch.engineVersion().equals(profile.versions())) {
      VersionForm.require(profile.engine(), launch.engineVersion());
    }
    Attempt best = null;
    List<Attempt> others = new ArrayList<>();
    for (EngineNames.Libraries libraries : libraries(profile)) {
      Attempt attempt = new Attempt(model, profile, launch, libraries);
      Steps.run(attempt);
      if (best == null || rank(attempt) < rank(best)) {
        if (best != null) {
          others.add(best);
        }
        best = attempt;
      } else {
        others.add(attempt);
      }
    }
    if (best == null) {
      throw new IllegalStateException(profile.id() + " names no libraries");
    }
    for (Attempt other : others) {
      if (!stops(best) && stops(other)) {
        Reason reason = firstStop(other.reasons).orElseThrow();
        best.add(
            reason.rule(),
            Reason.Effect.DEPENDS,
            "with " + other.libraries + ": " + reason.message(),
            reason.error(),
            reason.subject(),
            best.fact("environments"),
            "install " + best.libraries);
      }
    }
    MemoryEstimate memory = new Memory(best).estimate();
    memory(best, memory);
    String version = launch.engineVersion().isEmpty() ? profile.versions() : launch.engineVersion();
    return new Prediction(
        profile.engine(), version, Prediction.loads(best.reasons), best.reasons, memory);
  }

  private static List<EngineNames.Libraries> libraries(EngineProfile profile) {
    List<EngineNames.Libraries> list = new ArrayList<>();
    for (String word : profile.words("environments")) {
      list.add(EngineNames.Libraries.of(word));
    }
    if (list.isEmpty()) {
      list.add(new EngineNames.Libraries("", ""));
    }
    return list;
  }

  private static boolean stops(Attempt attempt) {
    return firstStop(attempt.reasons).isPresent();
  }

  private static Optional<Reason> firstStop(List<Reason> reasons) {
    for (Reason reason : reasons) {
      if (reason.effect().stops()) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }

  /// Libraries with which fewer things stop come first.
  private static int rank(Attempt attempt) {
    int rank = 0;
    for (Reason reason : attempt.reasons) {
      rank +=
          switch (reason.effect()) {
            case STOPS -> 10_000;
            case STOPS_AS_GIVEN -> 100;
            case DEPENDS, UNKNOWN -> 1;
            case NOTE -> 0;
          };
    }
    return rank;
  }

  private static void memory(Attempt attempt, @Nullable MemoryEstimate memory) {
    if (memory == null || memory.budget() == 0 || memory.fits()) {
      return;
    }
    boolean weights = memory.weights() + memory.buffers() > memory.budget();
    attempt.add(
        EngineRule.ENGINE_MEMORY,
        Reason.Effect.STOPS_AS_GIVEN,
        "a rank needs "
            + memory.total()
            + " bytes (weights "
            + memory.weights()
            + ", cache "
            + memory.cache()
            + " for "
            + memory.context()
            + " tokens), "
            + -memory.spare()
            + " more than the "
            + memory.budget()
            + " that it may use"
            + (weights
                ? "; the weights alone do not fit"
                : "; the longest context that fits is " + memory.longestContext() + " tokens"),
        null,
        null,
        attempt.fact("utilization"),
        weights
            ? "more ranks or a smaller quantisation"
            : "--max-model-len " + memory.longestContext());
  }

  /// All generations with the loader in the tree.
  private static Prediction inTree(Candidate model, Launch launch) {
    Prediction newest = null;
    List<String> asItStands = new ArrayList<>();
    List<String> otherwise = new ArrayList<>();
    boolean unknown = false;
    for (String id : EngineProfiles.generations("vllm")) {
      EngineProfile profile = EngineProfiles.named(id);
      if (Version.compare(id.substring("vllm-".length()), "0.8") < 0) {
        continue;
      }
      Prediction prediction = predict(model, profile, launch);
      boolean known = true;
      boolean possible = true;
      for (Reason reason : prediction.reasons()) {
        known &= reason.effect() != Reason.Effect.UNKNOWN;
        possible &= reason.effect() != Reason.Effect.STOPS;
      }
      unknown |= possible && !known;
      if (possible && known) {
        boolean stands = firstStop(prediction.reasons()).isEmpty();
        (stands ? asItStands : otherwise).add(profile.versions());
      }
      newest = prediction;
      if (id.equals(NEWEST_INTREE)) {
        break;
      }
    }
    if (newest == null) {
      throw new IllegalStateException("no profile of vllm");
    }
    return together(newest, asItStands, otherwise, unknown);
  }

  private static Prediction together(
      Prediction newest, List<String> asItStands, List<String> otherwise, boolean unknown) {
    Loads loads = newest.loads();
    if (loads == Loads.NO && !(asItStands.isEmpty() && otherwise.isEmpty())) {
      loads = Loads.CONDITIONAL;
    } else if (loads == Loads.NO && unknown) {
      loads = Loads.UNKNOWN;
    }
    List<Reason> reasons = new ArrayList<>(newest.reasons());
    if (loads == Loads.CONDITIONAL) {
      String message =
          (asItStands.isEmpty()
                  ? "no release loads the file as it stands"
                  : "loaded as it stands by " + String.join(", ", asItStands))
              + (otherwise.isEmpty()
                  ? ""
                  : "; with another option or file by " + String.join(", ", otherwise));
      reasons.add(
          new Reason(
              EngineRule.ENGINE_NOTE,
              Reason.Effect.NOTE,
              message,
              null,
              null,
              "profiles vllm-0.8 to " + NEWEST_INTREE,
              INTREE,
              null));
    }
    return new Prediction("vllm", INTREE, loads, reasons, newest.memory());
  }
}
