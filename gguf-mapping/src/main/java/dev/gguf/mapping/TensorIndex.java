package dev.gguf.mapping;

import dev.gguf.Tensor;
import dev.gguf.mapping.internal.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The tensors of a table by section, layer and name.
final class TensorIndex {
  private static final String EXPERT = "{E}";

  /// The tensors of one layer.
  static final class Layer {
    private final int[] bySlot;
    private @Nullable Map<Integer, TreeMap<Integer, Integer>> experts;

    Layer(int slots) {
      bySlot = new int[slots];
    }

    /// Returns the index of the tensor with a name, or -1.
    int find(int slot) {
      return bySlot[slot] - 1;
    }

    /// Returns the index of the tensor with a name, of one with `{E}` any of them, or -1.
    int findAny(int slot) {
      TreeMap<Integer, Integer> found = experts == null ? null : experts.get(slot);
      return found == null ? find(slot) : found.firstEntry().getValue();
    }

    /// Returns the tensors of a name with `{E}` by the number of their expert.
    NavigableMap<Integer, Integer> experts(int slot) {
      TreeMap<Integer, Integer> found = experts == null ? null : experts.get(slot);
      return found == null ? new TreeMap<>() : found;
    }
  }

  private final List<Tensor> tensors;
  private final List<Section> sections;
  private final List<Map<Long, Layer>> layers = new ArrayList<>();
  private final int[] section;
  private final int[] slot;
  private final long[] layer;
  private final boolean[] repeated;
  // Asked again for every layer, so that a search each time would grow with their square.
  private final boolean[][] inSomeLayer;

  TensorIndex(List<Tensor> tensors, List<Section> sections) {
    this.tensors = tensors;
    this.sections = sections;
    section = new int[tensors.size()];
    slot = new int[tensors.size()];
    layer = new long[tensors.size()];
    repeated = new boolean[tensors.size()];
    inSomeLayer = new boolean[sections.size()][];
    for (int i = 0; i < sections.size(); i++) {
      layers.add(new HashMap<>());
      inSomeLayer[i] = new boolean[sections.get(i).slots()];
    }
    int index = 0;
    for (Tensor tensor : tensors) {
      place(index++, tensor.name());
    }
  }

  private void place(int index, String name) {
    section[index] = 0;
    layer[index] = -1;
    String rest = name;
    for (int i = 1; i < sections.size(); i++) {
      long number = layerOf(name, sections.get(i));
      if (number >= 0) {
        rest = name.substring(restStart(name, sections.get(i)));
        section[index] = i;
        layer[index] = number;
        if (sections.get(i).slot(rest) >= 0) {
          break;
        }
      }
    }
    Section known = sections.get(section[index]);
    slot[index] = known.slot(rest);
    if (slot[index] >= 0) {
      inSomeLayer[section[index]][slot[index]] = true;
      Section.Alias alias = known.alias(slot[index]);
      if (alias != null) {
        inSomeLayer[section[index]][alias.slot()] = true;
      }
      Layer found = layer(section[index], layer[index]);
      repeated[index] = found.bySlot[slot[index]] != 0;
      if (!repeated[index]) {
        found.bySlot[slot[index]] = index + 1;
      }
    } else {
      placeExpert(index, known, rest);
    }
  }

  /// Places names such as `ffn_gate.3.weight`, which rules write `ffn_gate.{E}.weight`.
  private void placeExpert(int index, Section known, String rest) {
    int from = 0;
    while (from < rest.length()) {
      int dot = rest.indexOf('.', from);
      int end = dot < 0 ? rest.length() : dot;
      int number = number(rest, from, end);
      if (number >= 0) {
        String pattern = rest.substring(0, from).concat(EXPERT).concat(rest.substring(end));
        int found = known.slot(pattern);
        if (found >= 0) {
          slot[index] = found;
          inSomeLayer[section[index]][found] = true;
          Layer at = layer(section[index], layer[index]);
          if (at.experts == null) {
            at.experts = new HashMap<>();
          }
          TreeMap<Integer, Integer> numbers = at.experts.get(found);
          if (numbers == null) {
            numbers = new TreeMap<>();
            at.experts.put(found, numbers);
          }
          repeated[index] = numbers.putIfAbsent(number, index) != null;
          return;
        }
      }
      from = end + 1;
    }
  }

  private Layer layer(int ofSection, long number) {
    Map<Long, Layer> all = layers.get(ofSection);
    Layer found = all.get(number);
    if (found == null) {
      found = new Layer(sections.get(ofSection).slots());
      all.put(number, found);
    }
    return found;
  }

  private static long layerOf(String name, Section section) {
    String before = section.before();
    if (!name.startsWith(before)) {
      return -1;
    }
    int end = before.length();
    while (end < name.length() && name.charAt(end) >= '0' && name.charAt(end) <= '9') {
      end++;
    }
    return name.startsWith(section.after(), end) ? number(name, before.length(), end) : -1;
  }

  private static int restStart(String name, Section section) {
    return name.indexOf(section.after(), section.before().length()) + section.after().length();
  }

  /// Returns the plain decimal number without leading zeros that stands there, or -1.
  private static int number(String text, int from, int to) {
    if (to <= from || to - from > 9 || text.charAt(from) == '0' && to > from + 1) {
      return -1;
    }
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  /// Returns the tensors of a layer, or null if it has none that a rule knows.
  @Nullable Layer find(int ofSection, long number) {
    return layers.get(ofSection).get(number);
  }

  /// Returns the layers of a section that have a tensor which a rule knows, in rising order.
  long[] layers(int ofSection) {
    long[] numbers = new long[layers.get(ofSection).size()];
    int count = 0;
    for (long number : layers.get(ofSection).keySet()) {
      numbers[count++] = number;
    }
    Arrays.sort(numbers);
    return numbers;
  }

  /// Returns a tensor of a layer under its current name or an older one, of a name with `{E}` that
  /// of any expert, or -1.
  int findAny(int ofSection, @Nullable Layer layer, int ofSlot) {
    if (layer == null) {
      return -1;
    }
    int found = layer.findAny(ofSlot);
    Section known = sections.get(ofSection);
    for (int older = 0; found < 0 && known.hasAliases() && older < known.slots(); older++) {
      Section.Alias alias = known.alias(older);
      if (alias != null && alias.slot() == ofSlot) {
        found = layer.find(older);
      }
    }
    return found;
  }

  List<Tensor> tensors() {
    return tensors;
  }

  Tensor tensor(int index) {
    return tensors.get(index);
  }

  int section(int index) {
    return section[index];
  }

  /// Returns the number of a tensor's name in its section, or -1 if no rule knows it.
  int slot(int index) {
    return slot[index];
  }

  /// Returns the layer of a tensor, or -1 if it belongs to none.
  long layer(int index) {
    return layer[index];
  }

  /// Returns whether a tensor of the same name comes before this one.
  boolean isRepeated(int index) {
    return repeated[index];
  }

  /// Returns whether any layer has a tensor of this name.
  boolean isInAnyLayer(String name) {
    for (int i = 1; i < sections.size(); i++) {
      int found = sections.get(i).slot(name);
      if (found >= 0 && inSomeLayer[i][found]) {
        return true;
      }
    }
    return false;
  }

  int size() {
    return tensors.size();
  }
}
