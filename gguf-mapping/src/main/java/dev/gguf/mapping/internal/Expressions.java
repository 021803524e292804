package dev.gguf.mapping.internal;

import org.jspecify.annotations.Nullable;

/// The kinds of expressions.
final class Expressions {
  private Expressions() {}

  /// A number.
  record Constant(long number) implements Expression {
    @Override
    public long value(Scope scope) {
      return number;
    }
  }

  /// A value that a `let` line names.
  record Variable(int index) implements Expression {
    @Override
    public long value(Scope scope) {
      return scope.variable(index);
    }
  }

  /// A value that every map has.
  record Given(Kind kind) implements Expression {
    /// Which value.
    enum Kind {
      LAYER("L"),
      BLOCKS("n_block"),
      NEXTN("n_nextn"),
      MAIN("n_main"),
      MTP("mtp"),
      TRANSFORMERS("transformers");

      final String word;

      Kind(String word) {
        this.word = word;
      }
    }

    static @Nullable Given named(String word) {
      for (Kind kind : Kind.values()) {
        if (kind.word.equals(word)) {
          return new Given(kind);
        }
      }
      return null;
    }

    @Override
    public long value(Scope scope) {
      return switch (kind) {
        case LAYER -> scope.layer() < 0 ? UNKNOWN : scope.layer();
        case BLOCKS -> scope.blocks();
        case NEXTN -> scope.mtpBlocks();
        case MAIN -> scope.blocks() - scope.mtpBlocks();
        case MTP -> scope.isMtpLayer() ? 1 : 0;
        case TRANSFORMERS -> scope.isTransformers() ? 1 : 0;
      };
    }
  }

  /// The value of a metadata key, of an array the element of the layer.
  record Key(int index, @Nullable Expression absent) implements Expression {
    @Override
    public long value(Scope scope) {
      long value = scope.key(index);
      return value == UNKNOWN && absent != null ? absent.value(scope) : value;
    }
  }

  /// Whether a metadata key is there.
  record HasKey(int index) implements Expression {
    @Override
    public long value(Scope scope) {
      return scope.hasKey(index) ? 1 : 0;
    }
  }

  /// Whether a metadata key is a certain text.
  record IsText(int index, String text) implements Expression {
    @Override
    public long value(Scope scope) {
      return scope.isText(index, text) ? 1 : 0;
    }
  }

  /// How many elements of an array before that of the layer are true.
  record CountBefore(int index) implements Expression {
    @Override
    public long value(Scope scope) {
      return scope.countBefore(index);
    }
  }

  /// Whether a tensor is in the layer, or a global one in the file.
  record Has(String tensor) implements Expression {
    @Override
    public long value(Scope scope) {
      return scope.has(tensor) ? 1 : 0;
    }
  }

  /// Whether a tensor is in any layer.
  record Any(String tensor) implements Expression {
    @Override
    public long value(Scope scope) {
      return scope.hasInAnyLayer(tensor) ? 1 : 0;
    }
  }

  /// Whether a tensor of the layer is there and of a type.
  record IsType(String tensor, String type) implements Expression {
    @Override
    public long value(Scope scope) {
      return scope.isType(tensor, type) ? 1 : 0;
    }
  }

  /// A dimension of a tensor.
  record Dimension(String tensor, int axis) implements Expression {
    @Override
    public long value(Scope scope) {
      return scope.dimension(tensor, axis);
    }
  }

  /// Two values and an operator between them.
  record Binary(Operator operator, Expression left, Expression right) implements Expression {
    @Override
    public long value(Scope scope) {
      long a = left.value(scope);
      if (operator == Operator.AND) {
        return a != 0 && a != UNKNOWN && right.holds(scope) ? 1 : 0;
      }
      if (operator == Operator.OR) {
        return a != 0 && a != UNKNOWN || right.holds(scope) ? 1 : 0;
      }
      long b = right.value(scope);
      return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : operator.apply(a, b);
    }
  }

  /// The opposite of a condition.
  record Not(Expression condition) implements Expression {
    @Override
    public long value(Scope scope) {
      return condition.holds(scope) ? 0 : 1;
    }
  }

  /// One of two values.
  record Conditional(Expression condition, Expression yes, Expression no) implements Expression {
    @Override
    public long value(Scope scope) {
      return condition.holds(scope) ? yes.value(scope) : no.value(scope);
    }
  }

  /// What stands between two values.
  enum Operator {
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    REMAINDER("%"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    EQUAL("=="),
    NOT_EQUAL("!="),
    MINIMUM("min"),
    MAXIMUM("max"),
    AND("and"),
    OR("or");

    final String word;

    Operator(String word) {
      this.word = word;
    }

    long apply(long a, long b) {
      try {
        return switch (this) {
          case ADD -> Math.addExact(a, b);
          case SUBTRACT -> Math.subtractExact(a, b);
          case MULTIPLY -> Math.multiplyExact(a, b);
          case DIVIDE -> b == 0 ? Expression.UNKNOWN : a / b;
          case REMAINDER -> b == 0 ? Expression.UNKNOWN : a % b;
          case LESS -> a < b ? 1 : 0;
          case LESS_OR_EQUAL -> a <= b ? 1 : 0;
          case GREATER -> a > b ? 1 : 0;
          case GREATER_OR_EQUAL -> a >= b ? 1 : 0;
          case EQUAL -> a == b ? 1 : 0;
          case NOT_EQUAL -> a != b ? 1 : 0;
          case MINIMUM -> Math.min(a, b);
          case MAXIMUM -> Math.max(a, b);
          case AND -> a != 0 && b != 0 ? 1 : 0;
          case OR -> a != 0 || b != 0 ? 1 : 0;
        };
      } catch (ArithmeticException e) {
        return Expression.UNKNOWN;
      }
    }
  }
}
