package dev.gguf.mapping;

import dev.gguf.Severity;
import dev.gguf.Tensor;
import dev.gguf.mapping.internal.MapFile;
import dev.gguf.mapping.internal.Section;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Says why tensors that no rule took feed no parameter.
final class Unclaimed {
  private static final String[] SCALES = {".scale", ".input_scale"};
  private static final String[] OTHER_SENSES = {"v.", "a.", "mm."};

  private final MapFile map;
  private final TensorIndex index;
  private final long blocks;
  private final long mtpBlocks;
  private final boolean mtp;
  private final String mtpReason;

  Unclaimed(MapFile map, TensorIndex index, long blocks, long mtpBlocks, boolean mtp) {
    this.map = map;
    this.index = index;
    this.blocks = blocks;
    this.mtpBlocks = mtpBlocks;
    this.mtp = mtp;
    long main = blocks - mtpBlocks;
    this.mtpReason =
        "the layer is for multi-token prediction; the main model has "
            + (main == 1 ? "layer 0 only" : "layers 0 to " + (main - 1));
  }

  /// Says why a tensor feeds no parameter.
  ///
  /// @param at index of the tensor
  /// @param checkpointName the parameter that it would feed with MTP layers, or null
  /// @param reason why the rule that knows it did not take it, or null
  /// @param legacyNames takes a further name where it is an older one
  Unmapped explain(
      int at,
      @Nullable String checkpointName,
      @Nullable String reason,
      List<LegacyName> legacyNames) {
    Tensor tensor = index.tensor(at);
    if (checkpointName != null) {
      return result(at, Group.MTP, mtpReason, checkpointName);
    }
    if (index.isRepeated(at)) {
      return result(at, Group.SURPLUS, "a tensor of the same name comes before it", null);
    }
    Section section = map.sections().get(index.section(at));
    int slot = index.slot(at);
    if (slot >= 0) {
      return known(at, section, slot, reason, legacyNames);
    }
    String name = tensor.name();
    for (String scale : SCALES) {
      if (name.endsWith(scale) && isKnownWeight(section, at, scale)) {
        String weight = name.substring(0, name.length() - scale.length()).concat(".weight");
        return result(at, Group.COMPANION, "it scales " + weight, null);
      }
    }
    for (String sense : OTHER_SENSES) {
      if (name.startsWith(sense)) {
        return result(at, Group.MULTIMODAL, "it belongs to a part for images or sound", null);
      }
    }
    if (mtpBlocks > 0 && !mtp && name.startsWith("nextn.")) {
      return result(at, Group.MTP, mtpReason, null);
    }
    if (name.startsWith("mtp.")) {
      return result(
          at, Group.MTP, "it is for multi-token prediction, under a checkpoint's name", name);
    }
    return result(at, Group.UNKNOWN, "no rule of this architecture knows the name", null);
  }

  private Unmapped known(
      int at, Section section, int slot, @Nullable String reason, List<LegacyName> legacyNames) {
    Section.Drop drop = section.drop(slot);
    long layer = index.layer(at);
    if (drop != null) {
      Group group = Group.of(drop.group()).orElseThrow();
      String text = drop.reason();
      String finalName = drop.finalName();
      if (finalName != null) {
        finalName = layer < 0 ? finalName : section.before() + layer + section.after() + finalName;
        text = text + "; its name is now " + finalName;
      }
      if (group == Group.LEGACY_NAME) {
        legacyNames.add(
            new LegacyName(
                index.tensor(at), finalName == null ? "" : finalName, Severity.WARNING, false));
      }
      return result(at, group, text, null);
    }
    if (layer >= blocks) {
      return result(
          at,
          Group.SURPLUS,
          "its block is not one of the " + blocks + " that block_count promises",
          null);
    }
    if (layer >= blocks - mtpBlocks && !mtp) {
      return result(at, Group.MTP, mtpReason, null);
    }
    String why = reason == null ? section.otherwise(slot) : reason;
    return result(
        at,
        Group.SURPLUS,
        why != null
            ? why
            : layer < 0
                ? "the model has no such parameter"
                : "the model has no such parameter on this layer",
        null);
  }

  private boolean isKnownWeight(Section section, int at, String scale) {
    String name = index.tensor(at).name();
    long layer = index.layer(at);
    int start = 0;
    if (layer >= 0) {
      start = section.before().length() + Long.toString(layer).length() + section.after().length();
    }
    String rest = name.substring(start, name.length() - scale.length());
    return section.slot(rest.concat(".weight")) >= 0 || section.slot(rest) >= 0;
  }

  private Unmapped result(int at, Group group, String reason, @Nullable String checkpointName) {
    long layer = index.layer(at);
    return new Unmapped(
        index.tensor(at),
        layer < 0 ? OptionalInt.empty() : OptionalInt.of((int) layer),
        group,
        reason,
        checkpointName);
  }
}
