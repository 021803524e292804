package dev.gguf.mapping.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.FileKind;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.fixture.GlmDsa;
import dev.gguf.mapping.checkpoint.CheckpointException;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a launch refers to, what its configuration says, and rows that do not divide.
class ReferenceStepsTest {
  private static Candidate candidate(List<Tensor> tensors, String config)
      throws CheckpointException {
    return new Candidate(
        "model.gguf",
        1,
        FileKind.MODEL,
        GlmDsa.mini().architectureKeys().build(),
        tensors,
        List.of(),
        config.isEmpty()
            ? Optional.empty()
            : Optional.of(ModelConfig.parse("config.json", config)));
  }

  private static List<Reason> reasons(String engine, Launch launch, Candidate model) {
    return Preflight.predict(model, engine, launch).reasons();
  }

  private static String messages(String engine, Launch launch, Candidate model) {
    StringBuilder text = new StringBuilder();
    for (Reason reason : reasons(engine, launch, model)) {
      text.append(reason.effect()).append(' ').append(reason.message()).append('\n');
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "vllm, 0.11.2, owner/repo:Q8_0, no",
    "vllm, 0.12.0, owner/repo:Q8_0, yes",
    "vllm, 0.14.1, owner/repo:Q4_K_M, no",
    "vllm, 0.14.1, owner/repo:Q4_K, yes",
    "vllm, 0.16.0, owner/repo:Q4_K_M, yes",
    "vllm, 0.16.0, owner/repo:IQ2_XXS, yes",
    "vllm, 0.19.1, owner/repo:UD-Q4_K_XL, no",
    "vllm, 0.20.0, owner/repo:UD-Q4_K_XL, yes",
    "vllm, 0.23.0, owner/repo:IQ2_M, no",
    "vllm-plugin, 0.0.1, owner/repo:IQ2_M, no",
    "vllm-plugin, 0.0.2, owner/repo:IQ2_M, yes",
    "vllm-plugin, 0.0.5, owner/repo:MXFP4_MOE, yes",
    "vllm, 0.13.0, /models/file.gguf, yes",
    "vllm, 0.11.2, owner/repo/file.gguf, yes",
  })
  void aRepositoryAndAQuantisationAreTakenByRelease(
      String engine, String version, String reference, String taken) throws CheckpointException {
    Launch launch = Launch.builder().engineVersion(version).model(reference).build();
    String text = messages(engine, launch, candidate(GlmDsa.mini().tensors(), ""));
    boolean refused =
        text.contains("is not recognised as a GGUF reference")
            || text.contains("does not know repositories with a quantisation");
    assertThat(refused).as(text).isEqualTo(taken.equals("no"));
  }

  @Test
  void aProjectorIsLookedForWhereTheConfigurationHasImages() throws CheckpointException {
    Launch launch = Launch.builder().engineVersion("0.0.5").build();
    List<Tensor> tensors = GlmDsa.mini().tensors();
    String images = "{\"model_type\":\"gemma3\",\"vision_config\":{\"a\":1}}";
    assertThat(messages("vllm-plugin", launch, candidate(tensors, images)))
        .contains(
            "DEPENDS config.json describes a model with images", "Could not find mm_proj file");
    assertThat(
            messages("vllm-plugin", launch, candidate(tensors, images.replace("gemma3", "other"))))
        .contains("UNKNOWN config.json describes a model with images (other)");
    assertThat(messages("vllm-plugin", launch, candidate(tensors, "{\"model_type\":\"gemma3\"}")))
        .doesNotContain("with images");
  }

  @ParameterizedTest
  @CsvSource({"0.0.1, true", "0.0.4, true", "0.0.5, false"})
  void aQuantisedConfigurationNeedsThePluginThatTakesIt(String version, boolean refused)
      throws CheckpointException {
    Launch launch = Launch.builder().engineVersion(version).build();
    String config =
        "{\"model_type\":\"glm_moe_dsa\",\"quantization_config\":{\"quant_method\":\"fp8\"}}";
    String text = messages("vllm-plugin", launch, candidate(GlmDsa.mini().tensors(), config));
    assertThat(text.contains("unexpected keyword argument 'hf_config'"))
        .as(text)
        .isEqualTo(refused);
  }

