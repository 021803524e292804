/// A model held against the checkpoint that it was made from: names, shapes and values.
@NullMarked
package dev.gguf.mapping.compare;

import org.jspecify.annotations.NullMarked;
