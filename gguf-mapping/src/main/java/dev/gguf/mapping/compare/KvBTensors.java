package dev.gguf.mapping.compare;

import dev.gguf.Tensor;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The tensors of one layer that have to do with `kv_b_proj`.
final class KvBTensors {
  private static final String KEYS = "attn_k_b.weight";
  private static final String VALUES = "attn_v_b.weight";
  private static final String UNDIVIDED = "attn_kv_b.weight";
  private static final String COMPRESSED = "attn_kv_a_mqa.weight";

  final int layer;
  @Nullable Tensor kB;
  @Nullable Tensor vB;
  @Nullable Tensor kvB;

  private KvBTensors(int layer) {
    this.layer = layer;
  }

  /// Gathers the layers that have latent attention, whatever the order of the tensors: those with
  /// one of the three tensors, or with the projection that comes before them.
  static SortedMap<Integer, KvBTensors> of(List<Tensor> tensors) {
    SortedMap<Integer, KvBTensors> layers = new TreeMap<>();
    for (Tensor tensor : tensors) {
      String name = tensor.name();
      int layer = Tensor.layer(name).orElse(-1);
      if (layer < 0) {
        continue;
      }
      switch (name.substring(name.indexOf('.', 4) + 1)) {
        case KEYS -> {
          KvBTensors at = at(layers, layer);
          at.kB = at.kB == null ? tensor : at.kB;
        }
        case VALUES -> {
          KvBTensors at = at(layers, layer);
          at.vB = at.vB == null ? tensor : at.vB;
        }
        case UNDIVIDED -> {
          KvBTensors at = at(layers, layer);
          at.kvB = at.kvB == null ? tensor : at.kvB;
        }
        case COMPRESSED -> at(layers, layer);
        default -> {
          // Has nothing to do with it.
        }
      }
    }
    return layers;
  }

  private static KvBTensors at(SortedMap<Integer, KvBTensors> layers, int layer) {
    return layers.computeIfAbsent(layer, KvBTensors::new);
  }

  /// Returns the names of the halves that are absent.
  List<String> absent() {
    String prefix = "blk." + layer + ".";
    if (kB == null) {
      return vB == null ? List.of(prefix + KEYS, prefix + VALUES) : List.of(prefix + KEYS);
    }
    return vB == null ? List.of(prefix + VALUES) : List.of();
  }
}
