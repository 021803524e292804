package dev.gguf.mapping.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.FileKind;
import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import dev.gguf.fixture.GlmDsa;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules that need a map, on a small model of one dense, two MoE and one MTP layer.
class MappingRulesTest {
  private static final GlmDsa MINI = GlmDsa.mini();
  private static final String MTP =
      "info tensor-mtp blk.3.attn_norm.weight: 27 tensors of blk.3 are the MTP layer, which the"
          + " main model skips: ";

  @TempDir Path folder;

  private String say(Metadata metadata, List<Tensor> tensors) throws IOException {
    Path path = folder.resolve("model.gguf");
    MINI.writer(metadata, tensors).write(path);
    ModelReport report = ModelCheck.check(path, CheckOptions.DEFAULT);
    List<dev.gguf.Finding> mine = new ArrayList<>();
    report.findings().stream()
        .filter(finding ->
            finding.rule() instanceof ModelRule
                && finding.rule() != ModelRule.FILE_TYPE
                && finding.rule() != ModelRule.KIND
                && finding.rule() != ModelRule.TYPE_UNUSUAL)
        .forEach(mine::add);
    return Said.lines(mine);
  }

  private static List<Tensor> without(Predicate<String> name) {
    return MINI.tensors().stream().filter(tensor -> !name.test(tensor.name())).toList();
  }

  private static List<Tensor> with(Tensor... more) {
    List<Tensor> tensors = new ArrayList<>(MINI.tensors());
    tensors.addAll(List.of(more));
    return tensors;
  }

  private static List<Tensor> renamed(String from, String to) {
    return MINI.tensors().stream()
        .map(tensor ->
            tensor.name().contains(from)
                ? Tensor.of(tensor.name().replace(from, to), tensor.type(), tensor.ne())
                : tensor)
        .toList();
  }

  @Test
  void aWholeModelIsTold() throws IOException {
    String said = say(MINI.metadata(), MINI.tensors());
    assertThat(said)
        .startsWith(MTP)
        .contains("; all " + (MINI.tensors().size() - 27) + " others are mapped")
        .doesNotContainPattern("missing|unmapped|invalid|unknown|truncated|error|warning")
        .contains(
            "info tensor-shared blk.3.nextn.embed_tokens.weight: blk.3.nextn.embed_tokens.weight is"
                + " left out: the layer uses token_embd.weight");
  }

  @Test
  void theFullSizeModelIsToldInOneSentence() throws IOException {
    Path path = folder.resolve("full.gguf");
    GlmDsa.fullSize().write(path);
    ModelReport report = ModelCheck.check(path, CheckOptions.DEFAULT);
    assertThat(report.findings())
        .filteredOn(finding -> finding.rule() == ModelRule.TENSOR_MTP)
        .singleElement()
        .satisfies(finding ->
            assertThat(finding.message())
                .startsWith("27 tensors of blk.78 are the MTP layer, which the main model skips")
                .contains("6.01 GiB of 425.1 GiB")
                .endsWith("; all 1782 others are mapped"));
    assertThat(report.verdict()).isEqualTo("info");
    assertThat(report.mapping().orElseThrow().mappedCount()).isEqualTo(1782);
  }

  @Test
  void aHalfOfKvBIsMissed() throws IOException {
    assertThat(say(MINI.metadata(), without("blk.1.attn_k_b.weight"::equals)))
        .contains(
            "error parameter-missing model.layers.1.self_attn.kv_b_proj.weight:"
                + " model.layers.1.self_attn.kv_b_proj.weight is missing: blk.1.attn_k_b.weight is"
                + " absent")
        .contains(
            "info tensor-surplus blk.1.attn_v_b.weight: 1 tensor that the target does not use:"
                + " blk.1.attn_v_b.weight: it feeds its parameter only together with"
                + " blk.1.attn_k_b.weight, absent here");
  }

  @Test
  void theSameTensorOfManyBlocksIsToldOnce() throws IOException {
    assertThat(say(MINI.metadata(), without(name -> name.endsWith(".attn_norm.weight"))))
        .startsWith(
            "error parameter-missing model.layers.0.input_layernorm.weight: 3 parameters of blocks"
                + " 0-2 are missing, first model.layers.0.input_layernorm.weight:"
                + " blk.0.attn_norm.weight is absent\n");
  }

