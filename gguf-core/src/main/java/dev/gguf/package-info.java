/// What a GGUF file says: [dev.gguf.Gguf] opens a file or a split set and gives its
/// [dev.gguf.Metadata] and its [dev.gguf.Tensor]s.
///
/// Dimensions are in the format's own order, `ne[0]` first and fastest; a *shape* is the same in
/// row-major order, slowest axis first. Sizes are in bytes, offsets are absolute in their file
/// unless said otherwise.
@NullMarked
package dev.gguf;

import org.jspecify.annotations.NullMarked;
