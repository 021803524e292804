package dev.gguf.mapping.internal;

import dev.gguf.Metadata;
import dev.gguf.MetadataArray;
import dev.gguf.MetadataException;
import dev.gguf.Tensor;
import dev.gguf.ValueType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What expressions are evaluated against: the keys of a model, and the layer that is being mapped.
public abstract class Scope {
  private static final int FOR_ALL_LAYERS = -1;

  private final MapFile map;
  private final long blocks;
  private final long mtpBlocks;
  private final boolean transformers;
  private final Metadata.@Nullable Entry[] entries;
  private final long[] @Nullable [] arrays;
  private final long[] values;
  private final int[] stamps;
  private int stamp = 1;
  private boolean perLayer;
  private long layer = -1;

  /// @param architecture the prefix of the model's keys
  /// @param blocks blocks of the model, MTP layers included
  /// @param mtpBlocks how many of them are MTP layers
  /// @param transformers whether the target is transformers
  protected Scope(
      MapFile map,
      String architecture,
      Metadata metadata,
      long blocks,
      long mtpBlocks,
      boolean transformers) {
    this.map = map;
    this.blocks = blocks;
    this.mtpBlocks = mtpBlocks;
    this.transformers = transformers;
    List<String> keys = map.keys();
    entries = new Metadata.Entry[keys.size()];
    arrays = new long[keys.size()][];
    String prefix = architecture.concat(".");
    for (int i = 0; i < keys.size(); i++) {
      String key =
          keys.get(i).startsWith("/") ? keys.get(i).substring(1) : prefix.concat(keys.get(i));
      entries[i] = metadata.find(key).orElse(null);
    }
    values = new long[map.lets().size()];
    stamps = new int[values.length];
  }

  /// Moves to a layer.
  ///
  /// @param number of the layer, or -1 for what belongs to none
  protected final void moveTo(long number) {
    layer = number;
    stamp++;
  }

  final long layer() {
    perLayer = true;
    return layer;
  }

  final long blocks() {
    return blocks;
  }

  final long mtpBlocks() {
    return mtpBlocks;
  }

  final boolean isMtpLayer() {
    perLayer = true;
    return layer >= blocks - mtpBlocks && layer < blocks;
  }

  /// Returns whether names are those of transformers; it has no MTP layers, whose names are always
  /// those of the checkpoint.
  final boolean isTransformers() {
    return transformers && !isMtpLayer();
  }

  /// Returns the value of a `let` line. What looked at nothing of the layer is the same for all.
  final long variable(int index) {
    int made = stamps[index];
    if (made == FOR_ALL_LAYERS) {
      return values[index];
    }
    if (made != stamp) {
      boolean outer = perLayer;
      perLayer = false;
      values[index] = map.lets().get(index).value(this);
      stamps[index] = perLayer ? stamp : FOR_ALL_LAYERS;
      perLayer |= outer;
    } else {
      perLayer = true;
    }
    return values[index];
  }

  final boolean hasKey(int index) {
    return entries[index] != null;
  }

  final long key(int index) {
    Metadata.Entry entry = entries[index];
    if (entry == null) {
      return Expression.UNKNOWN;
    }
    ValueType type = entry.type();
    if (type == ValueType.ARRAY) {
      perLayer = true;
      long[] array = array(index, entry.array());
      return layer >= 0 && layer < array.length ? array[(int) layer] : Expression.UNKNOWN;
    }
    if (!type.isInteger() && type != ValueType.BOOL) {
      return Expression.UNKNOWN;
    }
    return type == ValueType.UINT64 && entry.bits() < 0 ? Expression.UNKNOWN : entry.bits();
  }

  final boolean isText(int index, String text) {
    Metadata.Entry entry = entries[index];
    return entry != null && entry.type() == ValueType.STRING && entry.string().equals(text);
  }

  final long countBefore(int index) {
    Metadata.Entry entry = entries[index];
    if (entry == null || entry.type() != ValueType.ARRAY) {
      return Expression.UNKNOWN;
    }
    perLayer = true;
    long[] array = array(index, entry.array());
    long count = 0;
    for (int i = 0; i < array.length && i < layer; i++) {
      count += array[i] != 0 ? 1 : 0;
    }
    return count;
  }

  private long[] array(int index, MetadataArray array) {
    long[] elements = arrays[index];
    if (elements == null) {
      try {
        ValueType type = array.elementType();
        elements = type.isInteger() || type == ValueType.BOOL ? array.integers() : new long[0];
      } catch (MetadataException e) {
        elements = new long[0];
      }
      arrays[index] = elements;
    }
    return elements;
  }

  final boolean has(String name) {
    perLayer = true;
    return tensor(name) != null;
  }

  final boolean isType(String name, String type) {
    perLayer = true;
    Tensor tensor = tensor(name);
    return tensor != null && tensor.type().name().equals(type);
  }

  final long dimension(String name, int axis) {
    perLayer = true;
    Tensor tensor = tensor(name);
    return tensor == null ? Expression.UNKNOWN : tensor.ne(axis);
  }

  /// Returns the tensor of the layer with this name, or the global one, or null.
  protected abstract @Nullable Tensor tensor(String name);

  /// Returns whether a tensor of this name is in any layer.
  protected abstract boolean hasInAnyLayer(String name);

  /// Returns the name that a parameter has in the target: where transformers' modules stand under
  /// another prefix than the checkpoint's parameters, that of the modules.
  public final String inTarget(String name) {
    if (isTransformers()) {
      for (MapFile.Spelling module : map.modules()) {
        if (name.startsWith(module.prefix())) {
          return module.other().concat(name.substring(module.prefix().length()));
        }
      }
    }
    return name;
  }

  /// Returns the values of expressions.
  public final long[] values(List<Expression> expressions) {
    long[] result = new long[expressions.size()];
    for (int i = 0; i < result.length; i++) {
      result[i] = expressions.get(i).value(this);
    }
    return result;
  }

  @Override
  public String toString() {
    return "layer " + layer + " " + Arrays.toString(values);
  }
}