  @Test
  void blocksThatAreNotThereAreToldTogether() throws IOException {
    String said = say(MINI.metadata(), without(name -> name.matches("blk\\.[12]\\..*")));
    assertThat(said)
        .contains(
            "error blocks-absent blk.1: blocks 1-2 have 0 of 23 tensors each; glm-dsa.block_count"
                + " promises 4 blocks")
        .doesNotContain("parameter-missing");
    Metadata large = MINI.metadata().toBuilder().uint32("glm-dsa.block_count", 100_001).build();
    assertThat(say(large, MINI.tensors()))
        .contains("error blocks-absent blk.4: blocks 4-99999 have 0 of 23 tensors each");
  }

  @Test
  void anMtpLayerThatOnlyTheKeysKnowIsAnError() throws IOException {
    assertThat(say(MINI.metadata(), without(name -> name.startsWith("blk.3."))))
        .isEqualTo(
            "error mtp-empty glm-dsa.nextn_predict_layers: glm-dsa.nextn_predict_layers is 1 and"
                + " glm-dsa.block_count is 4, but block 3, for multi-token prediction, has no"
                + " tensor; the 3 blocks of the main model are complete");
  }

  @Test
  void anMtpLayerThatCannotBeLoadedIsDoubtful() throws IOException {
    assertThat(say(MINI.metadata(), without("blk.3.attn_k_b.weight"::equals)))
        .startsWith(
            "warning blocks-absent blk.3: 1 tensor of the MTP layers is absent, first"
                + " blk.3.attn_k_b.weight; engines that use these layers refuse the file");
    assertThat(say(MINI.metadata(), without("blk.3.nextn.shared_head_norm.weight"::equals)))
        .doesNotContain("blocks-absent");
  }

  @Test
  void theMtpLayerAloneMissesNoTrunk() throws IOException {
    assertThat(say(MINI.metadata(), without(name -> name.matches("blk\\.[012]\\..*"))))
        .startsWith(MTP)
        .contains("; all 3 others are mapped")
        .doesNotContain("error");
  }

  @Test
  void tensorsBehindTheLastBlockAreDoubtful() throws IOException {
    assertThat(say(MINI.metadata(), with(Tensor.of("blk.4.attn_norm.weight", TensorType.F32, 64))))
        .contains(
            "warning block-outside blk.4.attn_norm.weight: 1 tensor lies in blocks at or above"
                + " glm-dsa.block_count 4, first blk.4.attn_norm.weight");
  }

  @Test
  void dimensionsFollowFromTheKeys() throws IOException {
    List<Tensor> tensors = new ArrayList<>();
    for (Tensor tensor : MINI.tensors()) {
      long[] ne = tensor.ne();
      tensors.add(
          tensor.name().equals("blk.0.attn_k_b.weight")
              ? Tensor.of(tensor.name(), tensor.type(), ne[1], ne[0], ne[2])
              : tensor);
    }
    assertThat(say(MINI.metadata(), tensors))
        .startsWith("error shape blk.0.attn_k_b.weight: blk.0.attn_k_b.weight has the dimensions [")
        .contains("], the keys of the model say [");
  }

  @Test
  void scalesAreCompanionsOfOneNumberOrOneForEachExpert() throws IOException {
    String said =
        say(
            MINI.metadata(),
            with(
                Tensor.of("blk.1.ffn_up_exps.scale", TensorType.F32, 3),
                Tensor.of("blk.3.nextn.eh_proj.input_scale", TensorType.F32, 1)));
    assertThat(said)
        .contains("info tensor-companion blk.1.ffn_up_exps.scale: 2 tensors are scales of weights")
        .contains("error shape blk.1.ffn_up_exps.scale: blk.1.ffn_up_exps.scale has 3 elements")
        .doesNotContain("tensor-unknown");
  }

