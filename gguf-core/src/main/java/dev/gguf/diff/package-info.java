/// Compares two models: what their headers say, their bytes, and their values.
@NullMarked
package dev.gguf.diff;

import org.jspecify.annotations.NullMarked;
