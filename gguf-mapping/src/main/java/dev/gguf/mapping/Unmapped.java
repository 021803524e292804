package dev.gguf.mapping;

import dev.gguf.Tensor;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A tensor that feeds no parameter of the target.
///
/// @param tensor the tensor
/// @param layer the number of its block, or empty
/// @param group the kind of reason
/// @param reason the reason in words
/// @param checkpointName the parameter that it is in the checkpoint, with a range of experts where
///   it is several, or null where it is none
public record Unmapped(
    Tensor tensor,
    OptionalInt layer,
    Group group,
    String reason,
    @Nullable String checkpointName) {}
