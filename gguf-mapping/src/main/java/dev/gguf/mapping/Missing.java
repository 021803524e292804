package dev.gguf.mapping;

import java.util.OptionalInt;

/// A parameter of the target that no tensor feeds.
///
/// @param parameter its name, with a range where it is one per expert
/// @param layer the number of the block whose tensor is absent, or empty
/// @param tensor the tensor that would feed it, by its current name
/// @param reason the reason in words
public record Missing(String parameter, OptionalInt layer, String tensor, String reason) {}
