package dev.gguf.mapping.engine;

import java.util.List;

/// What a model takes on each device, in bytes.
///
/// Ranks of one tensor-parallel group take the same: every rank holds its part of the cut modules,
/// the whole of the replicated ones, and the whole of a latent cache.
///
/// @param ranks how many devices share the model
/// @param weights bytes of weights on one rank
/// @param replicated the part of them that every rank holds whole
/// @param decoded the part of them that is kept as float although the file has it quantised
/// @param bytesPerToken bytes of cache that one token takes on one rank, over all layers
/// @param context tokens that were asked for, or the model's own context
/// @param cache bytes of cache for that context on one rank
/// @param buffers bytes of buffers that are known
/// @param budget bytes that the engine may use on a device, or 0 if the device is not known
/// @param longestContext tokens that fit beside the weights, a multiple of the block size; 0 if
///   none or if the device is not known
/// @param notCounted what else a device must hold
public record MemoryEstimate(
    int ranks,
    long weights,
    long replicated,
    long decoded,
    long bytesPerToken,
    long context,
    long cache,
    long buffers,
    long budget,
    long longestContext,
    List<String> notCounted) {
  /// Copies the list.
  public MemoryEstimate {
    notCounted = List.copyOf(notCounted);
  }

  /// Returns the bytes of one rank: weights, cache and buffers.
  public long total() {
    return weights + cache + buffers;
  }

  /// Returns whether everything fits into the budget; false if the device is not known.
  public boolean fits() {
    return budget > 0 && total() <= budget;
  }

  /// Returns the bytes that are left of the budget, negative if they are too few; 0 if the device
  /// is not known.
  public long spare() {
    return budget == 0 ? 0 : budget - total();
  }
}
