package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.GgufFile;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Finds a shard of another quantisation of the same model: whatever role its tensors have, in this
/// shard they are of types that the role has in no other.
///
/// The mixes that quantisers make vary a role's type by layer as well, but never of every role at
/// the border of a file, so all roles that shards share have to agree before one is called odd.
final class ShardTypes {
  private static final int FEWEST_ROLES = 2;

  private final List<GgufFile> files;
  private final List<Map<String, TreeSet<Long>>> roles = new ArrayList<>();

  ShardTypes(List<GgufFile> files) {
    this.files = files;
  }

  void check(List<Finding> findings) {
    if (files.size() < 2) {
      return;
    }
    for (GgufFile file : files) {
      Map<String, TreeSet<Long>> own = new HashMap<>();
      for (Tensor tensor : file.tensors()) {
        if (tensor.dimensions() > 1 && tensor.layer().isPresent()) {
          own.computeIfAbsent(role(tensor.name()), key -> new TreeSet<>())
              .add(tensor.type().id());
        }
      }
      roles.add(own);
    }
    for (int i = 0; i < files.size(); i++) {
      if (isOdd(i)) {
        findings.add(finding(i));
        return;
      }
    }
  }

  private static String role(String name) {
    return name.substring(name.indexOf('.', 4) + 1);
  }

  private boolean isOdd(int shard) {
    int shared = 0;
    for (Map.Entry<String, TreeSet<Long>> role : roles.get(shard).entrySet()) {
      TreeSet<Long> elsewhere = elsewhere(shard, role.getKey());
      if (elsewhere.isEmpty()) {
        continue;
      }
      for (Long type : role.getValue()) {
        if (elsewhere.contains(type)) {
          // Routers and the like are kept in F32 by every quantiser.
          if (TensorType.of(type.intValue()).isFloat()) {
            shared--;
            break;
          }
          return false;
        }
      }
      shared++;
    }
    return shared >= FEWEST_ROLES;
  }

  private TreeSet<Long> elsewhere(int shard, String role) {
    TreeSet<Long> types = new TreeSet<>();
    for (int i = 0; i < roles.size(); i++) {
      if (i != shard && roles.get(i).containsKey(role)) {
        types.addAll(roles.get(i).get(role));
      }
    }
    return types;
  }

  private Finding finding(int shard) {
    String example = "";
    for (Tensor tensor : files.get(shard).tensors()) {
      if (tensor.dimensions() > 1 && tensor.layer().isPresent()) {
        TreeSet<Long> elsewhere = elsewhere(shard, role(tensor.name()));
        if (!elsewhere.isEmpty() && !elsewhere.contains(tensor.type().id())) {
          example =
              tensor.name()
                  + " is "
                  + tensor.type()
                  + " here, "
                  + TensorType.of(elsewhere.first().intValue())
                  + " elsewhere";
          break;
        }
      }
    }
    GgufFile file = files.get(shard);
    return Finding.of(
            FileRule.SHARD_MIXED,
            file.path().getFileName()
                + " looks like a shard of another quantisation: its tensors have types that the"
                + " same tensors of other layers have in no other file; "
                + example)
        .about(new Subject(Subject.Kind.SHARD, file.path().getFileName().toString()))
        .in(file.path())
        .withHint("fetch this shard again from the same source as the others");
  }
}
