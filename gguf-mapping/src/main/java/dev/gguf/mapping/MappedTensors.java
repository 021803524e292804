package dev.gguf.mapping;

import dev.gguf.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Tensors of the file and the parameters of the target that they feed together: mostly one to one,
/// but also two halves to one `kv_b_proj`, or one stack to a parameter per expert.
public final class MappedTensors {
  private final List<Tensor> sources;
  private final List<Parameter> parameters;
  private final List<Transform> transforms;
  private final OptionalInt layer;
  private final Entry entry;

  MappedTensors(
      List<Tensor> sources,
      List<Parameter> parameters,
      List<Transform> transforms,
      OptionalInt layer,
      Entry entry) {
    this.sources = sources;
    this.parameters = parameters;
    this.transforms = transforms;
    this.layer = layer;
    this.entry = entry;
  }

  /// Returns the tensors, in the order that the map file gives.
  public List<Tensor> sources() {
    return sources;
  }

  /// Returns the parameters, or ranges of them.
  public List<Parameter> parameters() {
    return parameters;
  }

  /// Returns what is done to the decoded tensors, in this order; [Transform#NONE] alone if nothing.
  public List<Transform> transforms() {
    return transforms;
  }

  /// Returns the transforms as one word, joined by `+`, such as `join-kv-b` or
  /// `reorder-heads+log-negative`.
  public String transform() {
    if (transforms.size() == 1) {
      return transforms.getFirst().id();
    }
    StringBuilder text = new StringBuilder();
    for (Transform transform : transforms) {
      text.append(text.isEmpty() ? "" : "+").append(transform.id());
    }
    return text.toString();
  }

  /// Returns the number of the block that the tensors belong to, or empty for global ones.
  public OptionalInt layer() {
    return layer;
  }

  /// Returns a copy of the row-major shape of the first parameter, of one expert for a range.
  public long[] shape() {
    return parameters.getFirst().shape();
  }

  /// Returns where the rows of a parameter stand in the tensors, before the other transforms; empty
  /// for [Transform#JOIN_KV_B] and [Transform#REPACK], which take more than rows, and where a key
  /// that says how many is absent.
  ///
  /// @param parameter index into [#parameters()]
  /// @param expert for a range which of its parameters, else 0
  public Optional<RowOrder> rows(int parameter, long expert) {
    return entry.rows(parameter, expert);
  }

  @Override
  public String toString() {
    return sources + " -> " + parameters + " " + transform();
  }
}
