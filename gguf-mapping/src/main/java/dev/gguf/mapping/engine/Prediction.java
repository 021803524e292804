package dev.gguf.mapping.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an engine will do with a model.
///
/// @param engine the engine, as it was asked for
/// @param version the release or releases that the prediction is about
/// @param loads the answer
/// @param reasons why, in the order in which a launch would meet them; the ones that stop it and
///   those worth knowing
/// @param memory what it needs per rank, or null where nothing was asked or can be said
public record Prediction(
    String engine,
    String version,
    Loads loads,
    List<Reason> reasons,
    @Nullable MemoryEstimate memory) {
  /// Copies the reasons.
  public Prediction {
    reasons = List.copyOf(reasons);
  }

  /// Returns the reasons that stop the launch.
  public List<Reason> blockers() {
    return reasons.stream().filter(reason -> reason.effect().stops()).toList();
  }

  static Loads loads(List<Reason> reasons) {
    Loads loads = Loads.YES;
    for (Reason reason : reasons) {
      switch (reason.effect()) {
        case STOPS, STOPS_AS_GIVEN -> {
          return Loads.NO;
        }
        case DEPENDS -> loads = Loads.CONDITIONAL;
        case UNKNOWN -> loads = loads == Loads.YES ? Loads.UNKNOWN : loads;
        case NOTE -> {}
      }
    }
    return loads;
  }
}
