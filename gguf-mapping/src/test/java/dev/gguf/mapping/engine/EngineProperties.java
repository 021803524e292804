package dev.gguf.mapping.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.FileKind;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.fixture.GlmDsa;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class EngineProperties {
  private static final GlmDsa MINI = GlmDsa.mini();
  private static final List<FileKind> KINDS = List.copyOf(EnumSet.allOf(FileKind.class));
  private static final Metadata KEYS = MINI.architectureKeys().build();

  @Provide
  Arbitrary<String> parameters() {
    Arbitrary<String> part =
        Arbitraries.of(
            "weights_proj",
            "indexer",
            "self_attn",
            "mlp",
            "input_mix_weight_down",
            "w13_weight",
            "gate");
    return part.list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(parts -> "model.layers.3." + String.join(".", parts) + ".weight");
  }

  @Property(tries = 200)
  void aReplacementIsAlwaysUndone(@ForAll("parameters") String parameter) {
    for (String id : List.of("vllm-0.16", "vllm-plugin-0.0.5", "vllm-plugin-main")) {
      EngineProfile profile = EngineProfiles.named(id);
      assertThat(NameErrors.undo(EngineStream.companion(profile, parameter))).isEqualTo(parameter);
      assertThat(NameErrors.undo(EngineStream.data(profile, parameter))).isEqualTo(parameter);
    }
  }

  @Property(tries = 60)
  void aPredictionNeverFailsWhateverTheTableSays(@ForAll @LongRange(min = 0) long seed) {
    Random random = new Random(seed);
    List<Tensor> tensors = new ArrayList<>(MINI.tensors());
    List<TensorType> types = TensorType.current();
    for (int i = 0; i < 12; i++) {
      int at = random.nextInt(tensors.size());
      Tensor old = tensors.get(at);
      TensorType type = types.get(random.nextInt(types.size()));
      switch (random.nextInt(4)) {
        case 0 -> tensors.remove(at);
        case 1 -> tensors.set(at, Tensor.of(old.name(), type, old.ne()));
        case 2 -> tensors.set(at, Tensor.of("blk.0.a" + i, TensorType.F32, 3, 0, 2));
        default -> tensors.add(0, tensors.remove(at));
      }
    }
    Candidate candidate =
        new Candidate(
            "m.gguf",
            1 + random.nextInt(3),
            KINDS.get(random.nextInt(KINDS.size())),
            KEYS,
            tensors,
            List.of(),
            Optional.empty());
    Launch launch =
        Launch.builder()
            .tensorParallel(1 + random.nextInt(17))
            .capability(random.nextBoolean() ? "" : "12.0")
            .gpuMemory(random.nextInt(1 << 30))
            .build();
    for (String engine : EngineProfiles.engines()) {
      Prediction prediction = Preflight.predict(candidate, engine, launch);
      assertThat(prediction.loads() == Loads.YES)
          .isEqualTo(prediction.reasons().stream().noneMatch(EngineProperties::counts));
    }
  }

  private static boolean counts(Reason reason) {
    return reason.effect() != Reason.Effect.NOTE;
  }

  @Property(tries = 40)
  void moreRanksNeverNeedMoreWeightsAndACutFollowsTheBlocks(
      @ForAll @IntRange(min = 1, max = 64) int ranks) {
    Candidate candidate =
        new Candidate(
            "m.gguf", 1, FileKind.MODEL, KEYS, MINI.tensors(), List.of(), Optional.empty());
    EngineProfile profile = EngineProfiles.named("vllm-0.21");
    Launch launch = Launch.builder().tensorParallel(ranks).build();
    Prediction prediction = Preflight.predict(candidate, profile, launch);
    MemoryEstimate one = Preflight.predict(candidate, profile, Launch.DEFAULT).memory();
    MemoryEstimate many = prediction.memory();
    if (one == null || many == null) {
      throw new AssertionError("no estimate");
    }
    assertThat(many.weights()).isLessThanOrEqualTo(one.weights());
    assertThat(many.weights()).isGreaterThanOrEqualTo(many.replicated());
    boolean cut =
        MINI.tensors().stream()
            .filter(tensor -> tensor.layer().orElse(9) < 3)
            .filter(tensor ->
                List.of("attn_output", "ffn_down", "ffn_down_exps", "ffn_down_shexp")
                    .contains(Attempt.kind(tensor.name())))
            .anyMatch(tensor -> tensor.ne(0) / tensor.type().blockElements() % ranks != 0);
    assertThat(prediction.reasons().stream().anyMatch(r -> r.rule() == EngineRule.ENGINE_CUT))
        .isEqualTo(cut && ranks > 1);
  }

  @Property(tries = 200)
  void aLineOfALogNeverFails(@ForAll String text) {
    Explainer explainer =
        new Explainer(
            new Candidate(
                "m.gguf", 1, FileKind.MODEL, KEYS, MINI.tensors(), List.of(), Optional.empty()));
    Explainer.Log log = explainer.explainLog(List.of(text, "(Worker_TP1 pid=1) " + text));
    assertThat(log.first()).isLessThan(log.matches().size());
    explainer.explain(text);
  }
}
