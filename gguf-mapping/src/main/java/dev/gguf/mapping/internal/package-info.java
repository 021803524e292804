/// Map files: their grammar, and the expressions in them.
@NullMarked
package dev.gguf.mapping.internal;

import org.jspecify.annotations.NullMarked;
