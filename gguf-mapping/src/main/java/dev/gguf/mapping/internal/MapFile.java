package dev.gguf.mapping.internal;

import dev.gguf.mapping.ModelType;
import dev.gguf.mapping.Transform;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a map file says, ready to be applied.
///
/// @param models the Hugging Face model types with the condition under which each fits
/// @param lets the named values, in the order of their numbers
/// @param letNames their names
/// @param keys the metadata keys that expressions use, in the order of their numbers, without the
///   architecture's prefix; those that start with a slash have none
/// @param required keys without which loaders refuse
/// @param sections the global tensors and the kinds of blocks
/// @param spellings other prefixes that parameter names have in some checkpoints
/// @param modules prefixes of parameter names that transformers' modules have otherwise
/// @param checks what the map was checked against, each one line
/// @param notes what the map does not cover, each one sentence
public record MapFile(
    List<Model> models,
    List<Expression> lets,
    List<String> letNames,
    List<String> keys,
    List<Required> required,
    List<Section> sections,
    List<Spelling> spellings,
    List<Spelling> modules,
    List<String> checks,
    List<String> notes) {

  /// A model type and when it fits, always where the condition is null.
  public record Model(ModelType type, @Nullable Expression condition) {}

  /// A key without which loaders refuse the file, and when, always where the condition is null.
  public record Required(String key, String reason, @Nullable Expression condition) {}

  /// A prefix of parameter names and another one that stands for it in some checkpoints.
  public record Spelling(String prefix, String other) {}

  /// A step of a section.
  public sealed interface Item permits Rule, Choice {}

  /// Branches of which the first applies whose condition holds.
  ///
  /// @param line where the choice starts
  public record Choice(List<Branch> branches, String line) implements Item {}

  /// One branch.
  ///
  /// @param condition null for the last branch, which applies when no other does
  /// @param otherwise why tensors of this branch have no use where it does not apply, or null
  public record Branch(
      @Nullable Expression condition, @Nullable String otherwise, List<Item> items) {}

  /// The tensors that feed one or several parameters together.
  ///
  /// @param transforms what turns the tensors into the parameters, in order
  /// @param order how rows are put together, or null where it follows from the transforms
  /// @param optional whether nothing is missing where the tensors are absent
  /// @param shared why an absent tensor is not missing, or null
  /// @param legacy the names that current exporters write, or null where these are them
  /// @param legacyWarning whether the older names are worth a warning
  /// @param line where the rule stands, for messages about the map
  public record Rule(
      List<Source> sources,
      List<Param> params,
      List<Transform> transforms,
      @Nullable Order order,
      boolean optional,
      @Nullable String shared,
      @Nullable String legacy,
      boolean legacyWarning,
      String line)
      implements Item {}

  /// A tensor of a rule.
  ///
  /// @param name the exact name after the section's prefix; with `{E}` for a number of an expert
  /// @param slot the number of the name in its section
  /// @param dims the expected dimensions in the format's order, or null
  public record Source(String name, int slot, boolean perExpert, @Nullable List<Expression> dims) {}

  /// A parameter of a rule.
  ///
  /// @param name the name, after the section's prefix unless it is absolute
  /// @param shape the row-major shape where it does not follow from the tensors, or null
  /// @param head the size of the heads whose rows are to be brought back in order, or null
  /// @param module the engine's module that fuses the parameter, or null
  public record Param(
      Template name,
      boolean absolute,
      @Nullable List<Expression> shape,
      @Nullable Expression head,
      @Nullable Template module) {}

  /// How the rows of a parameter are put together.
  ///
  /// @param unit what is counted
  /// @param blocks what follows on what
  public record Order(Unit unit, List<OrderBlock> blocks) {}

  /// What an order counts.
  public enum Unit {
    /// Rows, and elements of a tensor with one dimension.
    ROWS,
    /// Columns, the same in every row.
    COLUMNS,
    /// Single elements of any tensor.
    ELEMENTS,
    /// The rotated rows of each head, two halves in the file and pairs in the checkpoint.
    PAIRS
  }

  /// Pieces that repeat.
  ///
  /// @param groups how many times
  /// @param pieces what one group consists of; empty for an equal share of every tensor
  public record OrderBlock(Expression groups, List<Piece> pieces) {}

  /// Consecutive rows of a tensor.
  ///
  /// @param source index of the tensor in the rule
  /// @param rows how many
  /// @param times how many such pieces follow each other, each from the next part of the tensor
  /// @param head the size of the heads whose rows are to be brought back in order, or null
  public record Piece(
      int source, Expression rows, @Nullable Expression times, @Nullable Expression head) {}
}
