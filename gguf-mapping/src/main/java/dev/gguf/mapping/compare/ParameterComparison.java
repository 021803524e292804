package dev.gguf.mapping.compare;

import dev.gguf.mapping.Tolerance;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How far a parameter, or the range of one for each expert, is from the checkpoint.
///
/// @param parameter name in the mapping, with a range where there is one for each expert
/// @param sources names of the tensors that hold it
/// @param transform what turns them into the parameter
/// @param compared how many values were compared
/// @param tolerance what the tensors' types allow
/// @param maxError largest absolute difference
/// @param meanError mean absolute difference
/// @param relativeError root of the mean squared difference, relative to that of the checkpoint's
///   values, as a fraction of what the tensors' types allow: 0 for equal values, 1 at the limit
/// @param state the judgement
/// @param diagnosis what is wrong in words, or null
public record ParameterComparison(
    String parameter,
    List<String> sources,
    String transform,
    long compared,
    Tolerance tolerance,
    double maxError,
    double meanError,
    double relativeError,
    State state,
    @Nullable String diagnosis) {

  /// How near values are.
  public enum State {
    /// Every value is the checkpoint's, or the checkpoint's rounded to the tensor's float type.
    EQUAL("equal"),
    /// As near as the tensor's type allows.
    CLOSE("close"),
    /// Further away.
    DIFFERENT("different");

    private final String label;

    State(String label) {
      this.label = label;
    }

    /// Returns the word used in every output.
    public String label() {
      return label;
    }
  }
}
