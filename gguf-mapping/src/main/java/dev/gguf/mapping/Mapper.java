package dev.gguf.mapping;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.mapping.internal.Expression;
import dev.gguf.mapping.internal.MapFile;
import dev.gguf.mapping.internal.Scope;
import dev.gguf.mapping.internal.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Applies a map to the tensors of a model: one pass over the sections, layer by layer, then one
/// over the tensors that no rule took.
final class Mapper extends Scope {
  /// So many blocks without tensors, and no more, are looked at, so that a hostile count costs
  /// nothing.
  private static final long MAX_EMPTY_BLOCKS = 1024;

  private final MapFile map;
  private final TensorIndex index;
  private final Target target;
  private final MapOptions options;
  private final Collected collected;
  private final long blocks;
  private final long mtpBlocks;
  private final boolean mtpOnly;
  private Section section;
  private int sectionNumber;
  private TensorIndex.@Nullable Layer layer;
  private long layerNumber = -1;
  private String prefix = "";
  private String modulePrefix = "";

  Mapper(
      MapFile map,
      String architecture,
      Metadata metadata,
      TensorIndex index,
      long blocks,
      long mtpBlocks,
      Target target,
      MapOptions options) {
    super(map, architecture, metadata, blocks, mtpBlocks, target == Target.TRANSFORMERS);
    this.map = map;
    this.index = index;
    this.target = target;
    this.options = options;
    this.section = map.sections().getFirst();
    collected = new Collected(index);
    mtpOnly = isMtpOnly(blocks - mtpBlocks, blocks);
    this.blocks = blocks;
    this.mtpBlocks = mtpBlocks;
  }

  /// Returns whether the file holds MTP layers and no layer before them.
  private boolean isMtpOnly(long mainBlocks, long allBlocks) {
    boolean some = false;
    for (int i = 0; i < index.size(); i++) {
      long number = index.layer(i);
      if (number >= 0 && number < mainBlocks) {
        return false;
      }
      some |= number >= mainBlocks && number < allBlocks;
    }
    return some && mainBlocks > 0;
  }

  Mapping map(String architecture) {
    List<Section> sections = map.sections();
    for (int i = 0; i < sections.size(); i++) {
      section = sections.get(i);
      sectionNumber = i;
      if (section.isGlobal()) {
        layer(-1);
      } else {
        layers();
      }
    }
    return collected.mapping(
        map, architecture, target, options, modelTypes(), blocks, mtpBlocks, mtpOnly);
  }

  private List<ModelType> modelTypes() {
    moveTo(-1);
    List<ModelType> types = new ArrayList<>();
    for (MapFile.Model model : map.models()) {
      Expression condition = model.condition();
      if (condition == null || condition.holds(this)) {
        types.add(model.type());
      }
    }
    return types;
  }

  /// Goes through the layers that the keys promise: those with tensors, and as many without as no
  /// model lacks.
  private void layers() {
    moveTo(-1);
    Expression formula = section.count();
    long count = formula == null ? blocks : formula.value(this);
    long[] present = index.layers(sectionNumber);
    if (count == Expression.UNKNOWN) {
      count = present.length == 0 ? 0 : present[present.length - 1] + 1;
    }
    long number = 0;
    long empty = 0;
    for (long next : present) {
      for (; number < Math.min(next, count) && empty < MAX_EMPTY_BLOCKS; number++, empty++) {
        layer(number);
      }
      if (next < count) {
        layer(next);
        number = next + 1;
      }
    }
    for (; number < count && empty < MAX_EMPTY_BLOCKS; number++, empty++) {
      layer(number);
    }
  }

  private void layer(long number) {
    moveTo(number);
    layerNumber = number;
    layer = index.find(sectionNumber, number);
    boolean mtp = isMtp();
    if (number >= 0 && layer == null && (mtp ? !options.mtp() : mtpOnly)) {
      return;
    }
    prefix = section.prefix(mtp).head(this);
    modulePrefix = target.hasCompanions() ? section.modulePrefix(mtp).head(this) : prefix;
    apply(section.items());
  }

  private boolean isMtp() {
    return layerNumber >= blocks - mtpBlocks && layerNumber < blocks;
  }

  /// Returns whether the target has the parameters of the layer that is being mapped.
  private boolean isInTarget() {
    return isMtp() ? options.mtp() : !mtpOnly;
  }

