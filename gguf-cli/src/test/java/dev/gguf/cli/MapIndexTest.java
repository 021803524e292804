package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.TensorType;
import dev.gguf.mapping.testing.TestCheckpoint;
import dev.gguf.mapping.testing.TestModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `gguf map` beside a checkpoint.
class MapIndexTest {
  @TempDir private Path folder;
  private String file = "";

  @BeforeEach
  void write() throws IOException {
    file =
        TestModel.of("llama")
            .key(".block_count", 1)
            .key(".embedding_length", 4)
            .tensor("token_embd.weight", TensorType.F32, new float[12], 4, 3)
            .tensor("output.weight", TensorType.F32, new float[12], 4, 3)
            .tensor("output_norm.weight", TensorType.F32, new float[4], 4)
            .tensor("blk.0.attn_norm.weight", TensorType.F32, new float[4], 4)
            .write(folder)
            .toString();
  }

  private Map<?, ?> checkpoint(Run run) {
    return (Map<?, ?>) run.json().get("checkpoint");
  }

  @Test
  void comparesNamesBothWaysWithAnIndex() throws IOException {
    Path index = folder.resolve("other.index.json");
    Files.writeString(
        index,
        """
        {"weight_map": {"model.language_model.embed_tokens.weight": "a.safetensors",
                        "model.language_model.norm.weight": "a.safetensors",
                        "model.language_model.layers.0.input_layernorm.weight": "a.safetensors",
                        "model.language_model.layers.0.self_attn.extra.weight": "a.safetensors",
                        "model.language_model.layers.7.input_layernorm.weight": "a.safetensors"}}
        """);
    Run run = Run.gguf("map", file, "--index", index.toString(), "--format", "json");

    assertThat(checkpoint(run).get("common")).isEqualTo(3);
    assertThat(Run.gguf("map", file, "--index", index.toString()).out())
        .endsWith(
            "beside "
                + index
                + ": 3 parameters on both sides, 1 in the file only, 2 in the checkpoint only, 0 of"
                + " another shape\n");
    assertThat(checkpoint(run).get("onlyInFile")).isEqualTo(List.of("lm_head.weight"));
    assertThat((List<?>) checkpoint(run).get("onlyInCheckpoint")).hasSize(2);
    assertThat(run.out())
        .contains("index-spelling")
        .contains("model.language_model. in place of model. at their start")
        .contains(
            "that no tensor feeds, first model.language_model.layers.0.self_attn.extra.weight");
  }

  @Test
  void comparesShapesWhereTheWeightsAreThere() throws IOException {
    TestCheckpoint.create()
        .f32("model.embed_tokens.weight", new float[12], 3, 4)
        .f32("lm_head.weight", new float[12], 3, 4)
        .f32("model.norm.weight", new float[5], 5)
        .f32("model.layers.0.input_layernorm.weight", new float[4], 4)
        .write(folder);
    Run beside = Run.gguf("map", file, "--format", "json");

    assertThat(beside.err()).isEqualTo("using " + folder.resolve("model.safetensors") + "\n");
    assertThat(beside.status()).isEqualTo(1);
    assertThat(checkpoint(beside).get("common")).isEqualTo(4);
    assertThat((List<?>) checkpoint(beside).get("shapes")).hasSize(1);
    assertThat(beside.out())
        .contains("model.norm.weight is [4] by the file and [5] in the checkpoint");

    Files.writeString(folder.resolve("model.safetensors"), "broken");
    Run passed = Run.gguf("map", file, "--format", "json");
    assertThat(passed.err()).startsWith("passing over ").hasLineCount(1);
    assertThat(passed.json().get("checkpoint")).isNull();
    assertThat(Run.gguf("map", file, "--index", folder.toString()).status()).isEqualTo(1);
    assertThat(Run.gguf("map", file, "--index", folder + "/none").status()).isEqualTo(2);
  }
}
