package dev.gguf.mapping;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.mapping.internal.Expression;
import dev.gguf.mapping.internal.MapFile;
import dev.gguf.mapping.internal.Scope;
import dev.gguf.mapping.internal.Section;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The tensor table that a map expects of a model with given keys, so that a map can be held
/// against a list of parameters of which no GGUF file exists.
final class SyntheticTable extends Scope {
  private final NameMap map;
  private final long blocks;
  private final long vocabulary;
  private final Set<String> present;
  private final List<Tensor> tensors = new ArrayList<>();
  private final Map<String, Tensor> globals = new HashMap<>();
  private final Map<String, Tensor> layer = new HashMap<>();
  private Section section;
  private long number = -1;

  /// @param present the optional and alternative tensors that the model has, without block numbers
  private SyntheticTable(
      NameMap map, Metadata metadata, long blocks, long mtpBlocks, Set<String> present) {
    super(map.file(), map.architecture(), metadata, blocks, mtpBlocks, false);
    this.map = map;
    this.blocks = blocks;
    this.vocabulary = metadata.integer(map.architecture() + ".vocab_size", 0);
    this.present = present;
    this.section = map.file().sections().getFirst();
  }

  static List<Tensor> of(NameMap map, Metadata metadata, Set<String> present) {
    String prefix = map.architecture() + ".";
    SyntheticTable table =
        new SyntheticTable(
            map,
            metadata,
            metadata.integer(prefix + "block_count"),
            metadata.integer(prefix + "nextn_predict_layers", 0),
            present);
    table.run();
    return table.tensors;
  }

  private void run() {
    for (Section each : map.file().sections()) {
      section = each;
      moveTo(-1);
      number = -1;
      if (each.isGlobal()) {
        apply(each.items());
        continue;
      }
      Expression formula = each.count();
      long count = formula == null ? blocks : formula.value(this);
      for (long i = 0; i < count; i++) {
        layer.clear();
        number = i;
        moveTo(i);
        apply(each.items());
      }
    }
  }

  private void apply(List<MapFile.Item> items) {
    for (MapFile.Item item : items) {
      switch (item) {
        case MapFile.Rule rule -> apply(rule);
        case MapFile.Choice choice -> {
          for (MapFile.Branch branch : choice.branches()) {
            if (branch.condition() == null || branch.condition().holds(this)) {
              apply(branch.items());
              break;
            }
          }
        }
      }
    }
  }

  private void apply(MapFile.Rule rule) {
    for (MapFile.Source source : rule.sources()) {
      boolean leftOut = rule.optional() || rule.shared() != null;
      if (leftOut && !present.contains(source.name()) || source.perExpert()) {
        continue;
      }
      if (source.dims() == null) {
        throw new IllegalStateException(rule.line() + ": " + source.name() + " has no dimensions");
      }
      long[] dims = values(source.dims());
      if (Arrays.stream(dims).anyMatch(n -> n < 0)) {
        throw new IllegalStateException(
            rule.line() + ": the keys do not give the dimensions of " + source.name());
      }
      String name =
          number < 0 ? source.name() : section.before() + number + section.after() + source.name();
      TensorType type =
          present.contains("MXFP4") && source.name().endsWith("_exps.weight")
              ? TensorType.MXFP4
              : TensorType.F32;
      Tensor tensor = Tensor.of(name, type, dims);
      tensors.add(tensor);
      (number < 0 ? globals : layer).put(source.name(), tensor);
    }
  }

  @Override
  protected @Nullable Tensor tensor(String name) {
    if (name.equals("token_embd.weight")) {
      return Tensor.of(name, TensorType.F32, 1, vocabulary);
    }
    Tensor found = layer.getOrDefault(name, globals.get(name));
    return found == null && isPresent(name)
        ? Tensor.of(name, present.contains("MXFP4") ? TensorType.MXFP4 : TensorType.F32, 32)
        : found;
  }

  /// A name of the list stands for all layers, one with `blk.N.` for its layer alone.
  private boolean isPresent(String name) {
    return present.contains(name) || present.contains("blk." + number + "." + name);
  }

  @Override
  protected boolean hasInAnyLayer(String name) {
    return present.contains(name);
  }

  /// Reads keys written as `name=value`, values being numbers, `true`, `false`, or several of them
  /// joined by commas.
  static Metadata metadata(String architecture, String keys) {
    Metadata.Builder builder = Metadata.builder().string("general.architecture", architecture);
    for (String pair : keys.strip().split(" +", -1)) {
      int equals = pair.indexOf('=');
      String key = architecture + "." + pair.substring(0, equals);
      BuiltModel.key(builder, key, pair.substring(equals + 1));
    }
    return builder.build();
  }
}
