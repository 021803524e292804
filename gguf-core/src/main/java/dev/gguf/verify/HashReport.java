package dev.gguf.verify;

import dev.gguf.Tensor;
import java.util.List;
import java.util.Map;

/// The hashes of a model's data.
///
/// @param tensors one entry for each tensor, in the order of the files and their tables; empty if
///   only the model's were asked for
/// @param files one entry for each file, over the data of its tensors in that order, which is what
///   llama-gguf-hash gives for a shard
/// @param model over the data of all tensors of all files, the same for a split set and the merged
///   file
public record HashReport(
    List<OfTensor> tensors, List<OfFile> files, Map<HashAlgorithm, String> model) {
  /// The hashes of one tensor.
  ///
  /// @param tensor the tensor
  /// @param hex lower-case hexadecimal, most significant digit first
  public record OfTensor(Tensor tensor, Map<HashAlgorithm, String> hex) {}

  /// The hashes of one file's data.
  ///
  /// @param file the file
  /// @param hex lower-case hexadecimal, most significant digit first
  public record OfFile(dev.gguf.GgufFile file, Map<HashAlgorithm, String> hex) {}

  /// Copies the lists.
  public HashReport {
    tensors = List.copyOf(tensors);
    files = List.copyOf(files);
    model = Map.copyOf(model);
  }
}
