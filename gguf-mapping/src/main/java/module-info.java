/// The names that the tensors of a GGUF model have in its checkpoint and in the engines that load
/// it, and what of them is missing or left over.
@SuppressWarnings("opens") // Two of the packages hold files alone.
module dev.gguf.mapping {
  requires transitive dev.gguf;
  requires static org.jspecify;
  requires com.fasterxml.jackson.core;
  requires com.google.common;
  requires it.unimi.dsi.fastutil.core;

  exports dev.gguf.mapping.check;
  exports dev.gguf.mapping.checkpoint;
  exports dev.gguf.mapping.engine;
  exports dev.gguf.mapping;
  exports dev.gguf.mapping.compare;
  exports dev.gguf.mapping.testing;

  opens dev.gguf.mapping.check to
      dev.gguf;
  opens dev.gguf.mapping.engine to
      dev.gguf;
  opens dev.gguf.mapping.maps to
      dev.gguf;
}
