/// The command `gguf`.
module dev.gguf.cli {
  requires dev.gguf.mapping;
  requires info.picocli;
  requires org.apache.commons.compress;
  requires static org.jspecify;

  opens dev.gguf.cli to
      info.picocli;
}
