package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.TensorType;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MapCommandTest {
  @TempDir private Path folder;

  @Test
  void showsTheNamesInBothDirections() {
    Run run = Run.gguf("map", Run.MINI);

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith(
            """
            ../testdata/glm-dsa-mini.gguf: glm-dsa to hf, the names of the checkpoint
              94 tensors: 67 mapped, 27 not
            """)
        .contains(
            "\n  blk.0.attn_k_b.weight + blk.0.attn_v_b.weight"
                + "  model.layers.0.self_attn.kv_b_proj.weight")
        .contains("  model.layers.1.mlp.experts.{0..3}.gate_proj.weight")
        .contains(
            "\nnot mapped, mtp: the layer is for multi-token prediction;"
                + " the main model has layers 0 to 2\n"
                + "  tensor                               name in the checkpoint\n")
        .contains("\n  blk.3.nextn.eh_proj.weight           model.layers.3.eh_proj.weight\n");
  }

  @Test
  void foldsLayers() {
    String out = Run.gguf("map", Run.MINI, "--patterns").out();

    assertThat(out)
        .contains("\n  blk.{0..2}.attn_norm.weight ")
        .contains(
            "\n  blk.{0..2}.attn_k_b.weight + blk.{0..2}.attn_v_b.weight"
                + "  model.layers.{0..2}.self_attn.kv_b_proj.weight")
        .contains("\n  blk.0.ffn_gate.weight ")
        .contains("  model.layers.{1,2}.mlp.experts.{0..3}.gate_proj.weight".replace(",", ".."));
  }

  @Test
  @SuppressWarnings("unchecked")
  void writesTheDocument() {
    Map<String, Object> document =
        Run.gguf("map", Run.MINI, "--to", "vllm", "--format", "json").json();

    assertThat(document.keySet())
        .containsExactly(
            "schema",
            "path",
            "architecture",
            "target",
            "summary",
            "mapped",
            "unmapped",
            "missing",
            "shared",
            "checkpoint",
            "findings");
    assertThat(document).containsEntry("schema", "gguf/map/1").containsEntry("target", "vllm");
    assertThat(document.get("summary"))
        .hasToString("{tensors=94, mapped=67, unmapped=27, missing=0}");
    List<Map<String, Object>> mapped = (List<Map<String, Object>>) document.get("mapped");
    assertThat(mapped.stream().map(Object::toString))
        .contains(
            "{sources=[blk.0.attn_k_b.weight, blk.0.attn_v_b.weight],"
                + " parameters=[model.layers.0.self_attn.kv_b_proj.weight],"
                + " companions=[], transform=join-kv-b, shape=[256, 64],"
                + " globalReplace=null, module=null}",
            "{sources=[blk.0.indexer.attn_k.weight],"
                + " parameters=[model.layers.0.self_attn.indexer.wk.qweight],"
                + " companions=[model.layers.0.self_attn.indexer.wk.qweight_type],"
                + " transform=none, shape=[32, 64], globalReplace=null,"
                + " module=model.layers.0.self_attn.indexer.wk_weights_proj}");
    List<Map<String, Object>> unmapped = (List<Map<String, Object>>) document.get("unmapped");
    assertThat(unmapped).hasSize(27);
    assertThat(unmapped.getFirst().keySet())
        .containsExactly("tensor", "layer", "group", "reason", "checkpointName");
  }

  @Test
  void writesOutExperts() {
    String folded = Run.gguf("map", Run.MINI, "--format", "json").out();
    String whole = Run.gguf("map", Run.MINI, "--format", "json", "--expand").out();

    assertThat(folded)
        .contains("[\"model.layers.1.mlp.experts.{0..3}.up_proj.weight\"]")
        .doesNotContain("experts.1.up_proj");
    assertThat(whole)
        .contains(
            "[\"model.layers.1.mlp.experts.0.up_proj.weight\","
                + "\"model.layers.1.mlp.experts.1.up_proj.weight\","
                + "\"model.layers.1.mlp.experts.2.up_proj.weight\","
                + "\"model.layers.1.mlp.experts.3.up_proj.weight\"]");
  }

  @Test
  void mapsTheMtpLayerWhenAsked() {
    assertThat(Run.gguf("map", Run.MINI, "--mtp").out())
        .contains("\n  94 tensors: 94 mapped\n")
        .doesNotContain("not mapped");
  }

  @Test
  void refusesWhatTransformersHasNot() {
    Run run = Run.gguf("map", Run.MINI, "--to", "transformers", "--mtp");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("gguf: --mtp: transformers has no layers for multi-token prediction\n");
    assertThat(Run.gguf("map", Run.MINI, "--to", "exllama").err())
        .isEqualTo("gguf: --to exllama: expected one of hf, transformers, vllm, vllm-plugin\n");
  }

  @Test
  void hasNoSummaryWithoutAMap() throws IOException {
    Path file = folder.resolve("flux.gguf");
    GgufWriter.of(Metadata.builder().string("general.architecture", "flux").build()).write(file);

    Map<String, Object> document = Run.gguf("map", file.toString(), "--format", "json").json();

    assertThat(document)
        .containsEntry("summary", null)
        .containsEntry("mapped", List.of())
        .containsEntry("unmapped", List.of())
        .containsEntry("missing", List.of());
    assertThat(Run.gguf("map", file.toString()).out())
        .startsWith(file + ": there is no map for flux\n");
  }

  @Test
  void namesTheParametersOfAProjector() throws IOException {
    Path file = folder.resolve("mmproj.gguf");
    GgufWriter.of(
            Metadata.builder()
                .string("general.architecture", "clip")
                .string("clip.projector_type", "gemma3")
                .uint32("clip.vision.block_count", 0)
                .build())
        .sparse("mm.input_projection.weight", TensorType.F32, 8, 8)
        .sparse("mm.soft_emb_norm.weight", TensorType.F32, 8)
        .write(file);

    assertThat(Run.gguf("map", file.toString()).out())
        .contains("multi_modal_projector.mm_input_projection_weight")
        .contains("multi_modal_projector.mm_soft_emb_norm.weight")
        .contains("minus-one");
  }
}
