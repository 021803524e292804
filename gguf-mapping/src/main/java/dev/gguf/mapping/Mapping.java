package dev.gguf.mapping;

import dev.gguf.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the tensors of one model are in one target, in both directions: every tensor is mapped or
/// [Unmapped], every parameter of the target is fed or [Missing].
public final class Mapping {
  private final Target target;
  private final String architecture;
  private final List<Tensor> tensors;
  private final List<MappedTensors> mapped;
  private final List<Unmapped> unmapped;
  private final List<Missing> missing;
  private final List<Missing> missingOfMtp;
  private final List<SharedTensor> shared;
  private final List<LegacyName> legacyNames;
  private final List<ShapeDifference> shapeDifferences;
  private final List<ModelType> modelTypes;
  private final long blocks;
  private final long mtpBlocks;
  private final boolean mtpOnly;
  private volatile @Nullable Map<String, MappedTensors> byTensor;
  private volatile @Nullable Map<String, MappedTensors> byParameter;

  Mapping(
      Target target,
      String architecture,
      List<Tensor> tensors,
      List<MappedTensors> mapped,
      List<Unmapped> unmapped,
      List<Missing> missing,
      List<Missing> missingOfMtp,
      List<SharedTensor> shared,
      List<LegacyName> legacyNames,
      List<ShapeDifference> shapeDifferences,
      List<ModelType> modelTypes,
      long blocks,
      long mtpBlocks,
      boolean mtpOnly) {
    this.target = target;
    this.architecture = architecture;
    this.tensors = tensors;
    this.mapped = mapped;
    this.unmapped = unmapped;
    this.missing = missing;
    this.missingOfMtp = missingOfMtp;
    this.shared = shared;
    this.legacyNames = legacyNames;
    this.shapeDifferences = shapeDifferences;
    this.modelTypes = modelTypes;
    this.blocks = blocks;
    this.mtpBlocks = mtpBlocks;
    this.mtpOnly = mtpOnly;
  }

  /// Returns whose names the parameters have.
  public Target target() {
    return target;
  }

  /// Returns the architecture string of the map.
  public String architecture() {
    return architecture;
  }

  /// Returns what Hugging Face calls the models that these names belong to; where the metadata tell
  /// them apart, only those that fit.
  public List<ModelType> modelTypes() {
    return modelTypes;
  }

  /// Returns all tensors, in file order.
  public List<Tensor> tensors() {
    return tensors;
  }

  /// Returns how many tensors are mapped: all that are not [#unmapped()].
  public int mappedCount() {
    return tensors.size() - unmapped.size();
  }

  /// Returns the mapped tensors with their parameters: the global ones first, then block by block.
  public List<MappedTensors> mapped() {
    return mapped;
  }

  /// Returns the tensors that feed no parameter, in file order.
  public List<Unmapped> unmapped() {
    return unmapped;
  }

  /// Returns the parameters that no tensor feeds: the global ones first, then block by block.
  public List<Missing> missing() {
    return missing;
  }

  /// Returns what MTP layers lack that are in the file and not in the target. It is not counted as
  /// missing.
  public List<Missing> missingOfMtp() {
    return missingOfMtp;
  }

  /// Returns the optional tensors that are absent because another one stands in for them.
  public List<SharedTensor> shared() {
    return shared;
  }

  /// Returns the tensors under older names, in file order.
  public List<LegacyName> legacyNames() {
    return legacyNames;
  }

  /// Returns the tensors whose dimensions are not those that the metadata promise.
  public List<ShapeDifference> shapeDifferences() {
    return shapeDifferences;
  }

  /// Returns the number of blocks that the metadata promise, MTP layers included; 0 if they do not
  /// say.
  public long blocks() {
    return blocks;
  }

  /// Returns the number of blocks of the main model: those before the MTP layers.
  public long mainBlocks() {
    return blocks - mtpBlocks;
  }

  /// Returns the number of MTP layers, the last ones of [#blocks()].
  public long mtpBlocks() {
    return mtpBlocks;
  }

  /// Returns whether the file holds MTP layers and none of the main model. Its global tensors are
  /// mapped, and nothing of the main model is missing.
  public boolean isMtpOnly() {
    return mtpOnly;
  }

  /// Returns whether no parameter is missing and no tensor is unknown.
  public boolean isComplete() {
    if (!missing.isEmpty()) {
      return false;
    }
    for (Unmapped tensor : unmapped) {
      if (tensor.group() == Group.UNKNOWN) {
        return false;
      }
    }
    return true;
  }

  /// Returns the entry that a tensor belongs to, if it is mapped.
  public Optional<MappedTensors> ofTensor(String name) {
    Map<String, MappedTensors> index = byTensor;
    if (index == null) {
      index = HashMap.newHashMap(tensors.size());
      for (MappedTensors entry : mapped) {
        for (Tensor source : entry.sources()) {
          index.put(source.name(), entry);
        }
      }
      byTensor = index;
    }
    return Optional.ofNullable(index.get(name));
  }

  /// Returns the entry that feeds a parameter.
  ///
  /// @param name of one parameter, written out or with the range that [Parameter#name()] gives
  public Optional<MappedTensors> ofParameter(String name) {
    Map<String, MappedTensors> index = byParameter;
    if (index == null) {
      index = HashMap.newHashMap(mapped.size());
      for (MappedTensors entry : mapped) {
        for (Parameter parameter : entry.parameters()) {
          index.put(parameter.name(), entry);
          if (parameter.isRange()) {
            index.put(parameter.pattern(), entry);
          }
        }
      }
      byParameter = index;
    }
    MappedTensors found = index.get(name);
    return Optional.ofNullable(found == null ? inRange(index, name) : found);
  }

  /// Looks a name up whose numbers may each be that of an expert.
  private static @Nullable MappedTensors inRange(Map<String, MappedTensors> index, String name) {
    int at = 0;
    while (at < name.length()) {
      int dot = name.indexOf('.', at);
      int end = dot < 0 ? name.length() : dot;
      if (isNumber(name, at, end)) {
        String pattern = name.substring(0, at) + Parameter.EXPERT + name.substring(end);
        MappedTensors found = index.get(pattern);
        if (found != null && has(found, name, pattern, Long.parseLong(name, at, end, 10))) {
          return found;
        }
      }
      at = end + 1;
    }
    return null;
  }

  private static boolean isNumber(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return to > from && to - from < 10;
  }

  private static boolean has(MappedTensors entry, String name, String pattern, long expert) {
    for (Parameter parameter : entry.parameters()) {
      if (parameter.isRange() && parameter.pattern().equals(pattern)) {
        return expert < parameter.count() && parameter.name(expert).equals(name);
      }
    }
    return false;
  }

  /// Returns why a tensor is not mapped, if it is not.
  public Optional<Unmapped> unmapped(String name) {
    for (Unmapped tensor : unmapped) {
      if (tensor.tensor().name().equals(name)) {
        return Optional.of(tensor);
      }
    }
    return Optional.empty();
  }

  /// Returns all names of parameters that are fed, ranges written out, in the order of [#mapped()].
  public List<String> parameterNames() {
    List<String> names = new ArrayList<>();
    for (MappedTensors entry : mapped) {
      for (Parameter parameter : entry.parameters()) {
        names.addAll(parameter.names());
      }
    }
    return names;
  }
}
