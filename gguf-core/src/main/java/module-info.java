/// Reads GGUF model files: metadata, tensor table and zero-copy tensor data, without any runtime
/// dependency.
module dev.gguf {
  requires static transitive org.jspecify;

  exports dev.gguf;
  exports dev.gguf.check;
  exports dev.gguf.quant;
  exports dev.gguf.write;
}
