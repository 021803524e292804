package dev.gguf.mapping.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The names of the global tensors, or of those of one kind of block.
public final class Section {
  /// A name that is known and feeds no parameter.
  ///
  /// @param group the word of [dev.gguf.mapping.Group]
  /// @param reason why, in a sentence
  /// @param finalName for older names what current exporters write, else null
  public record Drop(String group, String reason, @Nullable String finalName) {}

  /// An older name of a tensor.
  ///
  /// @param slot the number of the current name
  /// @param warning whether the older name is worth a warning
  public record Alias(int slot, boolean warning) {}

  private final String before;
  private final String after;
  private final @Nullable Expression count;
  private final Template prefix;
  private final @Nullable Template mtpPrefix;
  private final @Nullable Template mtpModulePrefix;
  private final Map<String, Integer> slots = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private final Map<Integer, Drop> drops = new HashMap<>();
  private final Map<Integer, Alias> aliases = new HashMap<>();
  private final Map<Integer, String> otherwise = new HashMap<>();
  private List<MapFile.Item> items = List.of();

  /// @param before what stands before the number of the layer, empty for global tensors
  /// @param after what stands behind it
  /// @param count how many layers, or null for all blocks
  /// @param prefix what parameter names start with
  /// @param mtpPrefix the same on MTP layers, or null if it is no other
  /// @param mtpModulePrefix what engine modules start with on MTP layers, or null
  Section(
      String before,
      String after,
      @Nullable Expression count,
      Template prefix,
      @Nullable Template mtpPrefix,
      @Nullable Template mtpModulePrefix) {
    this.before = before;
    this.after = after;
    this.count = count;
    this.prefix = prefix;
    this.mtpPrefix = mtpPrefix;
    this.mtpModulePrefix = mtpModulePrefix;
  }

  /// Returns whether this is about the tensors that belong to no layer.
  public boolean isGlobal() {
    return before.isEmpty();
  }

  /// Returns what stands before the number of the layer.
  public String before() {
    return before;
  }

  /// Returns what stands behind the number of the layer.
  public String after() {
    return after;
  }

  /// Returns how many layers there are, or null for all blocks.
  public @Nullable Expression count() {
    return count;
  }

  /// Returns what parameter names start with.
  public Template prefix(boolean mtp) {
    return mtp && mtpPrefix != null ? mtpPrefix : prefix;
  }

  /// Returns what engine modules start with.
  public Template modulePrefix(boolean mtp) {
    return mtp && mtpModulePrefix != null ? mtpModulePrefix : prefix(mtp);
  }

  /// Returns the steps.
  public List<MapFile.Item> items() {
    return items;
  }

  void items(List<MapFile.Item> all) {
    items = List.copyOf(all);
  }

  /// Returns the number of a name, or -1 if no rule knows it.
  public int slot(String name) {
    Integer slot = slots.get(name);
    return slot == null ? -1 : slot;
  }

  int addSlot(String name) {
    Integer slot = slots.get(name);
    if (slot == null) {
      slot = names.size();
      slots.put(name, slot);
      names.add(name);
    }
    return slot;
  }

  /// Returns how many names there are.
  public int slots() {
    return names.size();
  }

  /// Returns the name with a number, as rules write it.
  public String name(int slot) {
    return names.get(slot);
  }

  void drop(int slot, Drop drop) {
    drops.put(slot, drop);
  }

  /// Returns what is said of a name that feeds no parameter, or null if it can feed one.
  public @Nullable Drop drop(int slot) {
    return drops.get(slot);
  }

  void alias(int slot, Alias alias) {
    aliases.put(slot, alias);
  }

  /// Returns what an older name stands for, or null for a current one.
  public @Nullable Alias alias(int slot) {
    return aliases.isEmpty() ? null : aliases.get(slot);
  }

  /// Returns whether the section knows older names.
  public boolean hasAliases() {
    return !aliases.isEmpty();
  }

  void otherwise(int slot, String reason) {
    otherwise.putIfAbsent(slot, reason);
  }

  /// Returns why a tensor has no use where no branch takes it, or null if the map does not say.
  public @Nullable String otherwise(int slot) {
    return otherwise.get(slot);
  }
}