  @Test
  void olderNamesAreToldWithTheirFinalOnes() throws IOException {
    assertThat(say(MINI.metadata(), renamed("exp_probs_b.bias", "exp_probs_b")))
        .contains(
            "info name-legacy blk.1.exp_probs_b: 3 tensors have older names: blk.1.exp_probs_b and"
                + " 2 like it (now blk.1.exp_probs_b.bias)")
        .doesNotContain("error");
    assertThat(say(MINI.metadata(), renamed(".nextn.eh_proj.weight", ".eh_proj")))
        .contains(
            "warning name-legacy blk.3.eh_proj: 1 tensor has an older name: blk.3.eh_proj (now"
                + " blk.3.nextn.eh_proj.weight)")
        .contains(
            "; 65 of the 66 others are mapped"
                .replace("65", "" + (MINI.tensors().size() - 27))
                .replace("66", "" + (MINI.tensors().size() - 26)));
    assertThat(
            say(MINI.metadata(), with(Tensor.of("blk.0.attn_rot_embd.weight", TensorType.F32, 8))))
        .contains("warning name-legacy blk.0.attn_rot_embd.weight");
  }

  @Test
  void whatIsKnownAndUselessIsNoFault() throws IOException {
    assertThat(
            say(
                MINI.metadata(),
                with(
                    Tensor.of("rope_freqs.weight", TensorType.F32, 8),
                    Tensor.of("blk.0.exp_probs_b.bias", TensorType.F32, 4),
                    Tensor.of("v.blk.0.attn_q.weight", TensorType.F32, 4),
                    Tensor.of("blk.0.nonsense.weight", TensorType.F32, 4))))
        .contains(
            "info tensor-no-counterpart rope_freqs.weight: 1 tensor without a parameter of its own:"
                + " rope_freqs.weight: engines compute")
        .contains(
            "info tensor-surplus blk.0.exp_probs_b.bias: 1 tensor that the target does not use:"
                + " blk.0.exp_probs_b.bias: the layer is dense, it has no experts")
        .contains("warning tensor-multimodal v.blk.0.attn_q.weight: 1 tensor for images or sound")
        .contains(
            "warning tensor-unknown blk.0.nonsense.weight: 1 tensor that no rule of glm-dsa knows:"
                + " blk.0.nonsense.weight");
  }

  @Test
  void keysWithoutWhichLoadersRefuseAreNamed() throws IOException {
    Metadata metadata =
        MINI.metadata().toBuilder().remove("glm-dsa.attention.key_length_mla").build();
    assertThat(say(metadata, MINI.tensors()))
        .startsWith(
            "error key-required glm-dsa.attention.key_length_mla: glm-dsa.attention.key_length_mla"
                + " is absent: the size of a head's keys; without it loaders say that the model"
                + " requires MLA");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "context_length",
        "attention.layer_norm_rms_epsilon",
        "attention.indexer.head_count",
        "attention.indexer.key_length",
        "attention.indexer.top_k",
        "expert_used_count",
        "expert_shared_count",
        "expert_feed_forward_length"
      })
  void everyKeyThatTheReferenceLoaderReadsIsRequired(String own) throws IOException {
    Metadata metadata = MINI.metadata().toBuilder().remove("glm-dsa." + own).build();
    assertThat(say(metadata, MINI.tensors()))
        .contains("error key-required glm-dsa." + own + ": glm-dsa." + own + " is absent: ");
  }

  @Test
  void aModelWithoutATrunkByItsKeysIsNoHead() throws IOException {
    Metadata metadata =
        MINI.metadata().toBuilder().uint32("glm-dsa.nextn_predict_layers", 4).build();
    assertThat(say(metadata, MINI.tensors())).contains("error value-range");
    try (Gguf gguf = Gguf.open(folder.resolve("model.gguf"))) {
      assertThat(gguf.kind()).isEqualTo(FileKind.MODEL);
    }
  }

  @Test
  void aLayerBehindTheEndOfAnArrayHasNoShapeToJudge() throws IOException {
    String key = "glm-dsa.attention.head_count";
    long heads = MINI.metadata().integer(key);
    Metadata.Builder metadata = MINI.metadata().toBuilder().remove(key);
    assertThat(say(metadata.integers(key, ValueType.UINT32, heads, heads).build(), MINI.tensors()))
        .doesNotContain("error shape");
    metadata.remove(key);
    assertThat(
            say(metadata.integers(key, ValueType.UINT32, 2 * heads, heads).build(), MINI.tensors()))
        .contains("error shape blk.0.");
  }

  @Test
  void expertsAreUsed() throws IOException {
    Metadata metadata = MINI.metadata().toBuilder().uint32("glm-dsa.expert_used_count", 0).build();
    assertThat(say(metadata, MINI.tensors()))
        .contains("glm-dsa.expert_used_count is 0 in a model of")
        .contains("experts, it must be above 0");
  }
}