  private void apply(List<MapFile.Item> items) {
    for (MapFile.Item item : items) {
      if (item instanceof MapFile.Rule rule) {
        apply(rule);
      } else if (item instanceof MapFile.Choice choice) {
        for (MapFile.Branch branch : choice.branches()) {
          Expression condition = branch.condition();
          if (condition == null || condition.holds(this)) {
            apply(branch.items());
            break;
          }
        }
      }
    }
  }

  private void apply(MapFile.Rule rule) {
    for (MapFile.Source source : rule.sources()) {
      if (source.perExpert()) {
        applyPerExpert(rule);
        return;
      }
    }
    List<MapFile.Source> sources = rule.sources();
    int[] found = new int[sources.size()];
    int present = 0;
    for (int i = 0; i < found.length; i++) {
      found[i] = find(sources.get(i).slot());
      present += found[i] < 0 ? 0 : 1;
    }
    if (present == found.length) {
      map(rule, found, 0, -1);
    } else if (present > 0) {
      incomplete(rule, found);
    } else {
      absent(rule);
    }
  }

  /// Finds a tensor under its current name or an older one.
  private int find(int slot) {
    TensorIndex.Layer here = layer;
    if (here == null) {
      return -1;
    }
    int found = here.find(slot);
    if (found >= 0 || !section.hasAliases()) {
      return found;
    }
    for (int older = 0; older < section.slots(); older++) {
      Section.Alias alias = section.alias(older);
      if (alias != null && alias.slot() == slot && here.find(older) >= 0) {
        collected.legacy(
            index.tensor(here.find(older)), fullName(section.name(slot)), alias.warning());
        return here.find(older);
      }
    }
    return -1;
  }

  /// Applies a rule whose tensors carry the number of an expert: one parameter from all of them, or
  /// one from each.
  private void applyPerExpert(MapFile.Rule rule) {
    List<MapFile.Source> sources = rule.sources();
    TensorIndex.Layer here = layer;
    List<NavigableMap<Integer, Integer>> found = new ArrayList<>();
    int experts = 0;
    for (MapFile.Source source : sources) {
      NavigableMap<Integer, Integer> numbers =
          here == null ? new TreeMap<>() : here.experts(source.slot());
      found.add(numbers);
      experts = numbers.isEmpty() ? experts : Math.max(experts, numbers.lastKey() + 1);
    }
    if (experts == 0) {
      absent(rule);
    } else if (rule.params().getFirst().name().hasExpert()) {
      for (int expert = 0; expert < experts; expert++) {
        int[] one = new int[sources.size()];
        boolean complete = true;
        for (int i = 0; i < one.length; i++) {
          Integer at = found.get(i).get(expert);
          one[i] = at == null ? -1 : at;
          complete &= at != null;
        }
        if (complete) {
          map(rule, one, 0, expert);
        } else {
          missingExpert(rule, one, expert);
        }
        if (experts > MAX_EMPTY_BLOCKS && found.getFirst().size() < experts / 2) {
          break;
        }
      }
    } else {
      stack(rule, found, experts);
    }
  }

  private void missingExpert(MapFile.Rule rule, int[] one, int expert) {
    List<String> absent = new ArrayList<>();
    for (int i = 0; i < one.length; i++) {
      if (one[i] < 0) {
        String name = rule.sources().get(i).name().replace("{E}", Integer.toString(expert));
        absent.add(fullName(name));
      }
    }
    missing(rule, absent, expert, absent.getFirst().concat(" is absent"));
  }

  private void stack(MapFile.Rule rule, List<NavigableMap<Integer, Integer>> found, int experts) {
    List<Integer> all = new ArrayList<>();
    boolean complete = true;
    for (NavigableMap<Integer, Integer> numbers : found) {
      complete &= numbers.size() == experts;
      all.addAll(numbers.values());
    }
    int[] flat = new int[all.size()];
    for (int i = 0; i < flat.length; i++) {
      flat[i] = all.get(i);
    }
    if (complete) {
      map(rule, flat, experts, -1);
    } else {
      for (int at : flat) {
        collected.useless(at, "the same tensor of another expert is absent");
      }
      String first = fullName(rule.sources().getFirst().name());
      missing(rule, List.of(first), -1, "not all of " + first + " are present");
    }
  }

