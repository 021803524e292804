/// Judges whether a file is sound: container, metadata, tensor table, split set and tokenizer.
@NullMarked
package dev.gguf.check;

import org.jspecify.annotations.NullMarked;
