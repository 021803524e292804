package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import java.util.List;

/// Finds a shard of a model of another width: the norms of its blocks are not as long as the keys
/// of the first shard say, while those of other shards are.
final class ShardShapes {
  private ShardShapes() {}

  static void check(List<GgufFile> files, List<Finding> findings) {
    Metadata metadata = files.getFirst().metadata();
    String architecture = metadata.findString("general.architecture").orElse("");
    String key = architecture + ".embedding_length";
    Metadata.Entry entry = metadata.find(key).orElse(null);
    if (files.size() < 2 || architecture.isEmpty() || entry == null || !entry.type().isInteger()) {
      return;
    }
    long width = entry.bits();
    Tensor odd = null;
    boolean anyFits = false;
    for (GgufFile file : files) {
      Tensor wrong = null;
      boolean fits = false;
      for (Tensor tensor : file.tensors()) {
        if (tensor.layer().isPresent() && tensor.name().endsWith(".attn_norm.weight")) {
          fits |= tensor.ne(0) == width;
          wrong = tensor.ne(0) == width ? wrong : tensor;
        }
      }
      anyFits |= fits;
      odd = odd == null && !fits ? wrong : odd;
    }
    if (odd == null || !anyFits) {
      return;
    }
    String name = String.valueOf(odd.file().path().getFileName());
    findings.add(
        Finding.of(
                FileRule.SHARD_MIXED,
                name
                    + " looks like a shard of another model: "
                    + odd.name()
                    + " has "
                    + odd.ne(0)
                    + " elements, "
                    + key
                    + " of the first shard is "
                    + width)
            .about(new Subject(Subject.Kind.SHARD, name))
            .at(odd.file().path(), odd.infoOffset())
            .withHint("fetch this shard again from the same source as the others"));
  }
}
