package dev.gguf.mapping.compare;

import dev.gguf.Tensor;
import dev.gguf.mapping.KvBComparison;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The `kv_b_proj` of one layer in a file.
///
/// @param layer number of the block
/// @param kB `attn_k_b`, if it is there
/// @param vB `attn_v_b`, if it is there
/// @param kvB the undivided `attn_kv_b`, if it is there
/// @param state whether the halves are there and make the right matrix
/// @param diagnosis what is wrong in words, or null
/// @param comparison how far the halves are from the checkpoint, or null if they were not compared
public record KvBLayer(
    int layer,
    @Nullable Tensor kB,
    @Nullable Tensor vB,
    @Nullable Tensor kvB,
    State state,
    @Nullable String diagnosis,
    @Nullable KvBComparison comparison) {

  /// What a layer's halves are.
  public enum State {
    /// Both are there with the right dimensions and, where compared, the right values.
    RIGHT("right"),
    /// Dimensions or values are wrong.
    WRONG("wrong"),
    /// One is absent, or both.
    INCOMPLETE("incomplete");

    private final String label;

    State(String label) {
      this.label = label;
    }

    /// Returns the word used in every output.
    public String label() {
      return label;
    }
  }

  /// Returns the largest absolute difference from the checkpoint, if they were compared.
  public Optional<Double> maxError() {
    return Optional.ofNullable(comparison).map(KvBComparison::maxError);
  }

  /// Returns the mean absolute difference from the checkpoint, if they were compared.
  public Optional<Double> meanError() {
    return Optional.ofNullable(comparison).map(KvBComparison::meanError);
  }
}
