/// What the promises about speed are measured with. A benchmark's answer is tested like any other,
/// so that a fast wrong one cannot win.
@NullMarked
package dev.gguf.benchmark;

import org.jspecify.annotations.NullMarked;
