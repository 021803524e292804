package dev.gguf.mapping.check;

import dev.gguf.Severity;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.Missing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Blocks that the keys promise against those that the file has.
final class BlockRules {
  private final Judged model;
  private final Mapping mapping;
  private final Map<Long, Integer> present = new HashMap<>();
  private final Set<Long> absent = new HashSet<>();

  BlockRules(Judged model, Mapping mapping) {
    this.model = model;
    this.mapping = mapping;
    for (Tensor tensor : mapping.tensors()) {
      int layer = tensor.layer().orElse(-1);
      if (layer >= 0) {
        Integer count = present.get((long) layer);
        present.put((long) layer, count == null ? 1 : count + 1);
      }
    }
  }

  /// Returns the blocks of which no tensor, or less than half, is there, and which are told
  /// together.
  Set<Long> absent() {
    return absent;
  }

  void check() {
    if (model.metadata().has(model.key("block_count"))) {
      outside();
      if (model.hasAllTensors() && !mapping.isMtpOnly()) {
        blocksAbsent();
        mtpEmpty();
        mtpPartly();
      }
    }
  }

  private void outside() {
    int count = 0;
    Tensor first = null;
    for (Tensor tensor : mapping.tensors()) {
      if (tensor.layer().orElse(-1) >= mapping.blocks()) {
        count++;
        first = first == null ? tensor : first;
      }
    }
    if (first != null) {
      model.add(
          model.aboutTensor(
              ModelRule.BLOCK_OUTSIDE,
              first,
              Words.count(count, "tensor")
                  + (count == 1 ? " lies" : " lie")
                  + " in blocks at or above "
                  + model.key("block_count")
                  + " "
                  + mapping.blocks()
                  + ", first "
                  + first.name()));
    }
  }

  private void blocksAbsent() {
    Map<Long, Set<String>> lacking = new TreeMap<>();
    for (Missing missing : mapping.missing()) {
      if (missing.layer().isPresent()) {
        long block = missing.layer().getAsInt();
        Set<String> tensors = lacking.get(block);
        if (tensors == null) {
          tensors = new HashSet<>();
          lacking.put(block, tensors);
        }
        tensors.addAll(missing.tensors());
      }
    }
    Map<String, List<Long>> alike = new TreeMap<>();
    for (Map.Entry<Long, Set<String>> entry : lacking.entrySet()) {
      int here = present.getOrDefault(entry.getKey(), 0);
      int all = here + entry.getValue().size();
      if (2 * here < all) {
        absent.add(entry.getKey());
        add(alike, here + " of " + all, entry.getKey());
      }
    }
    long behind = mapping.mainBlocks() - lastLookedAt(lacking);
    for (Map.Entry<String, List<Long>> entry : alike.entrySet()) {
      tell(entry.getKey(), entry.getValue(), entry.getKey().startsWith("0 ") ? behind : 0);
    }
  }

  private static void add(Map<String, List<Long>> alike, String key, long block) {
    List<Long> blocks = alike.get(key);
    if (blocks == null) {
      blocks = new ArrayList<>();
      alike.put(key, blocks);
    }
    blocks.add(block);
  }

  /// Returns the number behind the last block that the mapping has looked at. Of a count far above
  /// what the file holds, the blocks behind it are all absent.
  private long lastLookedAt(Map<Long, Set<String>> lacking) {
    long last = -1;
    for (long block : present.keySet()) {
      last = Math.max(last, block);
    }
    for (long block : lacking.keySet()) {
      last = Math.max(last, block);
    }
    return Math.min(last + 1, mapping.mainBlocks());
  }

  private void tell(String share, List<Long> blocks, long behind) {
    long count = blocks.size() + behind;
    String which =
        behind == 0
            ? Words.blocks(blocks)
            : "blocks " + blocks.getFirst() + "-" + (mapping.mainBlocks() - 1);
    model.add(
        model
            .aboutModel(
                ModelRule.BLOCKS_ABSENT,
                which
                    + (count == 1 ? " has " : " have ")
                    + share
                    + " tensors"
                    + (count == 1 ? "" : " each")
                    + "; "
                    + model.key("block_count")
                    + " promises "
                    + Words.count(mapping.blocks(), "block"))
            .about(new Subject(Subject.Kind.LAYER, "blk." + blocks.getFirst()))
            .withHint(
                "the program that wrote the file probably did not finish; make or download it"
                    + " again"));
  }

  private void mtpEmpty() {
    long first = mapping.mainBlocks();
    if (mapping.mtpBlocks() == 0 || !absent.isEmpty() || first == 0) {
      return;
    }
    List<Long> empty = new ArrayList<>();
    for (long block = first; block < Math.min(mapping.blocks(), first + 1000); block++) {
      if (!present.containsKey(block)) {
        empty.add(block);
      }
    }
    if (empty.isEmpty()) {
      return;
    }
    model.add(
        model
            .aboutKey(
                ModelRule.MTP_EMPTY,
                model.key("nextn_predict_layers"),
                model.key("nextn_predict_layers")
                    + " is "
                    + mapping.mtpBlocks()
                    + " and "
                    + model.key("block_count")
                    + " is "
                    + mapping.blocks()
                    + ", but "
                    + Words.blocks(empty)
                    + ", for multi-token prediction, "
                    + (empty.size() == 1 ? "has" : "have")
                    + " no tensor; the "
                    + Words.count(first, "block")
                    + " of the main model "
                    + (first == 1 ? "is" : "are")
                    + " complete")
            .withHint(
                "set the keys to what the file holds: gguf edit "
                    + model.fileName()
                    + " OUT --set "
                    + model.key("block_count")
                    + "="
                    + (mapping.blocks() - empty.size())
                    + " --set "
                    + model.key("nextn_predict_layers")
                    + "="
                    + (mapping.mtpBlocks() - empty.size())));
  }

  /// An MTP layer that engines begin to load, because it has its projection, and cannot finish.
  /// Those that skip it load the file, so it is no error.
  private void mtpPartly() {
    Set<String> lacking = new HashSet<>();
    Missing first = null;
    for (Missing missing : mapping.missingOfMtp()) {
      String block = "blk." + missing.layer().orElse(-1) + ".";
      boolean loadsWithout =
          missing.tensor().startsWith(block + "nextn.")
              || missing.tensor().equals(block + "exp_probs_b.bias");
      if (model.has(block + "nextn.eh_proj.weight") && !loadsWithout) {
        first = first == null ? missing : first;
        lacking.addAll(missing.tensors());
      }
    }
    if (first != null) {
      model.add(
          model
              .aboutModel(
                  ModelRule.BLOCKS_ABSENT,
                  Words.count(lacking.size(), "tensor")
                      + " of the MTP layers "
                      + (lacking.size() == 1 ? "is" : "are")
                      + " absent, first "
                      + first.tensor()
                      + "; engines that use these layers refuse the file")
              .about(new Subject(Subject.Kind.LAYER, "blk." + first.layer().orElse(-1)))
              .withSeverity(Severity.WARNING)
              .withHint("make or download the file again, or convert without the MTP layers"));
    }
  }
}
