/// Small models and checkpoints for unit tests: made in a line or two, in memory or in a temporary
/// folder, with values that the test chooses.
@NullMarked
package dev.gguf.mapping.testing;

import org.jspecify.annotations.NullMarked;
