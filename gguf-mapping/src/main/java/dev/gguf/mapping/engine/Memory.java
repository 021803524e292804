package dev.gguf.mapping.engine;

import dev.gguf.Tensor;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Counts what a model takes on each device by the sharding rules of a profile.
final class Memory {
  private static final List<String> NOT_COUNTED =
      List.of(
          "activations and workspace of the peak forward pass",
          "CUDA context, NCCL and compiled graphs",
          "the peak while loading: a merged quantised module holds its parts and the padded copy at"
              + " once",
          "padding of merged modules whose parts have rows of unlike width");

  private final Attempt attempt;
  private final ModuleSteps modules;
  private final int ranks;
  private long weights;
  private long replicated;
  private long decoded;

  Memory(Attempt attempt) {
    this.attempt = attempt;
    this.modules = new ModuleSteps(attempt);
    this.ranks = attempt.launch.tensorParallel();
  }

  /// Returns the estimate, or null for an engine without sharding rules and for a file without
  /// layers.
  @Nullable MemoryEstimate estimate() {
    if (attempt.profile.under("module").isEmpty() || attempt.layers() == 0) {
      return null;
    }
    for (Tensor tensor : attempt.model.tensors()) {
      if (attempt.inTrunk(tensor) && tensor.hasExactSize()) {
        count(tensor);
      }
    }
    long perToken = bytesPerToken();
    long context = attempt.launch.maxModelLen();
    context = context == 0 ? attempt.integer("context_length", 0) : context;
    long buffers = topK() > 0 ? Math.multiplyExact(8192L * 4, topK()) : 0;
    double share = attempt.launch.utilization();
    String usual = attempt.profile.value("utilization");
    share = share == 0 && usual != null ? Double.parseDouble(usual) : share;
    long budget = (long) (attempt.launch.gpuMemory() * share);
    long block = block();
    long left = budget - weights - buffers;
    long longest = perToken == 0 || left <= 0 ? 0 : left / perToken / block * block;
    return new MemoryEstimate(
        ranks,
        weights,
        replicated,
        decoded,
        perToken,
        context,
        Math.multiplyExact(perToken, (context + block - 1) / block * block),
        buffers,
        budget,
        longest,
        NOT_COUNTED);
  }

  private long floatBytes() {
    return attempt.launch.dtype().equals("float32") ? 4 : 2;
  }

  private long block() {
    String block = attempt.profile.value("kv.block");
    return topK() > 0 && block != null ? Long.parseLong(block) : 16;
  }

  private long topK() {
    return attempt.first("indexer.proj.weight") == null
        ? 0
        : Math.clamp(attempt.integer("attention.indexer.top_k", 0), 0, 1 << 20);
  }

  private void count(Tensor tensor) {
    String kind = Attempt.kind(tensor.name());
    ModuleSteps.Module module = modules.module(tensor);
    boolean plain = attempt.plain(tensor.type());
    long asFloat = Math.multiplyExact(tensor.elements(), floatBytes());
    if (kind.equals("attn_k_b") || kind.equals("attn_v_b") || kind.equals("attn_kv_b")) {
      // kv_b_proj stays, and W_UK and W_UV are kept beside it in the activation type.
      boolean joined = !kind.equals("attn_kv_b");
      add(joined ? asFloat : plain ? asFloat : tensor.bytes(), true);
      add(asFloat, true);
      decoded += (joined && !plain ? asFloat : 0) / ranks + asFloat / ranks;
      return;
    }
    boolean mustBeFloat = attempt.fact("float-only." + kind) != null;
    long bytes = plain || mustBeFloat ? asFloat : tensor.bytes();
    if (mustBeFloat && !plain) {
      decoded += bytes;
    }
    if (module == null || module.cut().equals("replicated")) {
      add(bytes, false);
    } else if (module.cut().equals("vocabulary")) {
      add(Math.multiplyExact(bytes / Math.max(1, tensor.rows()), padded(tensor.rows())), true);
    } else if (kind.equals("attn_k") || kind.equals("attn_v")) {
      addHeads(bytes);
    } else {
      add(bytes, true);
    }
  }

