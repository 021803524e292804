package dev.gguf.mapping.check;

import dev.gguf.Tensor;
import dev.gguf.mapping.Group;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.ShapeDifference;
import dev.gguf.mapping.Unmapped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Dimensions of tensors against the keys of the model.
final class ShapeRules {
  private ShapeRules() {}

  static void check(Judged model, Mapping mapping) {
    if (!mapping.shapeDifferences().isEmpty()) {
      differences(model, mapping);
    }
    for (Unmapped unmapped : mapping.unmapped()) {
      if (unmapped.group() == Group.COMPANION) {
        scale(model, mapping, unmapped.tensor());
      }
    }
  }

  /// Tells of each name one finding, however many blocks have it with such dimensions.
  private static void differences(Judged model, Mapping mapping) {
    Map<String, List<ShapeDifference>> groups = new LinkedHashMap<>();
    long layers = model.layersInArrays();
    for (ShapeDifference difference : mapping.shapeDifferences()) {
      if (difference.tensor().layer().orElse(-1) >= layers) {
        continue;
      }
      String group =
          Words.withoutBlock(difference.tensor().name())
              + Words.dimensions(difference.tensor().ne())
              + Words.dimensions(difference.expected());
      List<ShapeDifference> members = groups.get(group);
      if (members == null) {
        members = new ArrayList<>();
        groups.put(group, members);
      }
      members.add(difference);
    }
    for (List<ShapeDifference> members : groups.values()) {
      ShapeDifference first = members.getFirst();
      Tensor tensor = first.tensor();
      String more =
          members.size() == 1
              ? ""
              : ", and so in " + Words.blocks(blocks(members)) + ", " + members.size() + " tensors";
      model.add(
          model
              .aboutTensor(
                  ModelRule.SHAPE,
                  tensor,
                  tensor.name()
                      + " has the dimensions "
                      + Words.dimensions(tensor.ne())
                      + ", the keys of the model say "
                      + Words.dimensions(first.expected())
                      + more)
              .withHint("convert the model again with a current converter"));
    }
  }

  private static List<Long> blocks(List<ShapeDifference> members) {
    List<Long> blocks = new ArrayList<>();
    for (ShapeDifference member : members) {
      if (member.tensor().layer().isPresent()) {
        blocks.add((long) member.tensor().layer().getAsInt());
      }
    }
    return blocks;
  }

  /// A scale is one number, or one for each expert.
  private static void scale(Judged model, Mapping mapping, Tensor scale) {
    Long experts = model.integer(model.key("expert_count"));
    long allowed = experts == null ? 1 : experts;
    if (scale.elements() != 1 && scale.elements() != allowed) {
      model.add(
          model.aboutTensor(
              ModelRule.SHAPE,
              scale,
              scale.name()
                  + " has "
                  + scale.elements()
                  + " elements, a scale has 1"
                  + (experts == null ? "" : " or, one for each expert, " + allowed)
                  + " in the architecture "
                  + mapping.architecture()));
    }
  }
}
