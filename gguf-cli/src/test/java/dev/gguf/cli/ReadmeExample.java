package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.Tensor;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.Parameter;
import dev.gguf.mapping.Target;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/// The example of the README, compiled.
final class ReadmeExample {
  private ReadmeExample() {}

  static String run(Path path) throws IOException {
    // example
    try (Gguf gguf = Gguf.open(path)) { // any shard opens the whole set
      long layers = gguf.metadata().integer("glm-dsa.block_count");
      Tensor keys = gguf.find("blk.0.attn_k_b.weight").orElseThrow();
      MemorySegment bytes = keys.data(); // mapped, not copied
      Mapping names = NameMap.forArchitecture("glm-dsa").orElseThrow().map(gguf, Target.HF);
      List<Parameter> fed = names.ofTensor(keys.name()).orElseThrow().parameters(); // kv_b_proj
      boolean complete = names.isComplete(); // every parameter of the model is fed
      // end
      return layers + " " + bytes.byteSize() + " " + fed.getFirst().name() + " " + complete;
    }
  }
}
