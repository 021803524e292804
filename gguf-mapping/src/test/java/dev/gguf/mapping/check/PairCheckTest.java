package dev.gguf.mapping.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.Metadata;
import dev.gguf.ValueType;
import dev.gguf.fixture.Llama;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairCheckTest {
  @TempDir Path folder;

  /// Writes both and returns what is said about the second one.
  private String say(GgufWriter model, GgufWriter part) throws IOException {
    Path first = folder.resolve("text.gguf");
    Path second = folder.resolve("part.gguf");
    model.write(first);
    part.write(second);
    try (Inspection a = Gguf.inspect(first);
        Inspection b = Gguf.inspect(second)) {
      List<List<Finding>> both = PairCheck.check(List.of(a, b));
      List<List<Finding>> swapped = PairCheck.check(List.of(b, a));
      assertThat(both.get(0)).isEmpty();
      assertThat(Said.lines(swapped.get(0))).isEqualTo(Said.lines(both.get(1)));
      return Said.lines(both.get(1));
    }
  }

  private static GgufWriter projector(int width) {
    GgufWriter writer =
        GgufWriter.of(
            Metadata.builder()
                .string("general.architecture", "clip")
                .string("general.type", "mmproj")
                .string("general.basename", "tiny")
                .string("clip.projector_type", "mlp")
                .uint32("clip.vision.projection_dim", 768)
                .build());
    Llama.tensor(writer, "mm.0.weight", 32, 32);
    return Llama.tensor(writer, "mm.2.weight", 32, width);
  }

  @Test
  void aProjectorPutsOutWhatTheModelTakesIn() throws IOException {
    assertThat(say(Llama.writer(), projector(64))).isEmpty();
    assertThat(say(Llama.writer(), projector(96)))
        .isEqualTo(
            "error pair-width: the projector puts out vectors of 96, but llama.embedding_length of"
                + " 'text.gguf' is 64; it was made for a text model of width 96 (general.basename"
                + " tiny, clip.projector_type mlp)");
  }

  @Test
  void deepstackLayersWidenTheInput() throws IOException {
    GgufWriter deep =
        Llama.tensors(
            GgufWriter.of(Llama.metadata().uint32("llama.n_deepstack_layers", 3).build()));
    assertThat(say(deep, projector(256))).isEmpty();
    assertThat(say(deep, projector(64))).isEmpty();
    assertThat(say(deep, projector(128))).contains("256 with its 3 deepstack layers");
  }

  private static GgufWriter adapter(String tensor, int width) {
    GgufWriter writer =
        GgufWriter.of(
            Metadata.builder()
                .string("general.architecture", "llama")
                .string("general.type", "adapter")
                .string("adapter.type", "lora")
                .build());
    Llama.tensor(writer, tensor + ".lora_a", width, 8);
    return Llama.tensor(writer, tensor + ".lora_b", 8, 64);
  }

  @Test
  void anAdapterFitsTheTensorsOfItsBase() throws IOException {
    assertThat(say(Llama.writer(), adapter("blk.0.attn_q.weight", 64))).isEmpty();
    assertThat(say(Llama.writer(), adapter("blk.0.attn_q.weight", 128)))
        .isEqualTo(
            "error pair-width blk.0.attn_q.weight.lora_a: 1 half of another width than the base,"
                + " first blk.0.attn_q.weight.lora_a has 128, blk.0.attn_q.weight of 'text.gguf'"
                + " has 64");
    assertThat(say(Llama.writer(), adapter("blk.7.attn_q.weight", 64)))
        .isEqualTo(
            "error pair-layers blk.7.attn_q.weight.lora_a: 2 halves for tensors that 'text.gguf'"
                + " does not have, first blk.7.attn_q.weight.lora_a, the base has 1 blocks");
  }

  private static GgufWriter draft(int width, long... layers) {
    GgufWriter writer =
        GgufWriter.of(
            Metadata.builder()
                .string("general.architecture", "dflash")
                .uint32("dflash.embedding_length", width)
                .integers("dflash.target_layers", ValueType.INT32, layers)
                .uint32("dflash.vocab_size", Llama.TOKENS)
                .build());
    return Llama.tensor(writer, "fc.weight", (long) layers.length * width, width);
  }

  @Test
  void aDraftReadsLayersThatItsTargetHas() throws IOException {
    GgufWriter target =
        Llama.blocks(GgufWriter.of(Llama.metadata().uint32("llama.block_count", 4).build()), 4);
    assertThat(say(target, draft(64, 1, 2, 3)))
        .isEqualTo(
            "info pair-borrows: the part takes token_embd.weight and output.weight from"
                + " 'text.gguf'");
    assertThat(say(target, draft(64, 1, 9)))
        .contains(
            "error pair-layers dflash.target_layers: dflash.target_layers names layer 9, but"
                + " 'text.gguf' has 4 blocks");
    assertThat(say(target, draft(96, 1, 2)))
        .contains("error pair-width dflash.embedding_length")
        .contains("made for a target of width 96");
  }

  @Test
  void vocabulariesAgree() throws IOException {
    GgufWriter part = draft(64, 0);
    GgufWriter other =
        GgufWriter.of(
            Metadata.builder()
                .string("general.architecture", "dflash")
                .uint32("dflash.embedding_length", 64)
                .uint32("dflash.vocab_size", 32)
                .integers("dflash.target_layers", ValueType.INT32, 0)
                .build());
    Llama.tensor(other, "fc.weight", 64, 64);
    assertThat(say(Llama.writer(), part)).doesNotContain("pair-vocabulary");
    assertThat(say(Llama.writer(), other))
        .contains(
            "error pair-vocabulary: the part has a vocabulary of 32 tokens, 'text.gguf' has 16");
  }

  private static GgufWriter head(int block) {
    GgufWriter writer =
        GgufWriter.of(
            Metadata.builder()
                .string("general.architecture", "llama")
                .uint32("llama.block_count", block + 1)
                .uint32("llama.nextn_predict_layers", 1)
                .uint32("llama.embedding_length", 64)
                .bool("llama.nextn_shared_target_tensors", true)
                .build());
    return Llama.tensor(writer, "blk." + block + ".nextn.eh_proj.weight", 128, 64);
  }

  @Test
  void aHeadFollowsTheTrunkOfItsTarget() throws IOException {
    assertThat(say(Llama.writer(), head(1))).startsWith("info pair-borrows");
    assertThat(say(Llama.writer(), head(5)))
        .contains(
            "error pair-layers blk.5.nextn.eh_proj.weight: the head is block 5, but the trunk of"
                + " 'text.gguf' has 1 blocks");
  }

  @Test
  void twoModelsNeedNotBelongTogether() throws IOException {
    assertThat(
            say(
                Llama.writer(),
                Llama.tensors(
                    GgufWriter.of(Llama.metadata().uint32("llama.embedding_length", 96).build()))))
        .isEmpty();
  }
}
