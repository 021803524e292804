package dev.gguf.mapping.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.ValueType;
import dev.gguf.fixture.Llama;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KindRulesTest {
  @TempDir Path folder;

  private String say(GgufWriter writer) throws IOException {
    return Said.about(folder, writer);
  }

  private static GgufWriter adapter() {
    return GgufWriter.of(
        Metadata.builder()
            .string("general.type", "adapter")
            .string("general.architecture", "llama")
            .string("adapter.type", "lora")
            .float32("adapter.lora.alpha", 16)
            .build());
  }

  @Test
  void anAdapterIsSaidToBeOne() throws IOException {
    GgufWriter writer = Llama.tensor(adapter(), "blk.0.attn_q.weight.lora_a", 64, 8);
    assertThat(say(Llama.tensor(writer, "blk.0.attn_q.weight.lora_b", 8, 64)))
        .isEqualTo(
            "info kind: a LoRA adapter for a llama model, 2 tensors: it is loaded beside its base"
                + " model");
  }

  @Test
  void theHalvesOfAnAdapterFitEachOther() throws IOException {
    GgufWriter alone = Llama.tensor(adapter(), "rope_freqs.weight", 16);
    assertThat(say(alone))
        .contains(
            "error adapter-partner rope_freqs.weight: 1 tensor without the other half .lora_a or"
                + " .lora_b, first rope_freqs.weight");
    GgufWriter ranks = Llama.tensor(adapter(), "blk.0.attn_q.weight.lora_a", 64, 8);
    assertThat(say(Llama.tensor(ranks, "blk.0.attn_q.weight.lora_b", 4, 64)))
        .contains(
            "error adapter-rank blk.0.attn_q.weight.lora_a: 1 pair of halves with different ranks,"
                + " first blk.0.attn_q.weight.lora_a has rank 8, blk.0.attn_q.weight.lora_b has 4");
    assertThat(say(Llama.tensor(adapter(), "blk.0.attn_norm.weight", 16)))
        .doesNotContain("adapter-partner");
  }

  @Test
  void aProjectorSaysItsType() throws IOException {
    Metadata.Builder metadata =
        Metadata.builder().string("general.architecture", "clip").string("general.type", "mmproj");
    GgufWriter without = GgufWriter.of(metadata.build());
    assertThat(say(Llama.tensor(without, "mm.0.weight", 32, 64)))
        .startsWith("info kind: a projector for images or sound: it is loaded beside")
        .contains("warning projector-type clip.projector_type");
    GgufWriter with = GgufWriter.of(metadata.string("clip.projector_type", "gemma3").build());
    assertThat(say(Llama.tensor(with, "mm.0.weight", 32, 64)))
        .isEqualTo(
            "info kind: a projector for images or sound of type gemma3: it is loaded beside its"
                + " language model (--mmproj)");
  }

  @Test
  void vocabulariesAndImportanceMatricesNeedNoTensorsOfAModel() throws IOException {
    assertThat(say(GgufWriter.of(Llama.metadata().build())))
        .isEqualTo(
            "info kind: a vocabulary alone: 16 tokens and no tensors, as made for tests of"
                + " tokenizers");
    GgufWriter imatrix =
        GgufWriter.of(
            Metadata.builder()
                .string("general.type", "imatrix")
                .strings("imatrix.datasets", List.of("wiki"))
                .build());
    assertThat(say(Llama.tensor(imatrix, "blk.0.attn_q.weight.in_sum2", 64, 1)))
        .isEqualTo(
            "info kind: an importance matrix (imatrix) of 1 tensors, for quantising a model");
  }

  private static Metadata.Builder mtp() {
    return Metadata.builder()
        .string("general.architecture", "glm-dsa")
        .uint32("glm-dsa.block_count", 3)
        .uint32("glm-dsa.nextn_predict_layers", 1);
  }

  @Test
  void anMtpHeadHasItsEmbeddingOrSaysWhose() throws IOException {
    assertThat(say(Llama.tensor(GgufWriter.of(mtp().build()), "blk.2.nextn.eh_proj.weight", 64, 8)))
        .startsWith(
            "info kind: the multi-token-prediction head of a glm-dsa model alone, 1 tensors")
        .contains(
            "error mtp-shared glm-dsa.nextn_shared_target_tensors: the head has no"
                + " token_embd.weight and no output.weight, and no"
                + " glm-dsa.nextn_shared_target_tensors that says they are its target's");
    GgufWriter borrows =
        GgufWriter.of(mtp().bool("glm-dsa.nextn_shared_target_tensors", true).build());
    assertThat(say(Llama.tensor(borrows, "blk.2.nextn.eh_proj.weight", 64, 8)))
        .contains("embedding and output come from its target")
        .doesNotContain("mtp-shared");
    GgufWriter owns = Llama.tensor(GgufWriter.of(mtp().build()), "token_embd.weight", 64, 16);
    assertThat(say(Llama.tensor(owns, "blk.2.nextn.eh_proj.weight", 64, 8)))
        .doesNotContain("mtp-shared");
  }

  private static Metadata.Builder draft() {
    return Metadata.builder()
        .string("general.architecture", "dflash")
        .uint32("dflash.embedding_length", 64);
  }

  @Test
  void aDraftSaysWhichLayersItReads() throws IOException {
    assertThat(say(Llama.tensor(GgufWriter.of(draft().build()), "fc.weight", 192, 64)))
        .contains("error draft-layers dflash.target_layers: there is no dflash.target_layers");
    GgufWriter two =
        GgufWriter.of(draft().integers("dflash.target_layers", ValueType.INT32, 1, 2).build());
    assertThat(say(Llama.tensor(two, "fc.weight", 192, 64)))
        .contains(
            "error draft-layers fc.weight: fc.weight has rows of 192, but dflash.target_layers"
                + " lists 2 layers of width 64, together 128");
    GgufWriter three =
        GgufWriter.of(draft().integers("dflash.target_layers", ValueType.INT32, 1, 2, 3).build());
    assertThat(say(Llama.tensor(three, "fc.weight", 192, 64))).doesNotContain("draft-layers");
  }
}
