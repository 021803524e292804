/// The commands, one class each.
@NullMarked
package dev.gguf.cli;

import org.jspecify.annotations.NullMarked;
