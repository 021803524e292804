package dev.gguf.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.ValueType;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SequencedMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

class RoundTripProperties {
  private static final TensorType[] TYPES = {
    TensorType.F32,
    TensorType.BF16,
    TensorType.Q8_0,
    TensorType.Q4_K,
    TensorType.I8,
    TensorType.Q1_0
  };

  private Path folder = Path.of("");

  @BeforeProperty
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory("round-trip");
  }

  @AfterProperty
  void deleteFolder() throws IOException {
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  private void clear() throws IOException {
    deleteFolder();
    Files.createDirectory(folder);
  }

  @Property(tries = 150)
  void aCopyIsTheSameFile(@ForAll Random random) throws IOException {
    clear();
    Path file = folder.resolve("model.gguf");
    write(file, random);
    Path copy = folder.resolve("copy.gguf");
    try (Gguf model = Gguf.open(file)) {
      FileOutput.create().verify(true).write(copy, Edit.copy(model, model.metadata()));
    }
    assertThat(copy).hasSameBinaryContentAs(file);
  }

  @Property(tries = 150)
  void aSplitMergesToTheSameFile(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 5) int max,
      @ForAll boolean emptyFirst)
      throws IOException {
    clear();
    Path file = folder.resolve("model.gguf");
    write(file, random);
    try (Gguf model = Gguf.open(file)) {
      Split split = Split.byTensors(model, max, emptyFirst);
      SequencedMap<Path, GgufWriter> shards = split.named(folder.resolve("shard"));
      FileOutput.create().write(shards);
      requireSameTensors(model, shards.lastEntry().getKey());
      requireMergesTo(file, shards.firstEntry().getKey());
    }
  }

  @Property(tries = 100)
  void aSplitBySizeKeepsToIt(
      @ForAll Random random,
      @ForAll @IntRange(min = 500, max = 9000) int max,
      @ForAll boolean emptyFirst)
      throws IOException {
    clear();
    Path file = folder.resolve("model.gguf");
    write(file, random);
    try (Gguf model = Gguf.open(file)) {
      Split split = Split.bySize(model, max, emptyFirst);
      SequencedMap<Path, GgufWriter> shards = split.named(folder.resolve("shard.gguf"));
      FileOutput.create().write(shards);
      if (split.notes().isEmpty()) {
        for (Path shard : shards.keySet()) {
          assertThat(Files.size(shard)).as(shard.toString()).isLessThanOrEqualTo(max);
        }
      }
      requireMergesTo(file, shards.lastEntry().getKey());
    }
  }

  private static void requireSameTensors(Gguf model, Path anyShard) throws IOException {
    try (Gguf set = Gguf.open(anyShard)) {
      assertThat(set.tensors())
          .extracting(Tensor::toString)
          .isEqualTo(model.tensors().stream().map(Tensor::toString).toList());
    }
  }

  private void requireMergesTo(Path file, Path anyShard) throws IOException {
    Path merged = folder.resolve("merged.gguf");
    try (Gguf set = Gguf.open(anyShard)) {
      Merge merge = Merge.of(set);
      assertThat(merge.notes()).isEmpty();
      FileOutput.create().verify(true).write(merged, merge.file());
    }
    assertThat(merged).hasSameBinaryContentAs(file);
  }

  private static void write(Path path, Random random) throws IOException {
    GgufWriter writer =
        GgufWriter.of(metadata(random))
            .version(2 + random.nextInt(2))
            .byteOrder(random.nextInt(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
            .finalPadding(random.nextBoolean());
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      TensorType type = TYPES[random.nextInt(TYPES.length)];
      long[] ne = new long[random.nextInt(5)];
      for (int axis = 0; axis < ne.length; axis++) {
        ne[axis] = random.nextInt(axis == 0 ? 3 : 4);
      }
      if (ne.length == 0) {
        type = TensorType.F32;
      } else {
        ne[0] *= type.blockElements();
      }
      long bytes = Tensor.of("t", type, ne).bytes();
      TensorData data =
          random.nextInt(5) == 0 ? TensorData.hole(bytes) : TensorData.of(bytes(random, bytes));
      writer.tensor("blk." + i + (random.nextBoolean() ? ".näme" : ".name"), type, data, ne);
    }
    writer.write(path);
  }

  private static byte[] bytes(Random random, long count) {
    byte[] bytes = new byte[Math.toIntExact(count)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Metadata metadata(Random random) {
    Metadata.Builder keys = Metadata.builder().string("general.architecture", "llama");
    if (random.nextInt(3) == 0) {
      keys.uint32("general.alignment", 1L << random.nextInt(9));
    }
    List<Runnable> all = new ArrayList<>();
    all.add(() -> keys.uint8("a.uint8", random.nextInt()));
    all.add(() -> keys.integer("a.int8", ValueType.INT8, (byte) random.nextInt()));
    all.add(() -> keys.uint16("a.uint16", random.nextInt()));
    all.add(() -> keys.integer("a.int16", ValueType.INT16, (short) random.nextInt()));
    all.add(() -> keys.int32("a.int32", random.nextInt()));
    all.add(() -> keys.uint64("a.uint64", random.nextLong()));
    all.add(() -> keys.int64("a.int64", random.nextLong()));
    all.add(() -> keys.float32("a.float32", Float.intBitsToFloat(random.nextInt())));
    all.add(() -> keys.float64("a.float64", Double.longBitsToDouble(random.nextLong())));
    all.add(() -> keys.integer("a.bool", ValueType.BOOL, random.nextInt(256)));
    all.add(() -> keys.bytes("a.string", bytes(random, random.nextInt(6000))));
    all.add(() ->
        keys.byteStrings(
            "a.strings", List.of(bytes(random, 3), bytes(random, 0), bytes(random, 70_000))));
    all.add(() -> keys.integers("a.ints", ValueType.INT32, random.longs(9).toArray()));
    all.add(() -> keys.floats("a.floats", 1, Float.NaN, random.nextFloat()));
    all.add(() -> keys.array("a.empty", ValueType.STRING, 0, new byte[0]));
    all.add(() -> keys.string("naïve.key", "tëxt"));
    all.add(() -> keys.array("a.nested", ValueType.ARRAY, 1, nested()));
    for (Runnable one : all) {
      if (random.nextBoolean()) {
        one.run();
      }
    }
    return keys.build();
  }

  private static byte[] nested() {
    byte[] bytes = new byte[4 + 8 + 3];
    bytes[4] = 3;
    System.arraycopy("abc".getBytes(StandardCharsets.US_ASCII), 0, bytes, 12, 3);
    return bytes;
  }
}
