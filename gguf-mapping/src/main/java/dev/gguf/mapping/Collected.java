package dev.gguf.mapping;

import dev.gguf.Severity;
import dev.gguf.Tensor;
import dev.gguf.mapping.internal.MapFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What has been found out about the tensors of a model while its map is applied.
final class Collected {
  private final TensorIndex index;
  private final boolean[] claimed;
  private final @Nullable String[] checkpointNames;
  private final @Nullable String[] reasons;
  private final List<MappedTensors> mapped = new ArrayList<>();
  private final List<Missing> missing = new ArrayList<>();
  private final List<Missing> missingOfMtp = new ArrayList<>();
  private final List<SharedTensor> shared = new ArrayList<>();
  private final List<LegacyName> legacyNames = new ArrayList<>();
  private final List<ShapeDifference> shapeDifferences = new ArrayList<>();

  Collected(TensorIndex index) {
    this.index = index;
    claimed = new boolean[index.size()];
    checkpointNames = new String[index.size()];
    reasons = new String[index.size()];
  }

  /// Tensors feed parameters of the target.
  void mapped(int[] tensors, MappedTensors entry) {
    for (int at : tensors) {
      claimed[at] = true;
    }
    mapped.add(entry);
  }

  /// Tensors feed a parameter that the target leaves out.
  void leftOut(int[] tensors, String checkpointName) {
    for (int at : tensors) {
      checkpointNames[at] = checkpointName;
    }
  }

  /// A tensor that a rule knows has no use.
  void useless(int tensor, String reason) {
    reasons[tensor] = reason;
  }

  void missing(Missing parameter) {
    missing.add(parameter);
  }

  /// A parameter of an MTP layer is missing, which is in the file and not in the target.
  void missingOfMtp(Missing parameter) {
    missingOfMtp.add(parameter);
  }

  void shared(SharedTensor tensor) {
    shared.add(tensor);
  }

  /// A tensor with an older name feeds a parameter.
  void legacy(Tensor tensor, String finalName, boolean warning) {
    legacyNames.add(
        new LegacyName(tensor, finalName, warning ? Severity.WARNING : Severity.INFO, true));
  }

  /// Compares the dimensions of a tensor with those that follow from the keys; unknown ones are
  /// negative, and trailing dimensions of 1 do not count.
  void shape(Tensor tensor, long[] expected) {
    boolean differs = false;
    for (int axis = 0; axis < Math.max(expected.length, tensor.dimensions()); axis++) {
      long want = axis < expected.length ? expected[axis] : 1;
      differs |= want >= 0 && want != tensor.ne(axis);
    }
    if (differs) {
      shapeDifferences.add(new ShapeDifference(tensor, expected));
    }
  }

  /// Explains the tensors that no rule took, and gives everything back.
  ///
  /// @param mtpOnly whether the file holds MTP layers and none of the main model
  Mapping mapping(
      MapFile map,
      String architecture,
      Target target,
      MapOptions options,
      List<ModelType> modelTypes,
      long blocks,
      long mtpBlocks,
      boolean mtpOnly) {
    Unclaimed unclaimed = new Unclaimed(map, index, blocks, mtpBlocks, options.mtp());
    List<Unmapped> unmapped = new ArrayList<>();
    for (int i = 0; i < claimed.length; i++) {
      if (!claimed[i]) {
        unmapped.add(unclaimed.explain(i, checkpointNames[i], reasons[i], legacyNames));
      }
    }
    return new Mapping(
        target,
        architecture,
        index.tensors(),
        mapped,
        unmapped,
        missing,
        missingOfMtp,
        shared,
        legacyNames,
        shapeDifferences,
        modelTypes,
        blocks,
        mtpBlocks,
        mtpOnly);
  }
}