  @Test
  void rowsThatDoNotDivideAreAssertedInTheTreeAndLostInThePlugin() throws CheckpointException {
    List<Tensor> tensors = new ArrayList<>(GlmDsa.mini().tensors());
    tensors.replaceAll(tensor ->
        tensor.name().equals("blk.0.ffn_up.weight")
            ? Tensor.of(tensor.name(), TensorType.Q8_0, tensor.ne(0), 97)
            : tensor);
    Candidate model = candidate(tensors, "");
    Launch.Builder two = Launch.builder().tensorParallel(2);
    assertThat(messages("vllm", two.engineVersion("0.23.0").build(), model))
        .contains(
            "STOPS_AS_GIVEN 1 tensor, blk.0.ffn_up.weight: 97 rows do not divide by 2 ranks: AssertionError");
    assertThat(messages("vllm-plugin", two.engineVersion("0.0.5").build(), model))
        .contains("97 rows do not divide by 2 ranks; the rest is lost without an error");
    assertThat(messages("vllm", two.tensorParallel(1).engineVersion("0.23.0").build(), model))
        .doesNotContain("do not divide");
  }

  @ParameterizedTest
  @CsvSource({"0.9.2, true", "0.11.2, true", "0.12.0, false"})
  void theVocabularyOfTheConfigurationCountsUpTo0Dot11(String version, boolean refused)
      throws CheckpointException {
    Launch launch = Launch.builder().engineVersion(version).configPath(true).build();
    String config = "{\"model_type\":\"glm_moe_dsa\",\"vocab_size\":7}";
    String text = messages("vllm", launch, candidate(GlmDsa.mini().tensors(), config));
    assertThat(text.contains("says a vocabulary of 7")).as(text).isEqualTo(refused);
  }

  @Test
  void biasesOfExpertsAreNoFloatExperts() throws CheckpointException {
    List<Tensor> tensors = new ArrayList<>(GlmDsa.mini().tensors());
    tensors.replaceAll(tensor ->
        tensor.name().endsWith("_exps.weight")
            ? Tensor.of(tensor.name(), TensorType.Q8_0, tensor.ne())
            : tensor);
    tensors.add(Tensor.of("blk.1.ffn_down_exps.bias", TensorType.F32, 64, 4));
    Launch launch = Launch.builder().engineVersion("0.23.0").build();
    assertThat(messages("vllm", launch, candidate(tensors, "")))
        .doesNotContain("experts have no float parameters");
  }

  private static Candidate small(String architecture) {
    return new Candidate(
        "model.gguf",
        1,
        FileKind.MODEL,
        Metadata.builder()
            .string("general.architecture", architecture)
            .uint32(architecture + ".block_count", 0)
            .build(),
        List.of(
            Tensor.of("token_embd.weight", TensorType.Q8_0, 64, 64),
            Tensor.of("output_norm.weight", TensorType.F32, 64)),
        List.of(),
        Optional.empty());
  }

  @Test
  void whatNobodyLookedAtIsUnknown() {
    assertThat(messages("sglang", Launch.DEFAULT, small("gemma2")))
        .contains("UNKNOWN token_embd.weight is Q8_0");
    Launch early = Launch.builder().engineVersion("2025-03").build();
    assertThat(messages("ik_llama.cpp", early, small("gpt-oss")))
        .contains("UNKNOWN architecture gpt-oss; in the list of 2026-08");
    assertThat(messages("ik_llama.cpp", Launch.DEFAULT, small("gpt-oss")))
        .doesNotContain("UNKNOWN");
    assertThat(Preflight.predict(small("glm-dsa"), "ik_llama.cpp", early).loads())
        .isEqualTo(Loads.NO);
  }
}
