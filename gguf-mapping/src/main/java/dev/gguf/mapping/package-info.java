/// Tensor names to parameter names, in both directions.
@NullMarked
package dev.gguf.mapping;

import org.jspecify.annotations.NullMarked;
