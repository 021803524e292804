package dev.gguf.verify;

import dev.gguf.Finding;
import dev.gguf.Tensor;
import org.jspecify.annotations.Nullable;

/// A finding of a scan, with its place in numbers.
///
/// @param finding what was found, in words
/// @param refusedByGgml whether ggml's own data check (`--check-tensors` of llama.cpp) refuses the
///   tensor for it
/// @param tensor the tensor, or null for a finding about a file
/// @param count how many blocks, elements of a plain type, or bytes it is about
/// @param place the first of them, or null where it has no place in the tensor
public record DataFinding(
    Finding finding,
    boolean refusedByGgml,
    @Nullable Tensor tensor,
    long count,
    @Nullable Place place) {

  /// A block, or an element of a plain type, in a tensor.
  ///
  /// @param row counted through the whole tensor
  /// @param block counted through the whole tensor; of a plain type an element is a block
  /// @param blockOfRow counted from the start of the row
  /// @param expert which of the stacked experts, or -1 for a tensor that is no stack of experts
  /// @param offset absolute byte offset in the tensor's file
  public record Place(long row, long block, long blockOfRow, long expert, long offset) {
    /// Returns the place of a block.
    ///
    /// @param block counted through the whole tensor
    static Place of(Tensor tensor, long block) {
      long rowBlocks = Math.max(1, tensor.ne(0) / Math.max(1, tensor.type().blockElements()));
      long row = block / rowBlocks;
      long expert = isStack(tensor) ? row / tensor.ne(1) : -1;
      long offset = tensor.fileOffset() + block * tensor.type().blockBytes();
      return new Place(row, block, block % rowBlocks, expert, offset);
    }

    private static boolean isStack(Tensor tensor) {
      return tensor.ne(2) > 1 && tensor.name().contains("_exps");
    }

    /// Returns the place in words, such as `block 5 of row 3`.
    String words(Tensor tensor) {
      boolean plain = tensor.type().blockElements() == 1;
      String thing = plain ? "element " : "block ";
      StringBuilder words = new StringBuilder(thing).append(block);
      if (row > 0 || blockOfRow != block || tensor.rows() > 1) {
        words.append(" (");
        if (expert >= 0) {
          words.append("expert ").append(expert).append(", ");
        }
        words.append("row ").append(row).append(", ").append(thing).append(blockOfRow);
        words.append(" of the row)");
      }
      return words.toString();
    }
  }
}
