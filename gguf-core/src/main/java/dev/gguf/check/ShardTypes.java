package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.GgufFile;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds a shard of another quantisation of the same model: whatever role its tensors have, in this
/// shard they are of types that the role has in no other.
///
/// The mixes that quantisers make vary a role's type by layer as well, but never of every role at
/// the border of a file, so all quantised roles that shards share have to agree before one is
/// called odd.
final class ShardTypes {
  private static final int FEWEST_ROLES = 2;

  private final List<GgufFile> files;
  private final Map<String, Role> roles = new HashMap<>();

  /// A name without its layer number: in how many shards it is, and each type in how many.
  private static final class Role {
    private final Map<TensorType, Integer> shards = new HashMap<>();
    private final Map<TensorType, Integer> lastShard = new HashMap<>();
    private int all;
    private int last = -1;

    void add(TensorType type, int shard) {
      if (last != shard) {
        last = shard;
        all++;
      }
      Integer before = lastShard.put(type, shard);
      if (before == null || before != shard) {
        shards.merge(type, 1, Integer::sum);
      }
    }

    boolean isShared() {
      return all > 1;
    }

    boolean isElsewhere(TensorType type) {
      return shards.getOrDefault(type, 0) > 1;
    }

    @Nullable TensorType otherThan(TensorType type) {
      for (TensorType other : shards.keySet()) {
        if (!other.equals(type)) {
          return other;
        }
      }
      return null;
    }
  }

  ShardTypes(List<GgufFile> files) {
    this.files = files;
  }

  void check(List<Finding> findings) {
    for (int shard = 0; shard < files.size(); shard++) {
      for (Tensor tensor : files.get(shard).tensors()) {
        if (isJudged(tensor)) {
          roles.computeIfAbsent(role(tensor), name -> new Role()).add(tensor.type(), shard);
        }
      }
    }
    for (GgufFile file : files) {
      Tensor odd = odd(file);
      if (odd != null) {
        findings.add(finding(file, odd));
        return;
      }
    }
  }

  private static boolean isJudged(Tensor tensor) {
    return tensor.dimensions() > 1 && tensor.layer().isPresent();
  }

  private static String role(Tensor tensor) {
    return tensor.name().substring(tensor.name().indexOf('.', 4) + 1);
  }

  /// Returns a tensor of a type of its own, if that is true of all shared roles of the file.
  private @Nullable Tensor odd(GgufFile file) {
    Map<String, Tensor> odd = new HashMap<>();
    for (Tensor tensor : file.tensors()) {
      if (!isJudged(tensor)) {
        continue;
      }
      Role role = roles.get(role(tensor));
      if (!role.isShared()) {
        continue;
      }
      if (!role.isElsewhere(tensor.type())) {
        odd.put(role(tensor), tensor);
      } else if (!tensor.type().isFloat()) {
        // Routers and the like are kept as floats by every quantiser and say nothing.
        return null;
      }
    }
    return odd.size() < FEWEST_ROLES ? null : odd.values().iterator().next();
  }

  private Finding finding(GgufFile file, Tensor tensor) {
    return Finding.of(
            FileRule.SHARD_MIXED,
            file.path().getFileName()
                + " looks like a shard of another quantisation: its tensors have types that the"
                + " same tensors of other layers have in no other file; "
                + tensor.name()
                + " is "
                + tensor.type()
                + ", others are "
                + roles.get(role(tensor)).otherThan(tensor.type()))
        .about(new Subject(Subject.Kind.SHARD, file.path().getFileName().toString()))
        .in(file.path())
        .withHint("fetch this shard again from the same source as the others");
  }
}
