package dev.gguf.mapping.engine;

import org.jspecify.annotations.Nullable;

/// Why an engine loads a model or does not, in the order in which a launch would meet it.
///
/// @param rule the condition that was met
/// @param effect what it does to the launch
/// @param message one sentence of facts with numbers; it contains the engine's own error text
/// @param error the text that the engine prints, or null if it prints none
/// @param subject the tensor, key or parameter that it is about, or null
/// @param source where the fact was read or seen
/// @param versions the releases that it holds for
/// @param remedy what to do, or null
public record Reason(
    EngineRule rule,
    Effect effect,
    String message,
    @Nullable String error,
    @Nullable String subject,
    String source,
    String versions,
    @Nullable String remedy) {

  /// What a reason does to a launch.
  public enum Effect {
    /// The launch ends, or computes something else, and only another release or a change of the
    /// engine helps.
    STOPS,
    /// As STOPS, but another option or another file helps.
    STOPS_AS_GIVEN,
    /// Whether it works depends on something that is not known here.
    DEPENDS,
    /// Nothing is established.
    UNKNOWN,
    /// Worth knowing; the launch goes on.
    NOTE;

    /// Returns whether the launch ends, or goes on with wrong numbers.
    public boolean stops() {
      return this == STOPS || this == STOPS_AS_GIVEN;
    }
  }
}
