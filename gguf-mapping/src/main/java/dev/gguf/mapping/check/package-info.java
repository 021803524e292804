/// Judges whether a model is complete: names, shapes and keys against each other, in both
/// directions.
@NullMarked
package dev.gguf.mapping.check;

import org.jspecify.annotations.NullMarked;
