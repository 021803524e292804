package dev.gguf.mapping;

import dev.gguf.Severity;
import dev.gguf.Tensor;

/// A tensor under an older name. Where it is mapped it feeds its parameter all the same; where it
/// is not, it is also [Unmapped].
///
/// @param tensor the tensor
/// @param finalName the name that current exporters write, of one or several tensors
/// @param severity info where engines read both names, else warning
/// @param mapped whether the tensor feeds a parameter
public record LegacyName(Tensor tensor, String finalName, Severity severity, boolean mapped) {}
