package dev.gguf.mapping.internal;

import dev.gguf.mapping.internal.Expressions.Operator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads expressions, and numbers the variables and keys that they use.
final class ExpressionParser {
  private static final List<Operator> COMPARISONS =
      List.of(
          Operator.LESS_OR_EQUAL,
          Operator.GREATER_OR_EQUAL,
          Operator.EQUAL,
          Operator.NOT_EQUAL,
          Operator.LESS,
          Operator.GREATER);

  private final Map<String, Integer> variables;
  private final Map<String, Integer> keys = new HashMap<>();
  private final List<String> keyNames;

  /// @param variables the names of the `let` lines so far with their numbers
  /// @param keyNames collects the keys in the order of their numbers
  ExpressionParser(Map<String, Integer> variables, List<String> keyNames) {
    this.variables = variables;
    this.keyNames = keyNames;
  }

  Expression parse(LineReader in) {
    Expression condition = or(in);
    if (!in.accept("?")) {
      return condition;
    }
    Expression yes = parse(in);
    in.expect(":");
    return new Expressions.Conditional(condition, yes, parse(in));
  }

  private Expression or(LineReader in) {
    Expression left = and(in);
    while (in.acceptWord("or")) {
      left = new Expressions.Binary(Operator.OR, left, and(in));
    }
    return left;
  }

  private Expression and(LineReader in) {
    Expression left = comparison(in);
    while (in.acceptWord("and")) {
      left = new Expressions.Binary(Operator.AND, left, comparison(in));
    }
    return left;
  }

  private Expression comparison(LineReader in) {
    Expression left = sum(in);
    for (Operator operator : COMPARISONS) {
      if (in.accept(operator.word)) {
        return new Expressions.Binary(operator, left, sum(in));
      }
    }
    return left;
  }

  private Expression sum(LineReader in) {
    Expression left = product(in);
    while (true) {
      if (in.accept("+")) {
        left = new Expressions.Binary(Operator.ADD, left, product(in));
      } else if (!in.isAt("->") && in.accept("-")) {
        left = new Expressions.Binary(Operator.SUBTRACT, left, product(in));
      } else {
        return left;
      }
    }
  }

  private Expression product(LineReader in) {
    Expression left = unary(in);
    while (true) {
      if (in.accept("*")) {
        left = new Expressions.Binary(Operator.MULTIPLY, left, unary(in));
      } else if (in.accept("/")) {
        left = new Expressions.Binary(Operator.DIVIDE, left, unary(in));
      } else if (in.accept("%")) {
        left = new Expressions.Binary(Operator.REMAINDER, left, unary(in));
      } else {
        return left;
      }
    }
  }

  private Expression unary(LineReader in) {
    if (in.acceptWord("not")) {
      return new Expressions.Not(unary(in));
    }
    if (in.accept("(")) {
      Expression inner = parse(in);
      in.expect(")");
      return inner;
    }
    if (in.atNumber()) {
      return new Expressions.Constant(in.number());
    }
    String word = in.identifier();
    return in.accept("(") ? function(word, in) : variable(word, in);
  }

  private Expression variable(String word, LineReader in) {
    Integer number = variables.get(word);
    if (number != null) {
      return new Expressions.Variable(number);
    }
    Expression given = Expressions.Given.named(word);
    if (given == null) {
      throw in.error("no let line before this one names " + word);
    }
    return given;
  }

  private Expression function(String word, LineReader in) {
    Expression result;
    switch (word) {
      case "key" -> {
        int key = key(in.name());
        result = new Expressions.Key(key, in.accept(",") ? parse(in) : null);
      }
      case "has_key" -> result = new Expressions.HasKey(key(in.name()));
      case "text" -> {
        int key = key(in.name());
        in.expect(",");
        result = new Expressions.IsText(key, in.name());
      }
      case "count_before" -> result = new Expressions.CountBefore(key(in.name()));
      case "has" -> result = new Expressions.Has(in.name());
      case "any" -> result = new Expressions.Any(in.name());
      case "is" -> {
        String tensor = in.name();
        in.expect(",");
        result = new Expressions.IsType(tensor, in.identifier());
      }
      case "ne" -> {
        String tensor = in.name();
        in.expect(",");
        result = new Expressions.Dimension(tensor, (int) in.number());
      }
      case "min", "max" -> {
        Expression left = parse(in);
        in.expect(",");
        Operator operator = word.equals("min") ? Operator.MINIMUM : Operator.MAXIMUM;
        result = new Expressions.Binary(operator, left, parse(in));
      }
      default -> throw in.error("there is no function " + word);
    }
    in.expect(")");
    return result;
  }

  private int key(String name) {
    Integer number = keys.get(name);
    if (number == null) {
      number = keyNames.size();
      keys.put(name, number);
      keyNames.add(name);
    }
    return number;
  }
}
