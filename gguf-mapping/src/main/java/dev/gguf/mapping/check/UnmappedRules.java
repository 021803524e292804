package dev.gguf.mapping.check;

import dev.gguf.Finding;
import dev.gguf.Tensor;
import dev.gguf.mapping.Group;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.Unmapped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Tensors that feed no parameter, one finding for each group of them.
final class UnmappedRules {
  private final Judged model;
  private final Mapping mapping;

  private UnmappedRules(Judged model, Mapping mapping) {
    this.model = model;
    this.mapping = mapping;
  }

  static void check(Judged model, Mapping mapping) {
    if (mapping.unmapped().isEmpty()) {
      return;
    }
    UnmappedRules rules = new UnmappedRules(model, mapping);
    Map<Group, List<Unmapped>> groups = new LinkedHashMap<>();
    for (Unmapped unmapped : mapping.unmapped()) {
      List<Unmapped> members = groups.get(unmapped.group());
      if (members == null) {
        members = new ArrayList<>();
        groups.put(unmapped.group(), members);
      }
      members.add(unmapped);
    }
    List<Unmapped> mtp = groups.remove(Group.MTP);
    if (mtp != null) {
      rules.mtp(mtp);
    }
    for (Map.Entry<Group, List<Unmapped>> group : groups.entrySet()) {
      rules.group(group.getKey(), group.getValue());
    }
  }

  private void mtp(List<Unmapped> members) {
    TreeSet<Long> numbers = new TreeSet<>();
    long bytes = 0;
    for (Unmapped member : members) {
      bytes += member.tensor().bytes();
      if (member.layer().isPresent()) {
        numbers.add((long) member.layer().getAsInt());
      }
    }
    List<Long> blocks = new ArrayList<>(numbers);
    long all = 0;
    for (Tensor tensor : mapping.tensors()) {
      all += tensor.bytes();
    }
    int others = mapping.tensors().size() - members.size();
    String rest =
        mapping.mappedCount() == others
            ? "all " + others + " others are mapped"
            : mapping.mappedCount() + " of the " + others + " others are mapped";
    String what =
        blocks.isEmpty()
            ? " for multi-token prediction"
            : " of blk."
                + Words.ranges(blocks)
                + (members.size() == 1 ? " is" : " are")
                + (blocks.size() == 1 ? " the MTP layer" : " the MTP layers");
    tell(
        ModelRule.TENSOR_MTP,
        members,
        Words.count(members.size(), "tensor")
            + what
            + ", which the main model skips: "
            + Words.size(bytes)
            + " of "
            + Words.size(all)
            + (bytes < 1024 ? "" : " (" + bytes + " bytes)")
            + "; "
            + rest);
  }

  private void group(Group group, List<Unmapped> members) {
    String count = Words.count(members.size(), "tensor");
    boolean one = members.size() == 1;
    switch (group) {
      case NO_COUNTERPART ->
          byReason(ModelRule.TENSOR_NO_COUNTERPART, members, " without a parameter of its own");
      case COMPANION ->
          tell(
              ModelRule.TENSOR_COMPANION,
              members,
              count
                  + (one ? " is the scale" : " are scales")
                  + " of weights beside "
                  + (one ? "it" : "them")
                  + first(members));
      case SURPLUS -> byReason(ModelRule.TENSOR_SURPLUS, members, " that the target does not use");
      case MULTIMODAL ->
          tell(
              ModelRule.TENSOR_MULTIMODAL,
              members,
              count + " for images or sound inside a language model" + first(members));
      case UNKNOWN ->
          tell(
              ModelRule.TENSOR_UNKNOWN,
              members,
              count + " that no rule of " + mapping.architecture() + " knows" + first(members));
      case MTP, LEGACY_NAME -> {
        // told before, and by LegacyRules
      }
    }
  }

  private void byReason(ModelRule rule, List<Unmapped> members, String what) {
    Map<String, List<Unmapped>> reasons = new LinkedHashMap<>();
    for (Unmapped member : members) {
      List<Unmapped> same = reasons.get(member.reason());
      if (same == null) {
        same = new ArrayList<>();
        reasons.put(member.reason(), same);
      }
      same.add(member);
    }
    int told = 0;
    for (Map.Entry<String, List<Unmapped>> entry : reasons.entrySet()) {
      List<Unmapped> same = entry.getValue();
      String end = ++told == 8 && reasons.size() > 8 ? "; there are more for other reasons" : "";
      tell(
          rule,
          same,
          Words.count(same.size(), "tensor") + what + first(same) + ": " + entry.getKey() + end);
      if (!end.isEmpty()) {
        return;
      }
    }
  }

  private static String first(List<Unmapped> members) {
    return (members.size() == 1 ? ": " : ", first ") + members.getFirst().tensor().name();
  }

  private void tell(ModelRule rule, List<Unmapped> members, String message) {
    Finding finding = model.aboutTensor(rule, members.getFirst().tensor(), message);
    model.add(finding);
  }
}
