/// Reads GGUF model files: metadata, tensor table and zero-copy tensor data, without any runtime
/// dependency.
@SuppressWarnings("module") // The modules that see the internal package are built after this one.
module dev.gguf {
  requires static transitive org.jspecify;

  exports dev.gguf;
  exports dev.gguf.check;
  exports dev.gguf.diff;
  exports dev.gguf.internal to
      dev.gguf.cli,
      dev.gguf.mapping;
  exports dev.gguf.quant;
  exports dev.gguf.verify;
  exports dev.gguf.write;
}
