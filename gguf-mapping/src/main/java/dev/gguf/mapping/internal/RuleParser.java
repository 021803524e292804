package dev.gguf.mapping.internal;

import dev.gguf.mapping.Transform;
import dev.gguf.mapping.internal.MapFile.Order;
import dev.gguf.mapping.internal.MapFile.OrderBlock;
import dev.gguf.mapping.internal.MapFile.Param;
import dev.gguf.mapping.internal.MapFile.Piece;
import dev.gguf.mapping.internal.MapFile.Rule;
import dev.gguf.mapping.internal.MapFile.Source;
import dev.gguf.mapping.internal.MapFile.Unit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the lines that say which tensors feed which parameters.
final class RuleParser {
  private final ExpressionParser expressions;

  RuleParser(ExpressionParser expressions) {
    this.expressions = expressions;
  }

  Rule rule(LineReader in, Section section, String line) {
    List<Source> sources = new ArrayList<>();
    do {
      sources.add(source(in, section));
    } while (in.accept("+"));
    in.expect("->");
    List<Param> params = new ArrayList<>();
    do {
      params.add(param(in));
    } while (in.accept(","));
    List<Transform> transforms = new ArrayList<>();
    Order order = in.accept(":") ? transforms(in, transforms) : null;
    if (transforms.isEmpty()) {
      transforms.add(Transform.NONE);
    }
    Attributes attributes = new Attributes();
    while (!in.atEnd()) {
      attribute(in, attributes, params);
    }
    return new Rule(
        List.copyOf(sources),
        List.copyOf(params),
        List.copyOf(transforms),
        order,
        attributes.optional,
        attributes.shared,
        attributes.legacy,
        attributes.legacyWarning,
        line);
  }

  private static final class Attributes {
    boolean optional;
    @Nullable String shared;
    @Nullable String legacy;
    boolean legacyWarning;
  }

  private void attribute(LineReader in, Attributes attributes, List<Param> params) {
    if (in.acceptWord("optional")) {
      attributes.optional = true;
    } else if (in.acceptWord("shared")) {
      attributes.shared = in.sentence();
    } else if (in.acceptWord("legacy")) {
      attributes.legacyWarning = in.acceptWord("warning");
      if (!attributes.legacyWarning && !in.acceptWord("info")) {
        throw in.error("expected info or warning");
      }
      attributes.legacy = in.sentence();
    } else if (in.acceptWord("module")) {
      Template module = template(in.name(), in);
      for (int i = 0; i < params.size(); i++) {
        Param old = params.get(i);
        params.set(i, new Param(old.name(), old.absolute(), old.shape(), old.head(), module));
      }
    } else {
      throw in.error("there is no such attribute");
    }
  }

  private Source source(LineReader in, Section section) {
    String name = in.name();
    List<Expression> dims = in.accept("[") ? list(in, "]") : null;
    int slot = section.addSlot(name);
    if (section.drop(slot) != null || section.alias(slot) != null) {
      throw in.error(name + " stands in the map already");
    }
    return new Source(name, slot, name.indexOf("{E}") >= 0, dims);
  }

  private Param param(LineReader in) {
    boolean absolute = in.accept("/");
    Template name = template(in.name(), in);
    List<Expression> shape = in.accept("(") ? list(in, ")") : null;
    Expression head = in.accept("~") ? expressions.parse(in) : null;
    return new Param(name, absolute, shape, head, null);
  }

  private List<Expression> list(LineReader in, String close) {
    List<Expression> list = new ArrayList<>();
    do {
      list.add(expressions.parse(in));
    } while (in.accept(","));
    in.expect(close);
    return List.copyOf(list);
  }

  private @Nullable Order transforms(LineReader in, List<Transform> transforms) {
    Order order = null;
    do {
      String word = in.name();
      Transform transform = Transform.of(word).orElse(null);
      if (transform == null) {
        throw in.error("there is no transform " + word);
      }
      transforms.add(transform);
      if (in.accept("(")) {
        if (order != null) {
          throw in.error("only one transform can have arguments");
        }
        order = transform == Transform.UNPERMUTE_HEADS ? heads(in) : order(in);
        in.expect(")");
      }
    } while (in.accept("+"));
    return order;
  }

  /// Reads the number of heads whose rows are brought back in order. The size of a head follows
  /// from the tensor, which a piece without rows stands for.
  private Order heads(LineReader in) {
    return new Order(Unit.ROWS, List.of(new OrderBlock(expressions.parse(in), List.of())));
  }

  private Order order(LineReader in) {
    if (in.acceptWord("pairs")) {
      Expression heads = expressions.parse(in);
      in.expect(",");
      Piece rotated = new Piece(0, expressions.parse(in), null, null);
      return new Order(Unit.PAIRS, List.of(new OrderBlock(heads, List.of(rotated))));
    }
    Unit unit = Unit.ROWS;
    if (in.acceptWord("columns")) {
      unit = Unit.COLUMNS;
    } else if (in.acceptWord("elements")) {
      unit = Unit.ELEMENTS;
    }
    List<OrderBlock> blocks = new ArrayList<>();
    do {
      Expression groups = expressions.parse(in);
      List<Piece> pieces = new ArrayList<>();
      if (in.accept(";")) {
        do {
          pieces.add(piece(in));
        } while (in.accept(","));
      }
      blocks.add(new OrderBlock(groups, List.copyOf(pieces)));
    } while (in.accept("|"));
    return new Order(unit, List.copyOf(blocks));
  }

  private Piece piece(LineReader in) {
    int source = (int) in.number() - 1;
    in.expect(":");
    Expression rows = expressions.parse(in);
    Expression times = in.acceptWord("x") ? expressions.parse(in) : null;
    Expression head = in.accept("~") ? expressions.parse(in) : null;
    return new Piece(source, rows, times, head);
  }

  /// Reads a name with formulas in braces.
  Template template(String text, LineReader line) {
    int brace = text.indexOf('{');
    if (brace < 0) {
      return Template.of(text, List.of(text), List.of());
    }
    List<String> literals = new ArrayList<>();
    List<@Nullable Expression> numbers = new ArrayList<>();
    int at = 0;
    while (brace >= 0) {
      int close = text.indexOf('}', brace);
      if (close < 0) {
        throw line.error("a brace is not closed in " + text);
      }
      literals.add(text.substring(at, brace));
      String inner = text.substring(brace + 1, close);
      if (inner.equals("E")) {
        if (numbers.contains(null)) {
          throw line.error("{E} stands twice in " + text);
        }
        numbers.add(null);
      } else {
        LineReader in = line.inner(inner);
        numbers.add(expressions.parse(in));
        in.end();
      }
      at = close + 1;
      brace = text.indexOf('{', at);
    }
    literals.add(text.substring(at));
    return Template.of(text, literals, numbers);
  }
}
