package dev.gguf.mapping.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Severity;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.fixture.Shared;
import dev.gguf.mapping.MapOptions;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.Parameter;
import dev.gguf.mapping.Target;
import dev.gguf.mapping.Transform;
import dev.gguf.mapping.checkpoint.Checkpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever tensor of whatever model is spoilt in a way that has a name, it is called by that name.
class WrongCopiesTest {
  @TempDir Path folder;

  private Path home = Path.of("unset");
  private Checkpoint checkpoint;

  private List<String> errors(Copy copy, String tensor) throws IOException {
    Path file = folder.resolve("copy.gguf");
    copy.write(file);
    try (Gguf gguf = Gguf.open(file)) {
      return ModelComparison.compare(
              gguf,
              checkpoint,
              new ModelComparison.Options(1, t -> t.name().equals(tensor), 1),
              (_, _, _) -> {})
          .report()
          .findings()
          .stream()
          .filter(f -> f.severity() == Severity.ERROR)
          .map(Finding::message)
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "glm_moe_dsa/glm_moe_dsa.q8_0.gguf",
        "glm_moe_dsa_k/glm_moe_dsa_k.q4_k_m.gguf",
        "deepseek_v3/deepseek_v3.bf16.gguf",
        "llama/llama.q8_0.gguf",
        "mixtral/mixtral.bf16.gguf",
        "qwen3_next/qwen3_next.bf16.gguf",
        "gpt_oss/gpt_oss.bf16.gguf",
        "gemma2/gemma2.f32.gguf",
        "gpt2/gpt2.f32.gguf",
        "falcon/falcon.bf16.gguf"
      })
  void everySpoiltTensorIsCalledByItsFault(String name) throws IOException {
    home = Shared.require("data/converter/" + name.substring(0, name.indexOf('/')));
    List<String> wrong = new ArrayList<>();
    try (Gguf gguf = Gguf.open(Shared.require("data/converter/" + name));
        Checkpoint opened = Checkpoint.open(home)) {
      checkpoint = opened;
      Mapping mapping =
          NameMap.forArchitecture(gguf.architecture().orElseThrow())
              .orElseThrow()
              .map(gguf.metadata(), gguf.tensors(), Target.HF, MapOptions.WITH_MTP);
      for (MappedTensors entry : mapping.mapped()) {
        if (entry.layer().orElse(1) == 1) {
          for (Map.Entry<Copy, String> copy : copies(gguf, entry).entrySet()) {
            String tensor = entry.sources().getFirst().name();
            List<String> errors = errors(copy.getKey(), tensor);
            if (errors.isEmpty()
                || !errors.getFirst().matches("(?s).*(" + copy.getValue() + ").*")) {
              wrong.add(tensor + ": " + copy.getValue() + " expected, " + errors);
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /// Returns copies with the first tensor of an entry spoilt, and what each has to be called.
  private static Map<Copy, String> copies(Gguf gguf, MappedTensors entry) throws IOException {
    Map<Copy, String> copies = new LinkedHashMap<>();
    Tensor tensor = entry.sources().getFirst();
    String name = tensor.name();
    boolean vector = tensor.dimensions() < 2;
    String other = name.replace("blk.1.", "blk.0.");
    Tensor twin = gguf.find(other).orElse(null);
    if (!other.equals(name)
        && twin != null
        && twin.type().equals(tensor.type())
        && Arrays.equals(twin.ne(), tensor.ne())) {
      Copy copy = new Copy(gguf);
      if (!Arrays.equals(copy.bytes(name), copy.bytes(other))) {
        // Vectors of few values can be each other's in another order.
        copies.put(new Copy(gguf).swap(name, other), "layer 0|another order");
      }
    }
    if (vector
        && tensor.type().equals(TensorType.F32)
        && entry.transform().matches("none|minus-one")) {
      copies.put(new Copy(gguf).floats(name, v -> plusOne(v)), "off by one|1.0 times|zero");
    }
    Parameter parameter = entry.parameters().getFirst();
    if (parameter.isRange() && parameter.count() > 1) {
      byte[] bytes = new Copy(gguf).bytes(name);
      byte[] swapped = bytes.clone();
      int length = bytes.length / (int) parameter.count();
      System.arraycopy(bytes, 0, swapped, length, length);
      System.arraycopy(bytes, length, swapped, 0, length);
      copies.put(new Copy(gguf).replace(name, swapped), "experts exchanged: expert 1 instead of 0");
    }
    if (entry.transforms().contains(Transform.UNPERMUTE_HEADS) && !vector) {
      byte[] bytes = new Copy(gguf).bytes(name);
      byte[] turned = bytes.clone();
      int row = bytes.length / (int) tensor.rows();
      for (int i = 0; i < tensor.rows(); i++) {
        int to = i / 16 * 16 + i % 16 / 2 + i % 2 * 8;
        System.arraycopy(bytes, i * row, turned, to * row, row);
      }
      copies.put(new Copy(gguf).replace(name, turned), "not been permuted");
    }
    return copies;
  }

  private static float[] plusOne(float[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] += 1;
    }
    return values;
  }
}
