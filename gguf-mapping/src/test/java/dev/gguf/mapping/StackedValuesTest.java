package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.fixture.Shared;
import dev.gguf.mapping.compare.NameComparison;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The values of parameters under the names of transformers, which stacks experts.
class StackedValuesTest {
  private static float[] all(Gguf gguf, Mapping mapping, String name) throws IOException {
    return ParameterValues.find(gguf, mapping, name).orElseThrow().all();
  }

  @Test
  void stackedExpertsAreGateThenUpOfEach() throws IOException {
    try (Gguf gguf = Gguf.open(Shared.testdata("glm-dsa-mini.gguf"))) {
      NameMap map = NameMap.forArchitecture("glm-dsa").orElseThrow();
      Mapping released = map.map(gguf, Target.HF);
      Mapping saved = map.map(gguf, Target.TRANSFORMERS);
      String experts = "model.layers.1.mlp.experts.";
      ParameterValues stacked =
          ParameterValues.find(gguf, saved, experts + "gate_up_proj").orElseThrow();
      assertThat(stacked.shape()).containsExactly(4, 64, 64);
      float[] values = stacked.all();
      int half = 32 * 64;
      for (int expert = 0; expert < 4; expert++) {
        int at = expert * 2 * half;
        assertThat(Arrays.copyOfRange(values, at, at + half))
            .isEqualTo(all(gguf, released, experts + expert + ".gate_proj.weight"));
        assertThat(Arrays.copyOfRange(values, at + half, at + 2 * half))
            .isEqualTo(all(gguf, released, experts + expert + ".up_proj.weight"));
      }
      float[] rows = new float[3 * 64];
      stacked.rows(63, 66, rows, 0);
      assertThat(rows).isEqualTo(Arrays.copyOfRange(values, 63 * 64, 66 * 64));
      for (String name : saved.parameterNames()) {
        assertThat(ParameterValues.find(gguf, saved, name)).as(name).isPresent();
      }
    }
  }

  @Test
  void aCheckpointSavedByTransformersIsTheSameModel() throws IOException {
    try (Gguf gguf = Gguf.open(Shared.testdata("glm-dsa-mini.gguf"))) {
      NameMap map = NameMap.forArchitecture("glm-dsa").orElseThrow();
      for (Target target : new Target[] {Target.HF, Target.TRANSFORMERS}) {
        Map<String, long[]> names = new LinkedHashMap<>();
        for (MappedTensors entry : map.map(gguf, target).mapped()) {
          for (Parameter parameter : entry.parameters()) {
            parameter.names().forEach(name -> names.put(name, parameter.shape()));
          }
        }
        NameComparison comparison = NameComparison.of(map, gguf.metadata(), gguf.tensors(), names);
        assertThat(comparison.left()).isEmpty();
        assertThat(comparison.shapes()).isEmpty();
        assertThat(comparison.common()).isEqualTo(names.size());
        List<String> findings =
            comparison.findings("it").stream()
                .map(f -> f.rule().id() + " " + f.severity().label())
                .toList();
        assertThat(findings)
            .isEqualTo(
                target == Target.HF
                    ? List.of("compare-extra info")
                    : List.of("index-spelling info", "compare-extra info"));
      }
    }
  }
}
