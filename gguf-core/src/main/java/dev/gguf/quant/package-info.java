/// Decoding of tensor data: what every storage type's bytes mean as numbers.
///
/// [dev.gguf.quant.TensorValues] reads rows of a tensor of a file, [dev.gguf.quant.Dequantizer]
/// decodes bare blocks.
@NullMarked
package dev.gguf.quant;

import org.jspecify.annotations.NullMarked;
