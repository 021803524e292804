package dev.gguf.mapping;

/// Where the rows of a parameter stand in its tensors.
///
/// A row is `ne[0]` elements of a tensor; the rows of a tensor with more than two dimensions are
/// counted through all its matrices. Of a tensor with one dimension every element is a row. Where
/// [#isColumns()] the order is one of columns instead, the same in every row, and where
/// [#isElements()] one of single elements.
///
/// The order describes the parameter before a [Transform#TRANSPOSE], which comes after it.
public interface RowOrder {
  /// Returns how many rows, or columns, the parameter takes.
  long count();

  /// Returns which of the entry's tensors holds a row, as an index into [MappedTensors#sources()].
  ///
  /// @param row row of the parameter, 0 to [#count()] - 1
  int source(long row);

  /// Returns which row of that tensor it is.
  ///
  /// @param row row of the parameter, 0 to [#count()] - 1
  long sourceRow(long row);

  /// Returns whether columns are meant: element `i` of every row of the parameter is element
  /// `sourceRow(i)` of the same row of the tensor.
  default boolean isColumns() {
    return false;
  }

  /// Returns whether single elements are meant, counted through all rows of a tensor.
  default boolean isElements() {
    return false;
  }
}
