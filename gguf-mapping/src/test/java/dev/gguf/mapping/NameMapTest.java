package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.mapping.internal.MapParser;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NameMapTest {
  private static final String KEYS =
      "embedding_length=64 feed_forward_length=96 vocab_size=100 attention.head_count=4"
          + " attention.key_length_mla=24 attention.value_length_mla=16 attention.q_lora_rank=32"
          + " attention.kv_lora_rank=16 rope.dimension_count=8 leading_dense_block_count=3"
          + " expert_count=8 expert_feed_forward_length=32 attention.indexer.head_count=2"
          + " attention.indexer.key_length=16 block_count=";

  @Test
  void onlyTheFileOfTheArchitectureIsRead() {
    List<String> read = new ArrayList<>();
    assertThat(
            MapParser.parse(
                "glm-dsa",
                name -> {
                  read.add(name);
                  return NameMap.text(name);
                }))
        .isNotNull();
    assertThat(read).containsExactly("glm-dsa");
  }

  @Test
  void namesOfArchitecturesAreNoPaths() {
    assertThat(NameMap.forArchitecture("no-such-thing")).isEmpty();
    assertThat(NameMap.forArchitecture("")).isEmpty();
    assertThat(NameMap.forArchitecture("../maps/llama")).isEmpty();
    assertThat(NameMap.forArchitecture("llama\0")).isEmpty();
    assertThat(NameMap.forArchitecture("Llama")).isEmpty();
    assertThat(NameMap.forArchitecture("llama"))
        .get()
        .isSameAs(NameMap.forArchitecture("llama").orElseThrow());
  }

  @Test
  void memoryGrowsWithTheNumberOfLayersAndNotWithItsSquare() {
    assertThat((double) bytesOfMapping(1600) / bytesOfMapping(100))
        .as("bytes allocated for 1,600 layers by those for 100: 16 if linear, 256 if quadratic")
        .isBetween(10.0, 20.0);
  }

  private static long bytesOfMapping(int layers) {
    NameMap map = NameMap.forArchitecture("glm-dsa").orElseThrow();
    Metadata metadata = SyntheticTable.metadata("glm-dsa", KEYS + layers);
    List<Tensor> tensors = SyntheticTable.of(map, metadata, Set.of("output.weight"));
    assertThat(tensors).hasSize(3 + 3 * 18 + (layers - 3) * 23);
    map.map(metadata, tensors, Target.HF, MapOptions.DEFAULT);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    Mapping mapping = map.map(metadata, tensors, Target.HF, MapOptions.DEFAULT);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(mapping.mappedCount()).isEqualTo(tensors.size());
    return bytes;
  }

  @Test
  void theNamesOfVllmEndInQweight() {
    NameMap map = NameMap.forArchitecture("glm-dsa").orElseThrow();
    Metadata metadata = SyntheticTable.metadata("glm-dsa", KEYS + 4);
    List<Tensor> tensors = new ArrayList<>();
    for (Tensor tensor : SyntheticTable.of(map, metadata, Set.of("output.weight"))) {
      TensorType type = tensor.name().contains("norm") ? TensorType.F32 : TensorType.Q8_0;
      tensors.add(Tensor.of(tensor.name(), type, tensor.ne()));
    }
    Mapping vllm = map.map(metadata, tensors, Target.VLLM, MapOptions.DEFAULT);
    Parameter proj = parameter(vllm, "blk.3.indexer.proj.weight");
    assertThat(proj.name()).isEqualTo("model.layers.3.self_attn.indexer.weights_proj.qweight");
    assertThat(proj.companion())
        .isEqualTo("model.layers.3.self_attn.indexer.weights_proj.qweight_type");
    assertThat(proj.globalReplace())
        .isEqualTo("model.layers.3.self_attn.indexer.qweights_proj.qweight");
    assertThat(proj.module()).isEqualTo("model.layers.3.self_attn.indexer.wk_weights_proj");
    Parameter experts = parameter(vllm, "blk.3.ffn_gate_exps.weight");
    assertThat(experts.name()).isEqualTo("model.layers.3.mlp.experts.{0..7}.gate_proj.qweight");
    assertThat(experts.companion())
        .isEqualTo("model.layers.3.mlp.experts.{0..7}.gate_proj.qweight_type");
    assertThat(experts.module()).isEqualTo("model.layers.3.mlp.experts.w13_qweight");
    Parameter norm = parameter(vllm, "blk.3.attn_norm.weight");
    assertThat(norm.name()).isEqualTo("model.layers.3.input_layernorm.weight");
    assertThat(norm.companion()).isNull();
    Parameter joined = parameter(vllm, "blk.3.attn_k_b.weight");
    assertThat(joined.name())
        .as("what has to be decoded is a float parameter")
        .isEqualTo("model.layers.3.self_attn.kv_b_proj.weight");
    Mapping plugin = map.map(metadata, tensors, Target.VLLM_PLUGIN, MapOptions.DEFAULT);
    proj = parameter(plugin, "blk.3.indexer.proj.weight");
    assertThat(proj.name()).isEqualTo("model.layers.3.self_attn.indexer.weights_proj.weight");
    assertThat(proj.companion())
        .isEqualTo("model.layers.3.self_attn.indexer.weights_proj.weight_type");
    assertThat(proj.globalReplace())
        .isEqualTo("model.layers.3.self_attn.indexer.weight_types_proj.weight_type");
  }

  private static Parameter parameter(Mapping mapping, String tensor) {
    return mapping.ofTensor(tensor).orElseThrow().parameters().getFirst();
  }

  @Test
  void mergedGateAndUpAreTakenApart() {
    NameMap map = NameMap.forArchitecture("glm-dsa").orElseThrow();
    Metadata metadata = SyntheticTable.metadata("glm-dsa", KEYS + 4);
    List<Tensor> tensors =
        SyntheticTable.of(map, metadata, Set.of("output.weight", "ffn_gate_up_exps.weight"));
    Mapping mapping = map.map(metadata, tensors, Target.HF, MapOptions.DEFAULT);
    assertThat(mapping.isComplete()).isTrue();
    assertThat(mapping.legacyNames()).hasSize(1);
    MappedTensors entry = mapping.ofTensor("blk.3.ffn_gate_up_exps.weight").orElseThrow();
    assertThat(entry.transform()).isEqualTo("split-experts+split-rows");
    assertThat(entry.parameters())
        .hasToString(
            "[model.layers.3.mlp.experts.{0..7}.gate_proj.weight,"
                + " model.layers.3.mlp.experts.{0..7}.up_proj.weight]");
    assertThat(entry.shape()).containsExactly(32, 64);
    RowOrder up = entry.rows(1, 2).orElseThrow();
    assertThat(up.count()).isEqualTo(32);
    assertThat(up.sourceRow(5))
        .as("expert 2, behind its 32 rows of gate")
        .isEqualTo(2 * 64 + 32 + 5);
    MappedTensors fused =
        map.map(metadata, tensors, Target.TRANSFORMERS, MapOptions.DEFAULT)
            .ofTensor("blk.3.ffn_gate_up_exps.weight")
            .orElseThrow();
    assertThat(fused.parameters()).hasToString("[model.layers.3.mlp.experts.gate_up_proj]");
    assertThat(fused.shape()).containsExactly(8, 64, 64);
  }

  @Test
  void layersForMultiTokenPredictionKeepTheirCheckpointNames() {
    NameMap map = NameMap.forArchitecture("glm-dsa").orElseThrow();
    Metadata metadata = SyntheticTable.metadata("glm-dsa", KEYS + "5 nextn_predict_layers=1");
    List<Tensor> tensors = SyntheticTable.of(map, metadata, Set.of("output.weight"));
    Mapping mapping = map.map(metadata, tensors, Target.TRANSFORMERS, MapOptions.DEFAULT);
    assertThat(mapping.unmapped("blk.4.ffn_up_exps.weight").orElseThrow().checkpointName())
        .isEqualTo("model.layers.4.mlp.experts.{0..7}.up_proj.weight");
    Mapping vllm = map.map(metadata, tensors, Target.VLLM, MapOptions.WITH_MTP);
    assertThat(parameter(vllm, "blk.4.attn_q_a.weight").module())
        .isEqualTo("model.layers.4.mtp_block.self_attn.fused_qkv_a_proj");
  }

  @Test
  void onlyTheEndOfANameIsRenamed() {
    String s = "model.layers.5.self_attn.indexer.weights_proj.weight";
    assertThat(QuantizedNames.of(s))
        .isEqualTo(
            new QuantizedNames(
                "model.layers.5.self_attn.indexer.weights_proj.qweight",
                "model.layers.5.self_attn.indexer.weights_proj.qweight_type"));
    assertThat(QuantizedNames.globalReplace(s))
        .isEqualTo("model.layers.5.self_attn.indexer.qweights_proj.qweight");
    assertThat(QuantizedNames.of("x.mlp.gate.e_score_correction_bias"))
        .isEqualTo(new QuantizedNames("x.mlp.gate.e_score_correction_bias", null));
    assertThat(QuantizedNames.of("x.experts.w13_weight"))
        .isEqualTo(new QuantizedNames("x.experts.w13_qweight", "x.experts.w13_qweight_type"));
    assertThat(QuantizedNames.of("x.experts.w2_weight").data()).isEqualTo("x.experts.w2_qweight");
    for (String other :
        List.of(
            "multi_modal_projector.mm_input_projection_weight",
            "in_proj_weight",
            "weight_g",
            "embed_positions.weights",
            "v.patch_embd.weight.1",
            "x.new_w2_weight",
            "A_log")) {
      assertThat(QuantizedNames.of(other)).isEqualTo(new QuantizedNames(other, null));
    }
    assertThat(QuantizedNames.of(s, Target.VLLM_PLUGIN))
        .isEqualTo(new QuantizedNames(s, s + "_type"));
    assertThat(QuantizedNames.of(s, Target.HF)).isEqualTo(new QuantizedNames(s, null));
  }
}
