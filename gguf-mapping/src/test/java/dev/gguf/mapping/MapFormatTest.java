package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class MapFormatTest {
  private static NameMap parse(String... lines) {
    return NameMap.parse("x", String.join("\n", lines), _ -> null);
  }

  private static Mapping map(NameMap map, Metadata metadata, Tensor... tensors) {
    return map.map(metadata, List.of(tensors), Target.HF, MapOptions.DEFAULT);
  }

  private static Metadata blocks(long count) {
    return Metadata.builder().uint32("x.block_count", count).build();
  }

  private static Tensor tensor(String name, long... ne) {
    return Tensor.of(name, TensorType.F32, ne);
  }

  @Test
  void theExampleOfTheDocumentationIsOne() throws IOException {
    String page = Files.readString(Shared.root().resolve("docs/map-format.md"));
    int start = page.indexOf("```\n") + 4;
    NameMap example =
        NameMap.parse("example", page.substring(start, page.indexOf("```", start)), _ -> null);
    Metadata metadata =
        SyntheticTable.metadata(
            "example",
            "block_count=2 embedding_length=64 vocab_size=100 attention.head_count=4"
                + " attention.head_count_kv=2 leading_dense_block_count=1 feed_forward_length=96"
                + " expert_feed_forward_length=32 expert_count=4");
    List<Tensor> tensors = SyntheticTable.of(example, metadata, Set.of());
    Mapping mapping = example.map(metadata, tensors, Target.HF, MapOptions.DEFAULT);
    assertThat(mapping.isComplete()).isTrue();
    assertThat(mapping.ofTensor("blk.1.attn_k.weight").orElseThrow().transform())
        .isEqualTo("unpermute-heads");
    assertThat(mapping.parameterNames())
        .contains("model.layers.0.mlp.up_proj.weight")
        .contains("model.layers.1.mlp.experts.3.up_proj.weight")
        .hasSize(2 + 2 * 5 + 2 + 8);
    assertThat(mapping.shared()).extracting(SharedTensor::tensor).containsExactly("output.weight");
    assertThat(MapOverlap.find(example)).isEmpty();
  }

  @Test
  void modulesOfTransformersMayStandElsewhere() {
    NameMap map =
        parse(
            "modules model. -> model.language_model.",
            "layers blk.{L}. -> model.layers.{L}.",
            "attn_k.weight -> k.weight",
            "ffn_up.weight -> /other.{L}.up.weight");
    List<Tensor> tensors =
        List.of(tensor("blk.0.attn_k.weight", 4), tensor("blk.0.ffn_up.weight", 4));
    assertThat(map.map(blocks(1), tensors, Target.HF, MapOptions.DEFAULT).parameterNames())
        .containsExactly("model.layers.0.k.weight", "other.0.up.weight");
    assertThat(
            map.map(blocks(1), tensors, Target.TRANSFORMERS, MapOptions.DEFAULT).parameterNames())
        .containsExactly("model.language_model.layers.0.k.weight", "other.0.up.weight");
  }

  @Test
  void textsOfKeysChooseAndTrueElementsAreCounted() {
    NameMap map =
        parse(
            "layers v.{L}. of key(count) -> merger.{count_before(used)}.",
            "when text(kind, one.two_three) and key(used) otherwise \"of another kind\"",
            "fc.weight -> fc.weight",
            "end");
    Metadata metadata =
        Metadata.builder()
            .string("general.architecture", "x")
            .string("x.kind", "one.two_three")
            .integer("x.count", ValueType.UINT32, 4)
            .integers("x.used", ValueType.BOOL, 0, 1, 0, 1)
            .build();
    List<Tensor> tensors =
        List.of(tensor("v.1.fc.weight", 4), tensor("v.2.fc.weight", 4), tensor("v.3.fc.weight", 4));
    Mapping mapping = map.map(metadata, tensors, Target.HF, MapOptions.DEFAULT);
    assertThat(mapping.parameterNames())
        .containsExactly("merger.0.fc.weight", "merger.1.fc.weight");
    assertThat(mapping.unmapped())
        .extracting(Unmapped::group, Unmapped::reason)
        .containsExactly(tuple(Group.SURPLUS, "of another kind"));
  }

  @Test
  void noNameMatchesByAPart() {
    NameMap map = parse("layers blk.{L}. -> l.{L}.", "attn_k.weight -> k.weight");
    Mapping mapping =
        map(
            map,
            blocks(2),
            tensor("blk.0.attn_k.weight", 4),
            tensor("blk.1.indexer.attn_k.weight", 4),
            tensor("blk.1.attn_k.weight.1", 4),
            tensor("blk.01.attn_k.weight", 4),
            tensor("xblk.1.attn_k.weight", 4),
            tensor("blk.1.attn_k", 4));
    assertThat(mapping.mappedCount()).isEqualTo(1);
    assertThat(mapping.unmapped()).allMatch(tensor -> tensor.group() == Group.UNKNOWN);
    assertThat(mapping.missing())
        .extracting(Missing::parameter, Missing::reason)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("l.1.k.weight", "blk.1.attn_k.weight is absent"));
  }

  @Test
  void everyNameOfAnyMapIsExact() throws IOException {
    for (String name : MapFilesTest.architectures()) {
      NameMap map = NameMap.forArchitecture(name).orElseThrow();
      map.file()
          .sections()
          .forEach(section -> {
            for (int slot = 0; slot < section.slots(); slot++) {
              assertThat(section.name(slot))
                  .matches("([a-z0-9_]+|\\{E})(\\.([A-Za-z0-9_]+|\\{E}))*");
            }
          });
    }
  }

  @Test
  void overlappingRulesAreFound() {
    assertThat(MapOverlap.find(parse("a.weight -> x", "a.weight -> y"))).hasSize(1);
    assertThat(MapOverlap.find(parse("a.weight -> x", "b.weight -> x"))).hasSize(1);
    assertThat(
            MapOverlap.find(
                parse(
                    "when has(b)", "a.weight -> x", "end", "when has(c)", "b.weight -> x", "end")))
        .hasSize(1);
    assertThat(
            MapOverlap.find(parse("when has(b)", "a.weight -> x", "else", "b.weight -> x", "end")))
        .isEmpty();
  }

  @Test
  void mistakesAreToldWithTheirLine() {
    assertThatThrownBy(() -> parse("", "a.weight -> x : twist"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("x.map:2: there is no transform twist");
    assertThatThrownBy(() -> parse("a.weight [n] -> x"))
        .hasMessageContaining("no let line before this one names n");
    assertThatThrownBy(() -> parse("when has(a.weight)")).hasMessageContaining("without end");
    assertThatThrownBy(() -> parse("include y")).hasMessageContaining("there is no map y");
    assertThatThrownBy(() -> parse("alias a -> b")).hasMessageContaining("expected info or");
  }

  @Test
  void formulasFollowTheUsualOrder() {
    NameMap map =
        parse(
            "let a = key(a)",
            "let b = key(b, 2 + 3 * 4)",
            "let c = a > 1 and not (b == 14) or a * 2 - 1 == 3 ? max(a, b) % 5 : min(a, b)",
            "t.weight [a, b, c] -> t");
    Metadata metadata = Metadata.builder().uint32("x.a", 2).build();
    assertThat(map(map, metadata, tensor("t.weight", 2, 14, 4)).shapeDifferences()).isEmpty();
    assertThat(map(map, metadata, tensor("t.weight", 2, 14, 5)).shapeDifferences())
        .singleElement()
        .hasToString("t.weight is [2, 14, 5], not [2, 14, 4]");
    assertThat(map(map, Metadata.EMPTY, tensor("t.weight", 7, 14)).shapeDifferences())
        .as("what is unknown is not judged")
        .isEmpty();
  }

  @Test
  void keysMayBePerLayerOfAnyIntegerType() {
    NameMap map =
        parse(
            "layers blk.{L}. -> l.{L}.",
            "when key(full, 1)",
            "a.weight [key(n)] -> a",
            "else otherwise \"not here\"",
            "b.weight -> b",
            "end");
    Metadata metadata =
        Metadata.builder()
            .uint32("x.block_count", 3)
            .integers("x.full", dev.gguf.ValueType.BOOL, 1, 0)
            .integers("x.n", dev.gguf.ValueType.INT64, 5, 6, 7)
            .build();
    Mapping mapping =
        map(
            map,
            metadata,
            tensor("blk.0.a.weight", 5),
            tensor("blk.1.b.weight", 5),
            tensor("blk.2.a.weight", 7),
            tensor("blk.0.b.weight", 7));
    assertThat(mapping.missing()).isEmpty();
    assertThat(mapping.shapeDifferences()).isEmpty();
    assertThat(mapping.unmapped())
        .singleElement()
        .matches(u -> u.group() == Group.SURPLUS && u.reason().equals("not here"));
  }

  @Test
  void includedFilesTakeWhatIsSetBefore() {
    NameMap map =
        NameMap.parse(
            "x",
            "set ROOT other\ninclude y\n",
            name -> name.equals("y") ? "set ROOT model\na.weight -> $ROOT.a\n" : null);
    assertThat(map(map, Metadata.EMPTY, tensor("a.weight", 2)).parameterNames())
        .containsExactly("other.a");
  }
}
