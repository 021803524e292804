/// Writes GGUF files: [dev.gguf.write.GgufWriter] lays out and writes files of every version and
/// byte order, odd and broken ones for tests among them.
@NullMarked
package dev.gguf.write;

import org.jspecify.annotations.NullMarked;
