package dev.gguf.mapping;

import dev.gguf.Tensor;
import dev.gguf.mapping.internal.Expression;
import dev.gguf.mapping.internal.MapFile;
import dev.gguf.mapping.internal.Scope;
import dev.gguf.mapping.internal.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A rule applied to tensors: the parameters that come out, and where their rows stand.
final class Entry {
  private static final long MAX_EXPERTS = 1 << 20;

  private final MapFile.Rule rule;
  private final List<Tensor> sources;
  private final int stacked;
  private final List<Parameter> parameters;
  private final long @Nullable [] @Nullable [] given;
  private final long[] heads;
  private final long @Nullable [] @Nullable [] order;

  /// @param stacked how many tensors stand for each source of the rule, or 0 for one
  /// @param expert the number of the expert whose tensors these are, or -1
  Entry(
      Scope scope,
      MapFile.Rule rule,
      List<Tensor> sources,
      Target target,
      String prefix,
      String modulePrefix,
      int stacked,
      int expert) {
    this.rule = rule;
    this.sources = sources;
    this.stacked = stacked;
    List<MapFile.Param> params = rule.params();
    given = new long[params.size()][];
    heads = new long[params.size()];
    for (int i = 0; i < params.size(); i++) {
      List<Expression> shape = params.get(i).shape();
      given[i] = shape == null ? null : scope.values(shape);
      Expression head = params.get(i).head();
      heads[i] = head == null ? 0 : head.value(scope);
    }
    order = rule.order() == null ? null : evaluated(scope, rule.order());
    parameters = new ArrayList<>(params.size());
    boolean quantized = target.hasCompanions() && staysQuantized();
    for (int i = 0; i < params.size(); i++) {
      parameters.add(
          parameter(scope, params.get(i), i, target, quantized, prefix, modulePrefix, expert));
    }
  }

  private boolean staysQuantized() {
    for (Transform transform : rule.transforms()) {
      if (!transform.keepsRows()) {
        return false;
      }
    }
    for (Tensor source : sources) {
      if (source.type().isQuantized()) {
        return true;
      }
    }
    return false;
  }

  private Parameter parameter(
      Scope scope,
      MapFile.Param param,
      int number,
      Target target,
      boolean quantized,
      String prefix,
      String modulePrefix,
      int expert) {
    Template name = param.name();
    String head = full(scope, param, prefix);
    String tail = name.tail(scope);
    long experts = -1;
    if (name.hasExpert()) {
      if (expert >= 0) {
        head = head.concat(Integer.toString(expert)).concat(tail);
        tail = "";
      } else {
        experts = experts();
      }
    }
    String checkpoint = Parameter.range(head, tail, experts);
    String module = null;
    if (param.module() != null && target.hasCompanions()) {
      module = modulePrefix.concat(param.module().head(scope));
      module = quantized ? QuantizedNames.of(module, target).data() : module;
    }
    if (!quantized || !QuantizedNames.isQuantizable(tail.isEmpty() ? head : tail)) {
      return new Parameter(head, tail, experts, this, number, checkpoint, false, module, null);
    }
    String last = tail.isEmpty() ? head : tail;
    QuantizedNames names = QuantizedNames.of(last, target);
    String replaced = QuantizedNames.globalReplace(checkpoint, target);
    if (tail.isEmpty()) {
      head = names.data();
    } else {
      tail = names.data();
    }
    String data = Parameter.range(head, tail, experts);
    String right = target == Target.VLLM ? data : data.concat("_type");
    return new Parameter(
        head,
        tail,
        experts,
        this,
        number,
        checkpoint,
        true,
        module,
        replaced.equals(right) ? null : replaced);
  }

  /// Returns the row-major shape of one of the parameters: as the map gives it, or as it follows
  /// from the tensors.
  long[] shape(int parameter) {
    long[] shape = given[parameter];
    return shape == null ? Shapes.of(rule, sources, stacked) : shape.clone();
  }

  /// Returns the number of experts of a stack: its slowest axis. No model has as many as the limit,
  /// which keeps a file without data from asking for a list of any length.
  private long experts() {
    List<Expression> dims = rule.sources().getFirst().dims();
    Tensor first = sources.getFirst();
    int axes = dims == null ? first.dimensions() : Math.max(dims.size(), first.dimensions());
    return Math.min(first.ne(Math.max(axes, 1) - 1), MAX_EXPERTS);
  }

