package dev.gguf.mapping.check;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.ValueType;
import java.util.ArrayList;
import java.util.List;

/// Files of the exporter of ollama: the same architecture string with other keys, lengths and
/// names, which stop other engines one after the other.
final class DialectRules {
  private final Judged model;
  private final List<String> differences = new ArrayList<>();

  private DialectRules(Judged model) {
    this.model = model;
  }

  static void check(Judged model) {
    if (model.isText() && model.hasAllKeys()) {
      new DialectRules(model).check();
    }
  }

  private void check() {
    String marks = marks();
    sections();
    if (marks.isEmpty() && differences.isEmpty()) {
      return;
    }
    headCounts();
    names();
    if (differences.isEmpty()) {
      return;
    }
    model.add(
        model
            .aboutModel(
                ModelRule.DIALECT,
                "the file is in the dialect of ollama's exporter"
                    + (marks.isEmpty() ? "" : " (" + marks + ")")
                    + ", "
                    + (differences.size() == 1
                        ? "1 difference"
                        : differences.size() + " differences")
                    + " to what llama.cpp reads: "
                    + String.join("; ", differences))
            .withHint("load it with ollama, or fetch a file made with llama.cpp's converter"));
  }

  private String marks() {
    StringBuilder marks = new StringBuilder();
    for (String own : new String[] {"mrope_sections", "rope.mrope_interleaved", "image_token_id"}) {
      if (model.metadata().has(model.key(own))) {
        marks.append(marks.isEmpty() ? "" : ", ").append(model.key(own));
      }
    }
    return marks.toString();
  }

  private void sections() {
    String key = model.key("rope.dimension_sections");
    Metadata.Entry entry = model.entry(key);
    if (entry != null && entry.type() == ValueType.ARRAY && entry.array().count() == 3) {
      differences.add(key + " has 3 entries instead of 4");
    }
  }

  private void headCounts() {
    String key = model.key("attention.head_count_kv");
    Metadata.Entry entry = model.entry(key);
    if (entry == null
        || entry.type() != ValueType.ARRAY
        || !entry.array().elementType().isInteger()
        || entry.array().count() > 4096) {
      return;
    }
    int zeros = 0;
    for (long value : entry.array().integers()) {
      zeros += value == 0 ? 1 : 0;
    }
    if (zeros > 0) {
      differences.add(
          key + " is an array with " + zeros + " zeros of " + entry.array().count() + " entries");
    }
  }

  private void names() {
    Counted bare = new Counted();
    Counted vision = new Counted();
    Counted mtp = new Counted();
    for (Tensor tensor : model.tensors()) {
      String name = tensor.name();
      if (name.endsWith(".ssm_dt")) {
        bare.add(name);
      } else if (name.startsWith("v.") || name.startsWith("mm.") || name.startsWith("a.")) {
        vision.add(name);
      } else if (name.startsWith("mtp.")) {
        mtp.add(name);
      }
    }
    if (bare.count > 0) {
      differences.add(bare + " without .bias");
    }
    if (vision.count > 0) {
      differences.add(vision + " of a vision or audio part");
    }
    if (mtp.count > 0) {
      differences.add(mtp + " of an MTP head under names of its own");
    }
  }

  private static final class Counted {
    private int count;
    private String first = "";

    void add(String name) {
      first = count == 0 ? name : first;
      count++;
    }

    @Override
    public String toString() {
      return count == 1 ? first : count + " tensors, first " + first + ",";
    }
  }
}
