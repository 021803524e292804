package dev.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.check.FileCheck;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/// What is written in any version and byte order is read as it was.
class HeaderRoundTripProperties {
  private static final TensorType[] TYPES = {
    TensorType.F32, TensorType.F16, TensorType.Q8_0, TensorType.I8
  };

  @Property(tries = 300)
  void headersAreReadAsTheyWereWritten(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 3) int version, @ForAll boolean big)
      throws IOException {
    Metadata metadata = metadata(random);
    ByteOrder order = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    GgufWriter writer = GgufWriter.of(metadata).version(version).byteOrder(order);
    List<String> tensors = new ArrayList<>();
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      TensorType type = TYPES[random.nextInt(TYPES.length)];
      long[] ne = new long[1 + random.nextInt(4)];
      Arrays.setAll(ne, axis -> 1 + random.nextInt(3));
      ne[0] *= type.blockElements();
      Tensor tensor = Tensor.of("t." + i, type, ne);
      writer.tensor(tensor.name(), type, TensorData.hole(tensor.bytes()), ne);
      tensors.add(tensor.toString());
    }
    Path file = Files.createTempFile("header", ".gguf");
    try {
      writer.write(file);
      try (Inspection inspection = Gguf.inspect(file)) {
        assertThat(inspection.findings()).isEmpty();
        Gguf gguf = inspection.gguf().orElseThrow();
        assertThat(gguf.files().getFirst().version()).isEqualTo(version);
        assertThat(gguf.files().getFirst().byteOrder()).isEqualTo(order);
        assertThat(describe(gguf.metadata())).isEqualTo(describe(metadata));
        assertThat(gguf.tensors()).extracting(Tensor::toString).isEqualTo(tensors);
        List<Rule> rules =
            FileCheck.check(inspection).findings().stream().map(Finding::rule).toList();
        assertThat(rules.contains(FileRule.VERSION_OLD)).isEqualTo(version < 3);
        assertThat(rules.contains(FileRule.BYTE_ORDER))
            .isEqualTo(!order.equals(ByteOrder.nativeOrder()));
      }
    } finally {
      Files.delete(file);
    }
  }

  private static Metadata metadata(Random random) {
    Metadata.Builder keys = Metadata.builder().string("general.architecture", "x");
    int count = random.nextInt(20);
    for (int i = 0; i < count; i++) {
      String key = "x.key_" + i;
      switch (random.nextInt(9)) {
        case 0 -> keys.string(key, "text ü " + random.nextInt());
        case 1 -> keys.float32(key, random.nextFloat());
        case 2 -> keys.float64(key, random.nextGaussian());
        case 3 -> keys.bool(key, random.nextBoolean());
        case 4 -> keys.strings(key, List.of("a", "", "b" + random.nextInt()));
        case 5 -> keys.floats(key, random.nextFloat(), -1);
        case 6 -> keys.integers(key, integer(random), 1, 0, random.nextInt(100));
        case 7 -> keys.bytes(key, new byte[] {(byte) 0xff, (byte) random.nextInt()});
        default -> keys.integer(key, integer(random), random.nextInt(100));
      }
    }
    return keys.build();
  }

  private static ValueType integer(Random random) {
    ValueType[] types = {
      ValueType.UINT8,
      ValueType.INT8,
      ValueType.UINT16,
      ValueType.INT16,
      ValueType.UINT32,
      ValueType.INT32,
      ValueType.UINT64,
      ValueType.INT64
    };
    return types[random.nextInt(types.length)];
  }

  private static List<String> describe(Metadata metadata) {
    List<String> lines = new ArrayList<>();
    for (Metadata.Entry entry : metadata) {
      String value =
          switch (entry.type()) {
            case STRING -> new String(entry.bytes(), StandardCharsets.ISO_8859_1);
            case BOOL -> Boolean.toString(entry.bool());
            case ARRAY -> describe(entry.array());
            default -> Double.toString(entry.number());
          };
      lines.add(entry.key() + " " + entry.typeLabel() + " " + value);
    }
    return lines;
  }

  private static String describe(MetadataArray array) {
    StringBuilder text = new StringBuilder();
    for (long i = 0; i < array.count(); i++) {
      text.append(
              array.elementType() == ValueType.STRING
                  ? array.stringAt(i)
                  : Double.toString(array.numberAt(i)))
          .append(' ');
    }
    return text.toString();
  }
}
