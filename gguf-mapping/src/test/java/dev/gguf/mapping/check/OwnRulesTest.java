package dev.gguf.mapping.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Finding;
import dev.gguf.Metadata;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import dev.gguf.fixture.Llama;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnRulesTest {
  @TempDir Path folder;

  private String say(Metadata.Builder metadata) throws IOException {
    return Said.about(folder, metadata);
  }

  private String say(GgufWriter writer) throws IOException {
    return Said.about(folder, writer);
  }

  private static Metadata.Builder renamed(String architecture) {
    Metadata.Builder metadata = Metadata.builder();
    for (Metadata.Entry entry : Llama.metadata().build()) {
      if (entry.key().startsWith("llama.")) {
        String key = architecture + entry.key().substring(5);
        if (entry.type().isFloat()) {
          metadata.float32(key, (float) entry.number());
        } else {
          metadata.integer(key, entry.type(), entry.bits());
        }
      } else {
        metadata.entry(entry);
      }
    }
    return metadata.string("general.architecture", architecture);
  }

  private static GgufWriter quantised(GgufWriter writer, String name) {
    return writer.tensor(name, TensorType.Q8_0, TensorData.of(new byte[68]), Llama.WIDTH);
  }

  @Test
  void aSoundModelHasNoFinding() throws IOException {
    assertThat(say(Llama.metadata())).isEmpty();
  }

  @Test
  void aModelWithoutArchitectureIsAnError() throws IOException {
    assertThat(say(Llama.metadata().remove("general.architecture")))
        .isEqualTo(
            "error architecture-missing general.architecture: there is no general.architecture: no"
                + " engine can tell what the 12 tensors are; its keys begin with llama.");
  }

  @Test
  void anEmptyArchitectureIsNone() throws IOException {
    assertThat(say(Llama.metadata().string("general.architecture", "")))
        .startsWith(
            "error architecture-missing general.architecture: general.architecture is empty");
  }

  @Test
  void headsMayBeNoneInSomeBlocksButNotInAll() throws IOException {
    String key = "llama.attention.head_count";
    assertThat(say(Llama.metadata().integers(key, ValueType.INT32, 0)))
        .contains("error value-range llama.attention.head_count: llama.attention.head_count is 0");
    assertThat(say(Llama.metadata().integers(key, ValueType.INT32, 0, 2)))
        .doesNotContain("value-range");
  }

  @Test
  void aModelWithoutAttentionHasNoHeads() throws IOException {
    Metadata.Builder metadata = renamed("mamba").uint32("mamba.attention.head_count", 0);
    GgufWriter mamba = GgufWriter.of(metadata.build());
    Llama.tensor(mamba, "token_embd.weight", 64, 16);
    Llama.tensor(mamba, "blk.0.attn_norm.weight", 64);
    Llama.tensor(mamba, "blk.0.ssm_in.weight", 64, 256);
    assertThat(say(mamba)).doesNotContain("value-range");
  }

  @Test
  void anArchitectureInNoListIsAWarning() throws IOException {
    assertThat(say(renamed("pig")))
        .isEqualTo(
            "warning architecture-unknown general.architecture: general.architecture is \"pig\","
                + " which no list of released architectures has; its names look like llama");
    assertThat(say(renamed("x".repeat(5000))))
        .isEqualTo(
            "warning architecture-unknown general.architecture: general.architecture is a text of"
                + " 5000 bytes, which no list of released architectures has");
    assertThat(say(renamed("qwen_3"))).contains("did you mean \"qwen3\"?");
    assertThat(say(renamed("glm5next"))).contains("did you mean \"glm5-next\"?");
    assertThat(say(renamed("lama"))).contains("did you mean \"llama\"?");
  }

  @Test
  void aLabelWithoutOneKeyOfItsOwnIsDoubtful() throws IOException {
    GgufWriter writer =
        GgufWriter.of(Metadata.builder().string("general.architecture", "llama").build());
    Llama.tensor(writer, "text_model.encoder.layers.0.mlp.fc1.weight", 64, 128);
    assertThat(say(writer))
        .startsWith(
            "warning architecture-doubtful general.architecture: general.architecture is"
                + " \"llama\", but none of the keys begins with llama. and the first tensor is"
                + " text_model.encoder.layers.0.mlp.fc1.weight")
        .doesNotContain("\n");
  }

  @Test
  void imageModelsAreKnownButNotJudged() throws IOException {
    GgufWriter writer =
        GgufWriter.of(Metadata.builder().string("general.architecture", "qwen_image").build());
    Llama.tensor(writer, "transformer_blocks.0.img_mod.1.weight", 64, 384);
    assertThat(say(writer))
        .startsWith(
            "info names-not-judged general.architecture: the architecture qwen_image (image) has"
                + " no map here");
  }

  @Test
  void namesOfACheckpointAreForeign() throws IOException {
    GgufWriter writer = GgufWriter.of(Llama.metadata().build());
    Llama.tensor(writer, "model.layers.0.self_attn.q_proj.weight", 64, 64);
    Llama.tensor(writer, "lm_head.weight", 64, 16);
    assertThat(say(writer))
        .startsWith(
            "warning name-foreign model.layers.0.self_attn.q_proj.weight: 2 tensors with names in"
                + " the style of Hugging Face");
  }

  @Test
  void aGroupIsLinkedWithTheKeyThatLooksLikeItsSwitch() throws IOException {
    GgufWriter writer =
        Llama.tensors(
            GgufWriter.of(Llama.metadata().uint32("llama.attn_res_block_size", 4).build()));
    Llama.tensor(writer, "blk.0.attn_res_score.weight", 64);
    assertThat(say(writer))
        .isEqualTo(
            "warning switch-key llama.attn_res_block_size: 1 tensor, first"
                + " blk.0.attn_res_score.weight, are read by engines when"
                + " llama.attn_res.block_size is there; it is absent, and"
                + " llama.attn_res_block_size stands in its place");
    GgufWriter right =
        Llama.tensors(
            GgufWriter.of(Llama.metadata().uint32("llama.attn_res.block_size", 4).build()));
    Llama.tensor(right, "blk.0.attn_res_score.weight", 64);
    assertThat(say(right)).isEmpty();
    GgufWriter ssm =
        Llama.tensors(
            GgufWriter.of(renamed("unheard-of").uint32("unheard-of.ssm_state_size", 4).build()));
    Llama.tensor(ssm, "blk.0.ssm_norm.weight", 64);
    assertThat(say(ssm)).contains("switch-key unheard-of.ssm_state_size");
  }

  @ParameterizedTest
  @CsvSource({
    "llama.attention.head_count, 0, must be above 0",
    "llama.block_count, 0, must be above 0",
    "llama.expert_used_count, 9, above llama.expert_count 8",
    "llama.nextn_predict_layers, 1, must be below llama.block_count 1",
  })
  void valuesThatCannotBe(String key, int value, String said) throws IOException {
    assertThat(say(Llama.metadata().uint32("llama.expert_count", 8).uint32(key, value)))
        .startsWith("error value-range " + key + ": ")
        .contains(said);
  }

  @Test
  void theLabelOfAMixIsHeldAgainstItsBytes() throws IOException {
    assertThat(say(Llama.metadata().uint32("general.file_type", 2)))
        .isEqualTo(
            "info file-type general.file_type: general.file_type is 2 (Q4_0), but most bytes are"
                + " F32: 9 tensors F32");
    assertThat(Said.about(folder, "model-Q4_K_M.gguf", Llama.writer()))
        .isEqualTo(
            "info file-type: the name of the file says Q4_K_M, but most bytes are F32: 9 tensors"
                + " F32");
    assertThat(Said.about(folder, "model-f32.gguf", Llama.writer())).isEmpty();
  }

  @Test
  void quantisedNormsAreUnusual() throws IOException {
    assertThat(say(quantised(Llama.writer(), "blk.0.attn_q_norm.weight")))
        .startsWith(
            "warning type-unusual blk.0.attn_q_norm.weight: 1 router, norm or bias is quantised");
    assertThat(say(quantised(Llama.writer(), "blk.0.ffn_gate_inp.weight")))
        .contains("type-unusual");
    assertThat(say(quantised(Llama.writer(), "blk.0.attn_q.bias"))).contains("type-unusual");
  }

  @Test
  void aScaleFactorInThePlaceOfAnotherIsASlip() throws IOException {
    assertThat(
            say(
                Llama.metadata()
                    .float32("llama.rope.scaling.factor", 40)
                    .float32("llama.rope.scaling.yarn_ext_factor", 40)))
        .startsWith("info rope-scaling llama.rope.scaling.yarn_ext_factor");
    assertThat(
            say(
                Llama.metadata()
                    .float32("llama.rope.scaling.factor", 40)
                    .float32("llama.rope.scaling.yarn_ext_factor", 1)))
        .isEmpty();
  }

  @Test
  void deepseek2NeedsItsRouterFunctionWhereTheBiasSaysSigmoid() throws IOException {
    GgufWriter risky = GgufWriter.of(renamed("deepseek2").build());
    Llama.tensor(risky, "blk.0.exp_probs_b.bias", 4);
    assertThat(say(risky))
        .contains("warning default-risky deepseek2.expert_gating_func")
        .contains("blk.0.exp_probs_b.bias");
    List<Finding> findings = Said.findings(folder.resolve("model.gguf"), null);
    assertThat(findings.getLast().hint())
        .isEqualTo("--override-kv deepseek2.expert_gating_func=int:2");
    GgufWriter told =
        GgufWriter.of(renamed("deepseek2").uint32("deepseek2.expert_gating_func", 2).build());
    Llama.tensor(told, "blk.0.exp_probs_b.bias", 4);
    assertThat(say(told)).doesNotContain("default-risky");
    GgufWriter fixed = GgufWriter.of(renamed("glm4moe").build());
    Llama.tensor(fixed, "blk.0.exp_probs_b.bias", 4);
    assertThat(say(fixed)).doesNotContain("default-risky");
  }

  @Test
  void aRerankerHasAHead() throws IOException {
    Metadata.Builder named = renamed("qwen3").string("general.name", "X-Reranker");
    assertThat(say(Llama.tensors(GgufWriter.of(named.build()))))
        .contains("warning head-absent: the model is a reranker by its name");
    GgufWriter whole = Llama.tensors(GgufWriter.of(named.build()));
    assertThat(say(Llama.tensor(whole, "cls.output.weight", 64, 2))).doesNotContain("head-absent");
    GgufWriter bert = GgufWriter.of(renamed("bert").build());
    Llama.tensor(bert, "token_embd.weight", 64, 16);
    assertThat(say(Llama.tensor(bert, "cls.output.weight", 64, 1)))
        .contains("info head-absent cls.output.weight");
  }

  @Test
  void theDialectOfOllamaIsOneFindingWithAllDifferences() throws IOException {
    GgufWriter writer =
        GgufWriter.of(
            renamed("qwen35")
                .integers("qwen35.rope.dimension_sections", ValueType.INT32, 3, 3, 2)
                .integers("qwen35.attention.head_count_kv", ValueType.UINT32, 0, 0, 0, 1)
                .uint32("qwen35.image_token_id", 15)
                .build());
    Llama.tensor(writer, "blk.0.ssm_dt", 4);
    Llama.tensor(writer, "v.blk.0.attn_q.weight", 64, 64);
    Llama.tensor(writer, "mtp.fc.weight", 64, 64);
    assertThat(say(writer))
        .contains(
            "info dialect: the file is in the dialect of ollama's exporter"
                + " (qwen35.image_token_id), 5 differences to what llama.cpp reads:"
                + " qwen35.rope.dimension_sections has 3 entries instead of 4;"
                + " qwen35.attention.head_count_kv is an array with 3 zeros of 4 entries;"
                + " blk.0.ssm_dt without .bias; v.blk.0.attn_q.weight of a vision or audio part;"
                + " mtp.fc.weight of an MTP head under names of its own");
  }

  @Test
  void aConfigThatContradictsIsAnError() throws IOException {
    String config =
        """
        {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 1,
         "num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 16,
         "rope_parameters": {"rope_theta": %s}, "rms_norm_eps": 1e-05}
        """;
    assertThat(Said.about(folder, Llama.writer(), config.formatted("10000"))).isEmpty();
    assertThat(Said.about(folder, Llama.writer(), config.formatted("8000000.0")))
        .isEqualTo(
            "error config-differs llama.rope.freq_base: llama.rope.freq_base is 10000, config.json"
                + " has rope_theta 8000000");
    assertThat(
            Said.about(folder, Llama.writer(), "{\"num_hidden_layers\": 3, \"hidden_size\": 128}"))
        .contains("llama.block_count is 1, config.json has num_hidden_layers 3")
        .contains("llama.embedding_length is 64, config.json has hidden_size 128");
  }

  @Test
  void blocksMayIncludeThoseForMultiTokenPrediction() throws IOException {
    GgufWriter writer =
        Llama.blocks(
            GgufWriter.of(
                Llama.metadata()
                    .uint32("llama.block_count", 3)
                    .uint32("llama.nextn_predict_layers", 1)
                    .build()),
            3);
    assertThat(Said.about(folder, writer, "{\"num_hidden_layers\": 2}")).isEmpty();
    assertThat(
            Said.about(
                folder, writer, "{\"num_hidden_layers\": 2, \"num_nextn_predict_layers\": 1}"))
        .isEmpty();
  }

  @Test
  void theConfigOfAnotherFamilyIsNotCompared() throws IOException {
    String config = "{\"model_type\": \"qwen2\", \"hidden_size\": 128}";
    assertThat(Said.about(folder, Llama.writer(), config))
        .isEqualTo(
            "error config-differs general.architecture: config.json is of another model: its"
                + " model_type qwen2 is the architecture qwen2, the file is llama");
    String unknown = "{\"model_type\": \"in no list\", \"hidden_size\": 128}";
    assertThat(Said.about(folder, Llama.writer(), unknown)).contains("llama.embedding_length");
    assertThat(Said.about(folder, Llama.writer(), "{\"model_type\": \"mistral\"}")).isEmpty();
  }
}
