package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Layers and models of other kinds than the checkpoints that maps are held against.
final class LayerKindsTest {
  private static final String MLA =
      "embedding_length=64 feed_forward_length=96 vocab_size=50 attention.head_count=4"
          + " attention.kv_lora_rank=32 rope.dimension_count=8 expert_count=4"
          + " expert_feed_forward_length=16 expert_shared_count=2 leading_dense_block_count=1";

  private static Mapping map(String architecture, String keys, String... present) {
    return map(architecture, keys, Set.of(present), Target.HF);
  }

  private static Mapping map(String architecture, String keys, Set<String> present, Target target) {
    NameMap map = NameMap.forArchitecture(architecture).orElseThrow();
    Metadata metadata = SyntheticTable.metadata(architecture, keys);
    List<Tensor> tensors = SyntheticTable.of(map, metadata, present);
    return map.map(metadata, tensors, target, MapOptions.DEFAULT);
  }

  private static Mapping without(Mapping mapping, String keys, String... names) {
    List<Tensor> tensors = new ArrayList<>(mapping.tensors());
    tensors.removeIf(tensor -> Set.of(names).contains(tensor.name()));
    return NameMap.forArchitecture(mapping.architecture())
        .orElseThrow()
        .map(
            SyntheticTable.metadata(mapping.architecture(), keys),
            tensors,
            Target.HF,
            MapOptions.DEFAULT);
  }

  private static void complete(Mapping mapping) {
    assertThat(mapping.missing()).isEmpty();
    assertThat(mapping.unmapped()).isEmpty();
    assertThat(mapping.shapeDifferences()).isEmpty();
  }

  @Test
  void smallDeepseekModelsHaveOneMatrixForQueries() {
    Mapping mapping =
        map(
            "deepseek2",
            MLA
                + " block_count=2 attention.key_length_mla=24 attention.value_length_mla=16"
                + " expert_gating_func=1");
    complete(mapping);
    assertThat(mapping.parameterNames())
        .contains("model.layers.1.self_attn.q_proj.weight")
        .noneMatch(name -> name.contains("q_a_proj") || name.contains("correction_bias"));
    assertThat(mapping.modelTypes())
        .extracting(ModelType::modelType)
        .containsExactly("deepseek_v2");
  }

  @Test
  void undividedKeysAndValuesOfOldFilesAreTheParameterItself() {
    Mapping mapping =
        map(
            "deepseek2",
            MLA
                + " block_count=2 attention.key_length=24 attention.value_length=16"
                + " attention.q_lora_rank=12 expert_gating_func=2",
            "attn_kv_b.weight");
    complete(mapping);
    MappedTensors entry = mapping.ofTensor("blk.1.attn_kv_b.weight").orElseThrow();
    assertThat(entry.transform()).isEqualTo("none");
    assertThat(entry.parameters().getFirst().shape()).containsExactly(4 * (24 - 8 + 16), 32);
    assertThat(mapping.legacyNames()).hasSize(2);
    assertThat(mapping.modelTypes())
        .extracting(ModelType::modelType)
        .containsExactly("deepseek_v3", "kimi_k2", "glm4_moe_lite");
  }

  private static final String GEMMA4 =
      "block_count=4 embedding_length=64 feed_forward_length=96 vocab_size=50"
          + " attention.head_count=4 attention.head_count_kv=2,1,2,1 attention.key_length=32"
          + " attention.value_length=32 attention.key_length_swa=16 attention.value_length_swa=16"
          + " attention.sliding_window_pattern=true,false,true,false"
          + " embedding_length_per_layer_input=0";

  @Test
  void keysServeAsValuesOnFullLayersOnly() {
    Mapping mapping = map("gemma4", GEMMA4);
    complete(mapping);
    assertThat(mapping.shared())
        .extracting(SharedTensor::tensor)
        .containsExactly("output.weight", "blk.1.attn_v.weight", "blk.3.attn_v.weight");
    assertThat(without(mapping, GEMMA4, "blk.2.attn_v.weight").missing())
        .extracting(Missing::parameter)
        .containsExactly("model.layers.2.self_attn.v_proj.weight");
  }

  @Test
  void lastLayersUseTheKeysOfEarlierOnes() {
    String keys = GEMMA4 + " attention.shared_kv_layers=2";
    Mapping mapping = map("gemma4", keys, "attn_k.weight", "attn_k_norm.weight", "attn_v.weight");
    complete(mapping);
    assertThat(mapping.ofTensor("blk.3.attn_k.weight")).isPresent();
    complete(without(mapping, keys, "blk.3.attn_k.weight", "blk.3.attn_k_norm.weight"));
    Mapping modules =
        NameMap.forArchitecture("gemma4")
            .orElseThrow()
            .map(
                SyntheticTable.metadata("gemma4", keys),
                mapping.tensors(),
                Target.TRANSFORMERS,
                MapOptions.DEFAULT);
    assertThat(modules.unmapped("blk.3.attn_k.weight").orElseThrow())
        .extracting(Unmapped::group, Unmapped::reason)
        .containsExactly(Group.SURPLUS, "the layer uses the keys and values of an earlier one");
  }