  /// With more ranks than key-value heads every rank holds one head.
  private void addHeads(long bytes) {
    long heads = Math.max(1, attempt.integer("attention.head_count_kv", ranks));
    long parts = Math.min(heads, ranks);
    weights += (bytes + parts - 1) / parts;
  }

  private static long padded(long rows) {
    return (rows + 63) / 64 * 64;
  }

  private void add(long bytes, boolean cut) {
    weights += cut ? (bytes + ranks - 1) / ranks : bytes;
    replicated += cut ? 0 : bytes;
  }

  private long bytesPerToken() {
    long layers = attempt.layers();
    if (attempt.hasKey(attempt.architecture + ".attention.kv_lora_rank")) {
      return layers * latentBytes() + indexers() * number("kv.indexer");
    }
    long heads =
        attempt.integer("attention.head_count_kv", attempt.integer("attention.head_count", 0));
    long width = attempt.integer("embedding_length", 0);
    long all = Math.max(1, attempt.integer("attention.head_count", 1));
    long key = attempt.integer("attention.key_length", width / all);
    long value = attempt.integer("attention.value_length", width / all);
    long own = Math.max(1, (heads + ranks - 1) / ranks);
    long bytes = attempt.launch.kvCacheDtype().startsWith("fp8") ? 1 : floatBytes();
    return Math.multiplyExact(layers * own, Math.multiplyExact(key + value, bytes));
  }

  /// The cache that the attention backend keeps: what it insists on, else what is asked for.
  private long latentBytes() {
    String asked = attempt.launch.kvCacheDtype();
    String capability = attempt.launch.capability();
    SparseBackend backend =
        topK() == 0 || capability.isEmpty()
            ? null
            : SparseBackend.chosen(attempt, capability, attempt.dtype());
    Fact automatic = attempt.fact("kv.auto." + (capability.startsWith("10") ? "10" : "none"));
    if (asked.equals("auto") && backend != null && automatic != null) {
      asked = automatic.value();
    }
    String kept = asked;
    if (backend != null && !backend.cache().isEmpty()) {
      kept = backend.cache();
    } else if (backend != null && asked.startsWith("fp8") && !backend.fp8().isEmpty()) {
      kept = backend.fp8();
    }
    return switch (kept) {
      case "fp8_ds_mla" -> number("kv.mla.fp8_ds_mla");
      case "nvfp4_ds_mla" -> number("kv.mla.nvfp4_ds_mla");
      default -> latentWidth() * (kept.startsWith("fp8") ? 1 : floatBytes());
    };
  }

  private long latentWidth() {
    return attempt.integer("attention.kv_lora_rank", 0)
        + attempt.integer("rope.dimension_count", 0);
  }

  /// Layers with an indexer: the schedule that the file states, the built-in one of GLM-5.2, or
  /// all.
  private long indexers() {
    if (topK() == 0) {
      return 0;
    }
    long layers = attempt.layers();
    if (!attempt.profile.is("indexer.layers", "schedule")) {
      return layers;
    }
    int found = 0;
    for (Tensor tensor : attempt.model.tensors()) {
      OptionalInt layer = tensor.layer();
      if (layer.isPresent()
          && layer.getAsInt() < layers
          && Attempt.rest(tensor.name()).equals("indexer.proj.weight")) {
        found++;
      }
    }
    boolean long5 = attempt.integer("context_length", 0) >= 1_048_576;
    long scheduled = layers <= 2 ? layers : 2 + (layers - 2 + 3) / 4;
    return long5 ? Math.min(found, scheduled) : found;
  }

  private long number(String key) {
    String value = attempt.profile.value(key);
    return value == null ? 0 : Long.parseLong(value);
  }
}
