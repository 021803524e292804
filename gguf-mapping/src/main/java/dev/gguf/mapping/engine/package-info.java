/// What engines can load: a profile per generation of an engine, as data, and an interpreter that
/// holds a model against it.
@NullMarked
package dev.gguf.mapping.engine;

import org.jspecify.annotations.NullMarked;
