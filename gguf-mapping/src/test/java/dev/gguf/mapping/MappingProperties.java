package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import dev.gguf.fixture.GlmDsa;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// Whatever a file says, every tensor is accounted for once, and nothing is allocated from a count
/// that it only claims.
final class MappingProperties {
  @Property(tries = 100)
  void everyTensorIsMappedOrUnmapped(
      @ForAll("tables") List<Tensor> tensors,
      @ForAll("keys") Metadata metadata,
      @ForAll Target target,
      @ForAll boolean mtp) {
    for (String architecture : List.of("glm-dsa", "llama", "qwen35")) {
      NameMap map = NameMap.forArchitecture(architecture).orElseThrow();
      Mapping mapping = map.map(metadata, tensors, target, new MapOptions(mtp));
      Set<Tensor> seen = new HashSet<>();
      for (MappedTensors entry : mapping.mapped()) {
        for (Tensor source : entry.sources()) {
          assertThat(seen.add(source)).isTrue();
        }
        for (int i = 0; i < entry.parameters().size(); i++) {
          assertThat(entry.parameters().get(i).name()).isNotEmpty();
          entry.rows(i, 0);
        }
      }
      for (Unmapped unmapped : mapping.unmapped()) {
        assertThat(seen.add(unmapped.tensor())).isTrue();
        assertThat(unmapped.reason()).isNotBlank();
      }
      assertThat(seen).hasSameSizeAs(tensors);
      assertThat(mapping.mappedCount() + mapping.unmapped().size()).isEqualTo(tensors.size());
    }
  }

  @Provide
  Arbitrary<List<Tensor>> tables() {
    List<String> names =
        new ArrayList<>(List.of("", "blk.", "blk.0", "output.weight", "mm.a", "."));
    for (Tensor tensor : GlmDsa.mini().tensors()) {
      names.add(tensor.name());
    }
    Arbitrary<String> known = Arbitraries.of(names);
    Arbitrary<String> changed =
        Combinators.combine(
                known, Arbitraries.of("7", "00", "2147483647", "999999999", "99999999999", "x", ""))
            .as((name, number) -> name.replaceFirst("[0-9]+", number));
    Arbitrary<String> experts =
        Combinators.combine(
                Arbitraries.integers().between(0, 1_000_000_000),
                Arbitraries.of("gate", "up", "down"))
            .as((number, part) -> "blk.0.ffn_" + part + "." + number + ".weight");
    Arbitrary<long[]> dims =
        Arbitraries.longs().between(0, 64).array(long[].class).ofMinSize(0).ofMaxSize(4);
    return Combinators.combine(
            Arbitraries.oneOf(known, changed, experts),
            Arbitraries.of(TensorType.F32, TensorType.Q8_0, TensorType.MXFP4),
            dims)
        .as((name, type, ne) -> Tensor.of(name, type, ne))
        .list()
        .ofMaxSize(40);
  }

  @Provide
  Arbitrary<Metadata> keys() {
    Arbitrary<Long> numbers =
        Arbitraries.of(0L, 1L, 2L, 4L, 255L, 0xffff_ffffL, Long.MAX_VALUE, -1L);
    return Combinators.combine(numbers, numbers, numbers, numbers)
        .as((blocks, nextn, heads, experts) -> {
          Metadata.Builder builder = Metadata.builder();
          for (String architecture : List.of("glm-dsa", "llama", "qwen35")) {
            builder
                .uint64(architecture + ".block_count", blocks)
                .uint64(architecture + ".nextn_predict_layers", nextn)
                .uint64(architecture + ".attention.head_count", heads)
                .int64(architecture + ".expert_count", experts)
                .string(architecture + ".embedding_length", "wide")
                .integers(architecture + ".attention.indexer.types", ValueType.BOOL, 1, 0)
                .strings(architecture + ".attention.head_count_kv", List.of("a", "b"));
          }
          return builder.build();
        });
  }
}
