package dev.gguf.cli;

import dev.gguf.FileKind;
import dev.gguf.Gguf;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What `info` tells about a model, counted from its tensor table and its keys.
final class ModelFacts {
  private final Gguf gguf;
  private final String prefix;
  private final OptionalLong blocks;
  private final long mtpLayers;
  private long parameters;
  private long mainParameters;
  private long fileBytes;
  private long dataBytes;
  private long mtpBytes;
  private final List<TypeShare> types = new ArrayList<>();

  /// How much of a model is stored in one type.
  static final class TypeShare {
    private final TensorType type;
    private int tensors;
    private long bytes;

    private TypeShare(TensorType type) {
      this.type = type;
    }

    TensorType type() {
      return type;
    }

    int tensors() {
      return tensors;
    }

    long bytes() {
      return bytes;
    }
  }

  ModelFacts(Gguf gguf) {
    this.gguf = gguf;
    this.prefix = gguf.architecture().orElse("") + ".";
    this.blocks = integer("block_count");
    long promised = integer("nextn_predict_layers").orElse(0);
    this.mtpLayers = Math.clamp(promised, 0, blocks.orElse(0));
    for (GgufFile file : gguf.files()) {
      fileBytes += file.size();
    }
    count();
  }

  private void count() {
    long firstMtp = blocks.orElse(Long.MAX_VALUE) - mtpLayers;
    Map<TensorType, TypeShare> shares = new HashMap<>();
    for (Tensor tensor : gguf.tensors()) {
      TypeShare share = shares.get(tensor.type());
      if (share == null) {
        share = new TypeShare(tensor.type());
        shares.put(tensor.type(), share);
        types.add(share);
      }
      share.tensors++;
      share.bytes += tensor.bytes();
      parameters += tensor.elements();
      dataBytes += tensor.bytes();
      if (mtpLayers > 0 && tensor.layer().orElse(-1) >= firstMtp) {
        mtpBytes += tensor.bytes();
      } else {
        mainParameters += tensor.elements();
      }
    }
    types.sort((a, b) -> Long.compare(b.bytes, a.bytes));
  }

  /// Returns the value of an integer key of the architecture, if it is there and one.
  OptionalLong integer(String key) {
    Metadata.Entry entry = gguf.metadata().find(prefix + key).orElse(null);
    return entry == null || !entry.type().isInteger() || entry.bits() < 0
        ? OptionalLong.empty()
        : OptionalLong.of(entry.bits());
  }

  FileKind kind() {
    return gguf.kind();
  }

  @Nullable String architecture() {
    return gguf.architecture().orElse(null);
  }

  @Nullable String name() {
    return gguf.metadata().findString("general.name").orElse(null);
  }

  /// Returns the elements of all tensors.
  long parameters() {
    return parameters;
  }

  /// Returns the elements of all tensors outside the MTP layers.
  long mainParameters() {
    return mainParameters;
  }

  /// Returns data bits over all parameters; NaN without a parameter.
  double bitsPerWeight() {
    return parameters == 0 ? Double.NaN : dataBytes * 8.0 / parameters;
  }

  long fileBytes() {
    return fileBytes;
  }

  long dataBytes() {
    return dataBytes;
  }

  long mtpBytes() {
    return mtpBytes;
  }

  /// Returns the layers of the main model, if the key is there.
  OptionalLong mainLayers() {
    return blocks.isPresent() ? OptionalLong.of(blocks.getAsLong() - mtpLayers) : blocks;
  }

  /// Returns the layers after those of the main model.
  long mtpLayers() {
    return mtpLayers;
  }

  OptionalLong context() {
    return integer("context_length");
  }

  /// Returns the types by the bytes stored in them, the most first.
  List<TypeShare> types() {
    return types;
  }

  /// Returns the value of a tokenizer's string key, such as `model`, or null.
  @Nullable String tokenizer(String key) {
    return gguf.metadata().findString("tokenizer.ggml." + key).orElse(null);
  }

  /// Returns the length of a tokenizer's list, such as `tokens`, if it is there.
  OptionalLong tokenizerCount(String key) {
    Metadata.Entry entry = gguf.metadata().find("tokenizer.ggml." + key).orElse(null);
    return entry == null || entry.type() != ValueType.ARRAY
        ? OptionalLong.empty()
        : OptionalLong.of(entry.array().count());
  }

  boolean hasTokenizer() {
    return tokenizer("model") != null || tokenizerCount("tokens").isPresent();
  }

  boolean hasChatTemplate() {
    return gguf.metadata().has("tokenizer.chat_template");
  }

  /// Returns how many shards the set has that are not there.
  long absentShards() {
    Metadata.Entry count = gguf.metadata().find("split.count").orElse(null);
    return count == null || !count.type().isInteger() || gguf.files().size() == 1
        ? 0
        : Math.max(0, count.bits() - gguf.files().size());
  }

  List<GgufFile> files() {
    return gguf.files();
  }
}
