package dev.gguf.mapping;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A parameter of the target that tensors of the file feed, or a range of them, one per expert.
public final class Parameter {
  /// What stands for the number of an expert in a [#pattern()].
  static final String EXPERT = "{E}";

  private final String prefix;
  private final String suffix;
  private final long experts;
  private final Entry entry;
  private final int number;
  private final String checkpointName;
  private final boolean typed;
  private final @Nullable String module;
  private final @Nullable String globalReplace;

  /// @param prefix the name, or of a range what stands before the number
  /// @param suffix of a range what stands after the number
  /// @param experts how many the range has, or -1 for a single parameter
  /// @param entry the rule that it comes from, and which of its parameters it is
  Parameter(
      String prefix,
      String suffix,
      long experts,
      Entry entry,
      int number,
      String checkpointName,
      boolean typed,
      @Nullable String module,
      @Nullable String globalReplace) {
    this.prefix = prefix;
    this.suffix = suffix;
    this.experts = experts;
    this.entry = entry;
    this.number = number;
    this.checkpointName = checkpointName;
    this.typed = typed;
    this.module = module;
    this.globalReplace = globalReplace;
  }

  /// Returns the name; of a range `model.layers.3.mlp.experts.{0..255}.gate_proj.weight`.
  public String name() {
    return range(prefix, suffix, experts);
  }

  static String range(String prefix, String suffix, long experts) {
    return experts < 0 ? prefix : prefix + "{0.." + (experts - 1) + "}" + suffix;
  }

  /// Returns the name of a range with the same text in place of the number, whatever its length.
  String pattern() {
    return prefix + EXPERT + suffix;
  }

  /// Returns the name before the target's renaming of quantised parameters, in the form of
  /// [#name()].
  public String checkpointName() {
    return checkpointName;
  }

  /// Returns whether this is a range of parameters, one per expert.
  public boolean isRange() {
    return experts >= 0;
  }

  /// Returns how many parameters this is: the number of experts of a range, else 1.
  public long count() {
    return experts < 0 ? 1 : experts;
  }

  /// Returns the name of one parameter of a range, or of the only one.
  ///
  /// @param expert 0 to [#count()] - 1
  public String name(long expert) {
    return experts < 0 ? prefix : prefix + expert + suffix;
  }

  /// Returns all names, written out.
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (long expert = 0; expert < count(); expert++) {
      names.add(name(expert));
    }
    return names;
  }

  /// Returns a copy of the row-major shape of one parameter, of one expert for a range.
  public long[] shape() {
    return entry.shape(number);
  }

  /// Returns the engine's parameter that carries the type of this one, in the form of [#name()], or
  /// null. Only targets with companions have it, for quantised tensors.
  public @Nullable String companion() {
    return typed ? name().concat("_type") : null;
  }

  /// Returns the companion of one parameter of a range, or of the only one, or null.
  ///
  /// @param expert 0 to [#count()] - 1
  public @Nullable String companion(long expert) {
    return typed ? name(expert).concat("_type") : null;
  }

  /// Returns the module or parameter of the engine that fuses this one with others, or null.
  public @Nullable String module() {
    return module;
  }

  /// Returns what the engine's replacement of every `weight` makes of the name, where that differs
  /// from the right one, else null.
  public @Nullable String globalReplace() {
    return globalReplace;
  }

  @Override
  public String toString() {
    return name();
  }
}
