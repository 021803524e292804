package dev.gguf.diff;

import dev.gguf.Gguf;
import dev.gguf.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How the metadata and tensor tables of two models differ.
///
/// The keys of split sets, `split.*`, say how a model is cut into files and nothing about what it
/// is; they are told apart from the other keys. Neither the order of keys nor that of tensors makes
/// models different.
///
/// @param keys the keys without `split.*`: changed and removed ones in the order of the first
///   model, then added ones in the order of the second
/// @param splitKeys the keys `split.*`, likewise
/// @param tensors likewise
/// @param pairs the tensors of the same name and dimensions, in the order of the first model
/// @param moved how many of the tensors that both have stand in another order
public record HeaderDiff(
    List<KeyChange> keys,
    List<KeyChange> splitKeys,
    List<TensorChange> tensors,
    List<TensorPair> pairs,
    int moved) {
  /// Creates a difference.
  public HeaderDiff {
    keys = List.copyOf(keys);
    splitKeys = List.copyOf(splitKeys);
    tensors = List.copyOf(tensors);
    pairs = List.copyOf(pairs);
  }

  /// Compares two models. Of a key or a tensor name that stands twice the first one counts.
  public static HeaderDiff of(Gguf before, Gguf after) {
    List<KeyChange> keys = new ArrayList<>();
    List<KeyChange> splitKeys = new ArrayList<>();
    for (KeyChange change : KeyDiff.of(before.metadata(), after.metadata())) {
      (change.key().startsWith("split.") ? splitKeys : keys).add(change);
    }
    List<TensorChange> changes = new ArrayList<>();
    List<TensorPair> pairs = new ArrayList<>();
    tensors(before, after, changes, pairs);
    return new HeaderDiff(keys, splitKeys, changes, pairs, moved(before, after));
  }

  private static void tensors(
      Gguf before, Gguf after, List<TensorChange> changes, List<TensorPair> pairs) {
    for (Tensor tensor : before.tensors()) {
      Tensor other = after.find(tensor.name()).orElse(null);
      TensorChange change = new TensorChange(tensor.name(), tensor, other);
      if (other == null || change.isOtherShape() || change.isOtherType()) {
        changes.add(change);
      }
      if (other != null && !change.isOtherShape()) {
        pairs.add(new TensorPair(tensor, other));
      }
    }
    for (Tensor tensor : after.tensors()) {
      if (before.find(tensor.name()).isEmpty()) {
        changes.add(new TensorChange(tensor.name(), null, tensor));
      }
    }
  }

  /// Counts the tensors that do not follow the same tensor in both models, those that only one has
  /// left out.
  private static int moved(Gguf before, Gguf after) {
    Map<String, String> follows = new HashMap<>();
    String last = "";
    for (Tensor tensor : before.tensors()) {
      if (after.find(tensor.name()).isPresent()) {
        follows.putIfAbsent(tensor.name(), last);
        last = tensor.name();
      }
    }
    int moved = 0;
    last = "";
    for (Tensor tensor : after.tensors()) {
      String expected = follows.get(tensor.name());
      if (expected != null) {
        moved += expected.equals(last) ? 0 : 1;
        last = tensor.name();
      }
    }
    return moved;
  }

  /// Returns what the second model is to the first one, as far as the headers say.
  public Relation relation() {
    // Another byte order is another way to store the same numbers, as another type is.
    boolean requantised = pairs.stream().anyMatch(pair -> !pair.isSameOrder());
    for (TensorChange change : tensors) {
      if (change.before() == null || change.after() == null || change.isOtherShape()) {
        return Relation.DIFFERENT;
      }
      requantised = true;
    }
    if (requantised) {
      return Relation.REQUANTISED;
    }
    return keys.isEmpty() ? Relation.SAME : Relation.OTHER_METADATA;
  }
}
