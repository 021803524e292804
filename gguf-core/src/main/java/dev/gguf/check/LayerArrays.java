package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Subject;
import dev.gguf.ValueType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Arrays with one value for each block: their lengths against the number of blocks, with or
/// without those of multi-token prediction, and against each other.
final class LayerArrays {
  private LayerArrays() {}

  static void check(Gguf gguf, String architecture, List<Finding> findings) {
    Metadata metadata = gguf.metadata();
    Long blocks = count(metadata, architecture + ".block_count");
    if (architecture.isEmpty() || blocks == null) {
      return;
    }
    Long nextn = count(metadata, architecture + ".nextn_predict_layers");
    long trunk = nextn == null || nextn < 0 || nextn >= blocks ? blocks : blocks - nextn;
    GgufFile file = gguf.files().getFirst();
    Metadata.Entry ofBlocks = null;
    Metadata.Entry ofTrunk = null;
    for (Metadata.Entry entry : metadata) {
      if (!isPerLayer(entry, architecture)) {
        continue;
      }
      long length = entry.array().count();
      if (length == 0) {
        continue;
      }
      if (length != blocks && length != trunk) {
        findings.add(wrong(entry, blocks, trunk).at(file.path(), entry.offset()));
      } else if (!entry.key().endsWith(".attention.indexer.types")) {
        ofBlocks = length == blocks && ofBlocks == null ? entry : ofBlocks;
        ofTrunk = length == trunk && ofTrunk == null ? entry : ofTrunk;
      }
    }
    if (trunk != blocks && ofBlocks != null && ofTrunk != null) {
      findings.add(mixed(ofBlocks, ofTrunk).at(file.path(), ofTrunk.offset()));
    }
  }

  private static boolean isPerLayer(Metadata.Entry entry, String architecture) {
    if (entry.type() != ValueType.ARRAY
        || entry.array().elementType() == ValueType.STRING
        || entry.array().elementType() == ValueType.ARRAY) {
      return false;
    }
    KeyType type = KeyType.of(entry.key(), architecture);
    return type == KeyType.LAYERS || type == KeyType.LAYER_FLOATS;
  }

  private static Finding wrong(Metadata.Entry entry, long blocks, long trunk) {
    return Finding.of(
            FileRule.ARRAY_LENGTH,
            entry.key()
                + " has "
                + entry.array().count()
                + " entries, one for each block would be "
                + blocks
                + (trunk == blocks ? "" : ", or " + trunk + " without the MTP blocks"))
        .about(Subject.key(entry.key()))
        .withHint("convert again; engines want one entry for each block");
  }

  private static Finding mixed(Metadata.Entry ofBlocks, Metadata.Entry ofTrunk) {
    return Finding.of(
            FileRule.ARRAY_LENGTH,
            ofBlocks.key()
                + " has an entry for each of "
                + ofBlocks.array().count()
                + " blocks, "
                + ofTrunk.key()
                + " for the "
                + ofTrunk.array().count()
                + " without MTP: arrays of both lengths in one file")
        .about(Subject.key(ofTrunk.key()))
        .withHint("engines read arrays by one length; convert again");
  }

  private static @Nullable Long count(Metadata metadata, String key) {
    Metadata.Entry entry = metadata.find(key).orElse(null);
    return entry != null && entry.type().isInteger() ? Long.valueOf(entry.bits()) : null;
  }
}
