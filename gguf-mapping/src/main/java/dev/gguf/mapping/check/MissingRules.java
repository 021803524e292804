package dev.gguf.mapping.check;

import dev.gguf.Subject;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.Missing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Parameters of the target that no tensor feeds.
final class MissingRules {
  private MissingRules() {}

  /// Tells of each name one finding, however many blocks lack it.
  ///
  /// @param absent the blocks that are told as a whole
  static void check(Judged model, Mapping mapping, Set<Long> absent) {
    if (mapping.missing().isEmpty()) {
      return;
    }
    Map<String, List<Missing>> groups = new LinkedHashMap<>();
    for (Missing missing : mapping.missing()) {
      if (missing.layer().isPresent() && absent.contains((long) missing.layer().getAsInt())) {
        continue;
      }
      String group = Words.withoutBlock(missing.tensor()) + end(missing.parameter());
      List<Missing> members = groups.get(group);
      if (members == null) {
        members = new ArrayList<>();
        groups.put(group, members);
      }
      members.add(missing);
    }
    for (List<Missing> members : groups.values()) {
      tell(model, mapping, members);
    }
  }

  private static String end(String parameter) {
    int dot = parameter.lastIndexOf('.', parameter.lastIndexOf('.') - 1);
    return dot < 0 ? parameter : parameter.substring(dot);
  }

  private static void tell(Judged model, Mapping mapping, List<Missing> members) {
    Missing first = members.getFirst();
    String message;
    if (members.size() == 1) {
      message = first.parameter() + " is missing: " + first.reason();
    } else {
      List<Long> blocks = new ArrayList<>();
      for (Missing member : members) {
        if (member.layer().isPresent()
            && (blocks.isEmpty() || blocks.getLast() != member.layer().getAsInt())) {
          blocks.add((long) member.layer().getAsInt());
        }
      }
      message =
          members.size()
              + " parameters of "
              + Words.blocks(blocks)
              + " are missing, first "
              + first.parameter()
              + ": "
              + first.reason();
    }
    model.add(
        model
            .aboutModel(ModelRule.PARAMETER_MISSING, message)
            .about(new Subject(Subject.Kind.PARAMETER, first.parameter()))
            .withHint(
                "without it no engine has the whole "
                    + mapping.architecture()
                    + " model; make or download the file again"));
  }
}
