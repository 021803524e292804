/// The scan over all tensor data of a model: numbers that are not finite, invalid scales, zeros
/// where weights should be, holes of the file system; and hashes.
@NullMarked
package dev.gguf.verify;

import org.jspecify.annotations.NullMarked;