  /// Records that tensors feed the parameters of a rule.
  ///
  /// @param stacked how many tensors stand for each source of the rule, or 0 for one
  /// @param expert the number of the expert whose tensors these are, or -1
  private void map(MapFile.Rule rule, int[] found, int stacked, int expert) {
    List<Tensor> sources = new ArrayList<>(found.length);
    for (int at : found) {
      sources.add(index.tensor(at));
    }
    Entry entry = new Entry(this, rule, sources, target, prefix, modulePrefix, stacked, expert);
    for (int i = 0; i < sources.size(); i++) {
      List<Expression> dims = rule.sources().get(stacked == 0 ? i : i / stacked).dims();
      if (dims != null) {
        collected.shape(sources.get(i), values(dims));
      }
      if (rule.legacy() != null) {
        collected.legacy(sources.get(i), fullName(rule.legacy()), rule.legacyWarning());
      }
    }
    List<Parameter> parameters = entry.parameters();
    if (isMtp() && !options.mtp()) {
      collected.leftOut(found, parameters.getFirst().checkpointName());
    } else {
      collected.mapped(
          found, new MappedTensors(sources, parameters, entry.transforms(), layerOf(), entry));
    }
  }

  private OptionalInt layerOf() {
    return layerNumber < 0 ? OptionalInt.empty() : OptionalInt.of((int) layerNumber);
  }

  private void incomplete(MapFile.Rule rule, int[] found) {
    List<String> absent = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      if (found[i] < 0) {
        absent.add(fullName(rule.sources().get(i).name()));
      }
    }
    String names = String.join(" and ", absent);
    for (int at : found) {
      if (at >= 0) {
        collected.useless(
            at, "it feeds its parameter only together with " + names + ", absent here");
      }
    }
    missing(rule, absent, -1, names + (absent.size() == 1 ? " is absent" : " are absent"));
  }

  private void absent(MapFile.Rule rule) {
    if (rule.optional()) {
      return;
    }
    String reason = rule.shared();
    String first = fullName(rule.sources().getFirst().name());
    if (reason == null) {
      List<String> names = new ArrayList<>();
      for (MapFile.Source source : rule.sources()) {
        names.add(fullName(source.name()));
      }
      missing(
          rule,
          names,
          -1,
          names.size() == 1
              ? first.concat(" is absent")
              : String.join(" and ", names).concat(" are absent"));
    } else if (layer != null && !(mtpOnly && layerNumber < 0)) {
      String name = Entry.name(this, rule.params().getFirst(), prefix, -1);
      collected.shared(new SharedTensor(name, first, reason));
    }
  }

  /// Records that no tensor feeds the parameters of a rule.
  ///
  /// @param tensors the absent ones
  /// @param expert the number of the only expert that it is about, or -1
  private void missing(MapFile.Rule rule, List<String> tensors, int expert, String reason) {
    boolean inTarget = isInTarget();
    if (!inTarget && !isMtp()) {
      return;
    }
    for (MapFile.Param param : rule.params()) {
      String name =
          expert >= 0 || !param.name().hasExpert()
              ? Entry.name(this, param, prefix, expert)
              : Entry.rangeName(this, param, prefix, expectedExperts(rule.sources().getFirst()));
      Missing parameter = new Missing(name, layerOf(), tensors, reason);
      if (inTarget) {
        collected.missing(parameter);
      } else {
        collected.missingOfMtp(parameter);
      }
    }
  }

  private long expectedExperts(MapFile.Source source) {
    List<Expression> dims = source.dims();
    return dims == null ? Expression.UNKNOWN : dims.getLast().value(this);
  }

  /// Returns the name of a tensor of the layer that is being mapped, or several in one text.
  private String fullName(String rest) {
    if (layerNumber < 0) {
      return rest;
    }
    return section.before().concat(Long.toString(layerNumber)).concat(section.after()).concat(rest);
  }

  @Override
  protected @Nullable Tensor tensor(String name) {
    int slot = section.slot(name);
    int found = slot < 0 ? -1 : index.findAny(sectionNumber, layer, slot);
    if (found < 0 && layerNumber >= 0) {
      Section global = map.sections().getFirst();
      int globalSlot = global.slot(name);
      found = globalSlot < 0 ? -1 : index.findAny(0, index.find(0, -1), globalSlot);
    }
    return found < 0 ? null : index.tensor(found);
  }

  @Override
  protected boolean hasInAnyLayer(String name) {
    return index.isInAnyLayer(name);
  }
}
