/// Reading of bytes and names of shards; closed to other modules.
@NullMarked
package dev.gguf.internal;

import org.jspecify.annotations.NullMarked;
