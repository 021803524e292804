package dev.gguf.quant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.Tensor;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Files of the real converter decode to the values that the lists beside them give.
class ConverterValuesTest {
  private static final String LIST = ".tensors.tsv";

  private static List<Path> lists() throws IOException {
    Path models = Shared.require("data/converter");
    try (var paths = Files.walk(models)) {
      return paths.filter(path -> path.toString().endsWith(LIST)).sorted().toList();
    }
  }

  private static Path sibling(Path list, String end) {
    String name = list.getFileName().toString();
    return list.resolveSibling(name.substring(0, name.length() - LIST.length()) + end);
  }

  private static String sha256(Tensor tensor) throws IOException, NoSuchAlgorithmException {
    TensorValues values = TensorValues.of(tensor);
    byte[] bytes = new byte[Math.toIntExact(4 * tensor.elements())];
    values.rows(0, values.rows(), MemorySegment.ofArray(bytes), 0);
    assertThat(ByteOrder.nativeOrder()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  @Test
  void tensorsThatAreOneParameterHaveItsValues() throws IOException, NoSuchAlgorithmException {
    Set<String> types = new TreeSet<>();
    int compared = 0;
    for (Path list : lists()) {
      Path model = sibling(list, ".gguf");
      Path parameters = sibling(list, ".parameters.tsv");
      if (!Files.exists(model) || !Files.exists(parameters)) {
        continue;
      }
      Map<String, String> digests = new HashMap<>();
      for (String line : Files.readAllLines(parameters)) {
        String[] field = line.split("\t", -1);
        digests.put(field[0], field[6]);
      }
      try (Gguf gguf = Gguf.open(model)) {
        for (String line : Files.readAllLines(list)) {
          String[] field = line.split("\t", -1);
          if (field[4].startsWith("same") && digests.containsKey(field[3])) {
            Tensor tensor = gguf.find(field[0]).orElseThrow();
            assertThat(sha256(tensor)).as(model + " " + field[0]).isEqualTo(digests.get(field[3]));
            types.add(tensor.type().name());
            compared++;
          }
        }
      }
    }
    assertThat(compared).isGreaterThan(500);
    assertThat(types).contains("BF16", "F32", "Q4_K", "Q6_K", "Q8_0");
  }

  @Test
  void bigEndianFilesHaveTheValuesRoundedToHalf() throws IOException {
    Path folder = Shared.require("data/converter/llama");
    try (Gguf big = Gguf.open(folder.resolve("llama.f16.bigendian.gguf"));
        Gguf little = Gguf.open(folder.resolve("llama.bf16.gguf"))) {
      assertThat(big.files().getFirst().byteOrder()).isEqualTo(ByteOrder.BIG_ENDIAN);
      for (Tensor tensor : big.tensors()) {
        Tensor other = little.find(tensor.name()).orElseThrow();
        float[] values = new float[Math.toIntExact(tensor.elements())];
        float[] wanted = new float[values.length];
        TensorValues.of(tensor).rows(0, tensor.rows(), values, 0);
        TensorValues.of(other).rows(0, other.rows(), wanted, 0);
        boolean half = tensor.type().name().equals("F16");
        for (int i = 0; i < wanted.length && half; i++) {
          wanted[i] = Float.float16ToFloat(Float.floatToFloat16(wanted[i]));
        }
        assertThat(values).as(tensor.name()).isEqualTo(wanted);
      }
    }
  }

  @Test
  void partsAreTheSameAsTheWhole() throws IOException {
    Path model = Shared.require("data/converter/glm_moe_dsa_k/glm_moe_dsa_k.q4_k_m.gguf");
    try (Gguf gguf = Gguf.open(model)) {
      for (Tensor tensor : gguf.tensors()) {
        TensorValues values = TensorValues.of(tensor);
        int length = Math.toIntExact(values.rowElements());
        float[] all = new float[Math.toIntExact(tensor.elements())];
        values.rows(0, values.rows(), all, 0);
        long row = values.rows() / 2;
        float[] one = new float[length + 1];
        values.rows(row, row + 1, one, 1);
        int start = Math.toIntExact(row * length);
        for (int i = 0; i < length; i++) {
          assertThat(one[1 + i]).isEqualTo(all[start + i]);
        }
      }
    }
  }
}