  @Test
  void packedExpertsFeedBlocksAndScales() {
    Mapping mapping =
        map(
            "gpt-oss",
            "block_count=1 embedding_length=64 vocab_size=50 attention.head_count=4"
                + " attention.key_length=16 attention.value_length=16 expert_count=3"
                + " expert_feed_forward_length=96",
            "MXFP4");
    complete(mapping);
    MappedTensors entry = mapping.ofTensor("blk.0.ffn_up_exps.weight").orElseThrow();
    assertThat(entry.transform()).isEqualTo("join-rows+repack");
    assertThat(entry.parameters())
        .extracting(Parameter::name, parameter -> MapHarness.shape(parameter.shape()))
        .containsExactly(
            tuple("model.layers.0.mlp.experts.gate_up_proj_blocks", "3,192,2,16"),
            tuple("model.layers.0.mlp.experts.gate_up_proj_scales", "3,192,2"));
    assertThat(mapping.ofTensor("blk.0.ffn_down_exps.weight").orElseThrow().parameters())
        .extracting(Parameter::name, parameter -> MapHarness.shape(parameter.shape()))
        .containsExactly(
            tuple("model.layers.0.mlp.experts.down_proj_blocks", "3,64,3,16"),
            tuple("model.layers.0.mlp.experts.down_proj_scales", "3,64,3"));
  }

  @Test
  void rotatedRowsOfGlm4vBecomePairsAgain() {
    Mapping mapping =
        map(
            "glm4",
            "block_count=1 embedding_length=16 feed_forward_length=24 vocab_size=50"
                + " attention.head_count=2 attention.head_count_kv=1 rope.dimension_count=4"
                + " rope.dimension_sections=1,1,0,0");
    complete(mapping);
    MappedTensors entry = mapping.ofTensor("blk.0.attn_q.weight").orElseThrow();
    assertThat(entry.transform()).isEqualTo("reorder-heads");
    RowOrder order = entry.rows(0, 0).orElseThrow();
    assertThat(LongStream.range(0, order.count()).map(order::sourceRow))
        .containsExactly(0L, 2L, 1L, 3L, 4L, 5L, 6L, 7L, 8L, 10L, 9L, 11L, 12L, 13L, 14L, 15L);
    assertThat(mapping.modelTypes())
        .extracting(ModelType::modelType)
        .containsExactly("glm4v", "glm_ocr");
  }

  @Test
  void projectorsAreNamedByTheirType() {
    NameMap map = NameMap.forArchitecture("clip").orElseThrow();
    Metadata.Builder keys =
        Metadata.builder()
            .string("general.architecture", "clip")
            .uint32("clip.vision.block_count", 1)
            .uint32("clip.vision.embedding_length", 8)
            .uint32("clip.vision.patch_size", 2);
    Tensor frame = Tensor.of("v.patch_embd.weight", TensorType.F32, 2, 2, 3, 8);
    Tensor next = Tensor.of("v.patch_embd.weight.1", TensorType.F32, 2, 2, 3, 8);
    Mapping qwen =
        map.map(
            keys.string("clip.projector_type", "qwen2vl_merger").build(),
            List.of(frame, next),
            Target.HF,
            MapOptions.DEFAULT);
    MappedTensors entry = qwen.ofTensor("v.patch_embd.weight").orElseThrow();
    assertThat(entry.parameters().getFirst().name()).isEqualTo("visual.patch_embed.proj.weight");
    RowOrder order = entry.rows(0, 0).orElseThrow();
    assertThat(order.isElements()).isTrue();
    assertThat(List.of(order.source(3), order.source(4), order.source(8))).containsExactly(0, 1, 0);
    assertThat(List.of(order.sourceRow(3), order.sourceRow(4), order.sourceRow(8)))
        .containsExactly(3L, 0L, 4L);
    Mapping unknown =
        map.map(
            Metadata.builder().string("clip.projector_type", "of-tomorrow").build(),
            List.of(frame, Tensor.of("v.blk.0.attn_q.weight", TensorType.F32, 8, 8)),
            Target.HF,
            MapOptions.DEFAULT);
    assertThat(unknown.missing()).isEmpty();
    assertThat(unknown.unmapped())
        .allMatch(
            tensor -> tensor.reason().equals("no names are known for this type of projector"));
  }
}
