/// The checkpoint that a GGUF file was made from: its `config.json`, its weight index and its
/// safetensors files.
@NullMarked
package dev.gguf.mapping.checkpoint;

import org.jspecify.annotations.NullMarked;