  private static String full(Scope scope, MapFile.Param param, String prefix) {
    String name = param.name().head(scope);
    return scope.inTarget(param.absolute() ? name : prefix.concat(name));
  }

  /// Returns the name of a parameter.
  ///
  /// @param expert for a name with `{E}` the number of the expert, else -1
  static String name(Scope scope, MapFile.Param param, String prefix, long expert) {
    String head = full(scope, param, prefix);
    return expert < 0 ? head : head.concat(Long.toString(expert)).concat(param.name().tail(scope));
  }

  /// Returns the name of a parameter of every expert.
  ///
  /// @param experts how many, or [Expression#UNKNOWN]
  static String rangeName(Scope scope, MapFile.Param param, String prefix, long experts) {
    String head = full(scope, param, prefix);
    String tail = param.name().tail(scope);
    return experts > 0 ? Parameter.range(head, tail, experts) : head + "{E}" + tail;
  }

  List<Parameter> parameters() {
    return parameters;
  }

  /// Returns the transforms of the rule without an order that changes nothing here, such as that of
  /// a model with as many value heads as key heads.
  List<Transform> transforms() {
    List<Transform> transforms = rule.transforms();
    MapFile.Order rows = rule.order();
    if (order == null
        || rows == null
        || !transforms.contains(Transform.REORDER_HEADS)
        || !RowOrders.isAsStored(rows.unit(), order)) {
      return transforms;
    }
    List<Transform> kept = new ArrayList<>(transforms);
    kept.remove(Transform.REORDER_HEADS);
    return kept.isEmpty() ? List.of(Transform.NONE) : kept;
  }

  /// Evaluates the numbers of an order: of each block the groups, then rows, times and head of each
  /// piece.
  private static long[][] evaluated(Scope scope, MapFile.Order order) {
    List<MapFile.OrderBlock> blocks = order.blocks();
    long[][] result = new long[blocks.size()][];
    for (int i = 0; i < blocks.size(); i++) {
      List<MapFile.Piece> pieces = blocks.get(i).pieces();
      long[] numbers = new long[1 + 3 * pieces.size()];
      numbers[0] = blocks.get(i).groups().value(scope);
      for (int j = 0; j < pieces.size(); j++) {
        Expression times = pieces.get(j).times();
        Expression head = pieces.get(j).head();
        numbers[1 + 3 * j] = pieces.get(j).rows().value(scope);
        numbers[2 + 3 * j] = times == null ? 1 : times.value(scope);
        numbers[3 + 3 * j] = head == null ? 0 : head.value(scope);
      }
      result[i] = numbers;
    }
    return result;
  }

  /// Returns where the rows of a parameter stand, or empty where rows are not all that matters or
  /// the metadata do not tell.
  Optional<RowOrder> rows(int parameter, long expert) {
    boolean split = false;
    for (Transform transform : rule.transforms()) {
      if (transform == Transform.JOIN_KV_B || transform == Transform.REPACK) {
        return Optional.empty();
      }
      split |= transform == Transform.SPLIT_ROWS || transform == Transform.SPLIT_EXPERTS;
    }
    if (!split) {
      return RowOrders.of(rule, sources, stacked, order);
    }
    boolean perExpert = parameters.get(parameter).isRange();
    long rows = RowOrders.rows(sources.getFirst(), MapFile.Unit.ROWS);
    long perPart = perExpert ? rows / Math.max(1, experts()) : rows;
    long start = perExpert ? expert * perPart : 0;
    if (parameters.size() == 1) {
      return Optional.of(Rows.plain(0, start, perPart, heads[0]));
    }
    for (int i = 0; i < parameter; i++) {
      start += partRows(i);
    }
    return Optional.of(Rows.plain(0, start, partRows(parameter), heads[parameter]));
  }

  /// Returns the rows of one of several parameters that share a tensor: all axes of its shape but
  /// the last, or all of a single one.
  private long partRows(int parameter) {
    long[] shape = shape(parameter);
    long rows = 1;
    int axes = sources.getFirst().ne(1) == 1 && shape.length == 1 ? 1 : shape.length - 1;
    for (int i = 0; i < axes; i++) {
      rows *= shape[i];
    }
    return rows;
  }
}
