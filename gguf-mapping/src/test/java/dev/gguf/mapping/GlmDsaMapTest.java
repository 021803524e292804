package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class GlmDsaMapTest {
  private static final NameMap MAP = NameMap.forArchitecture("glm-dsa").orElseThrow();

  private static Mapping map(String table, Target target, MapOptions options) throws IOException {
    TensorTables.Model model = TensorTables.model(Shared.require("data/tensor-tables"), table);
    return MAP.map(model.metadata(), model.tensors(), target, options);
  }

  @Test
  void glm51IsMappedButForItsMtpLayer() throws IOException {
    Mapping mapping = map("GLM-5.1", Target.HF, MapOptions.DEFAULT);
    assertThat(mapping.tensors()).hasSize(1809);
    assertThat(mapping.mappedCount()).isEqualTo(1782);
    assertThat(mapping.unmapped())
        .hasSize(27)
        .allMatch(u -> u.group() == Group.MTP && u.layer().getAsInt() == 78);
    assertThat(mapping.unmapped("blk.78.attn_v_b.weight").orElseThrow().checkpointName())
        .isEqualTo("model.layers.78.self_attn.kv_b_proj.weight");
    assertThat(mapping.missing()).isEmpty();
    assertThat(mapping.shapeDifferences()).isEmpty();
    assertThat(mapping.parameterNames()).hasSize(59_079).doesNotHaveDuplicates();
    assertThat(map("GLM-5.1", Target.HF, MapOptions.WITH_MTP).parameterNames()).hasSize(59_870);
  }

  @Test
  void parametersAreFoundByTheirNames() throws IOException {
    Mapping mapping = map("GLM-5.1", Target.HF, MapOptions.DEFAULT);
    for (String name : mapping.parameterNames()) {
      assertThat(mapping.ofParameter(name).orElseThrow().parameters())
          .anyMatch(p -> p.names().contains(name));
      if (name.startsWith("model.layers.5.")) {
        break;
      }
    }
    assertThat(mapping.ofParameter("model.layers.3.mlp.experts.255.up_proj.weight"))
        .get()
        .isSameAs(
            mapping
                .ofParameter("model.layers.3.mlp.experts.{0..255}.up_proj.weight")
                .orElseThrow());
    assertThat(mapping.ofParameter("model.layers.3.mlp.experts.256.up_proj.weight")).isEmpty();
    assertThat(mapping.ofParameter("model.layers.3.mlp.experts.07.up_proj.weight")).isEmpty();
    assertThat(mapping.ofParameter("model.layers.78.enorm.weight")).isEmpty();
  }

  @Test
  void glm51HasTheModuleNamesOfTransformers() throws IOException {
    Map<String, String> names =
        MapHarness.names(Shared.require("data/hf-names/glm_moe_dsa.full-module.tsv"));
    Mapping mapping = map("GLM-5.1", Target.TRANSFORMERS, MapOptions.DEFAULT);
    assertThat(MapHarness.names(mapping, names)).isEmpty();
    assertThat(mapping.mappedCount()).isEqualTo(1782);
  }

  @Test
  void glm52HasNoIndexerOnSharedLayers() throws IOException {
    Map<String, String> names =
        MapHarness.names(Shared.require("data/hf-names/glm_moe_dsa.full-module.tsv"));
    Mapping mapping = map("GLM-5.2", Target.TRANSFORMERS, MapOptions.DEFAULT);
    assertThat(mapping.mappedCount()).isEqualTo(1497);
    assertThat(mapping.missing()).isEmpty();
    assertThat(MapHarness.names(mapping, names))
        .hasSize(285)
        .allMatch(line -> line.startsWith("not produced: ") && line.contains(".indexer."));
  }

  /// Some publishers have copied indexers into every layer of GLM-5.2.
  @Test
  void indexersOutsideTheScheduleAreSurplus() throws IOException {
    Path folder = Shared.require("data/tensor-tables");
    Mapping mapping =
        MAP.map(
            TensorTables.model(folder, "GLM-5.2").metadata(),
            TensorTables.model(folder, "GLM-5.1").tensors(),
            Target.HF,
            MapOptions.DEFAULT);
    assertThat(mapping.mappedCount()).isEqualTo(1497);
    assertThat(mapping.missing()).isEmpty();
    assertThat(mapping.unmapped())
        .filteredOn(u -> u.group() == Group.SURPLUS)
        .hasSize(285)
        .allMatch(u -> u.tensor().name().contains(".indexer."))
        .allMatch(u -> u.reason().contains("earlier layer"));
  }

  /// What the iterator of vLLM 0.23 yields for a file, for a model that has been taught the
  /// architecture. It differs in what it replaces in the middle of a name, and in the two halves of
  /// kv_b that it skips.
  @Test
  void namesForVllmAreThoseThatItsIteratorYields() throws IOException {
    Path file = Shared.require("data/engines/gguf/glm-dsa.gguf");
    Path yielded = Shared.require("data/engines/maps/yielded.patched-vllm-0.23.0.glm_moe_dsa.tsv");
    Set<String> names = new TreeSet<>();
    try (Gguf gguf = Gguf.open(file)) {
      for (MappedTensors entry : MAP.map(gguf, Target.VLLM).mapped()) {
        if (entry.transforms().contains(Transform.JOIN_KV_B)) {
          continue;
        }
        for (Parameter parameter : entry.parameters()) {
          // The stack of all experts goes under the number of the first.
          String replaced = parameter.globalReplace();
          names.add(replaced == null ? parameter.name(0) : replaced);
          if (parameter.companion(0) != null) {
            names.add(
                replaced == null
                    ? parameter.companion(0)
                    : parameter.checkpointName().replace("weight", "qweight_type"));
          }
        }
      }
    }
    Set<String> expected = new TreeSet<>();
    for (String line : Files.readAllLines(yielded)) {
      if (!line.startsWith("#")) {
        expected.add(line.substring(0, line.indexOf('\t')));
      }
    }
    assertThat(names).isEqualTo(expected);
  }
}
