/// The command `gguf`.
module dev.gguf.cli {
  requires dev.gguf.mapping;
  requires com.fasterxml.jackson.core;
  requires info.picocli;
  requires org.apache.commons.compress;
  requires static org.jspecify;

  opens dev.gguf.cli to
      dev.gguf;
}
