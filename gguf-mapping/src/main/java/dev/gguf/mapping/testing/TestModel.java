package dev.gguf.mapping.testing;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Metadata;
import dev.gguf.TensorType;
import dev.gguf.mapping.KvBProjection;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Builds a small GGUF file for a unit test:
///
/// ```java
/// KvBProjection sizes = KvBProjection.of(4, 32, 64, 32);
/// Path file = TestModel.of("glm-dsa").kvB(sizes, 0, TensorType.Q8_0, matrix).write(folder);
/// try (Gguf gguf = Gguf.open(file)) { … }
/// ```
///
/// Tensors stand in the file in the order in which they are added. Not safe for use by several
/// threads.
public final class TestModel {
  private final String architecture;
  private final Metadata.Builder keys;
  private final List<Item> items = new ArrayList<>();

  private record Item(String name, TensorType type, TensorData data, List<Long> ne) {}

  private TestModel(String architecture) {
    this.architecture = architecture;
    this.keys = Metadata.builder().string("general.architecture", architecture);
  }

  /// Starts a model without any tensor.
  ///
  /// @param architecture value of `general.architecture`, such as `glm-dsa`
  public static TestModel of(String architecture) {
    return new TestModel(architecture);
  }

  /// Sets a key to an unsigned number of 32 bits.
  ///
  /// @param key written out, or starting with a dot for one of the architecture: `.block_count`
  public TestModel key(String key, long value) {
    keys.uint32(whole(key), value);
    return this;
  }

  /// Sets a key to a float.
  ///
  /// @param key written out, or starting with a dot for one of the architecture
  public TestModel key(String key, float value) {
    keys.float32(whole(key), value);
    return this;
  }

  /// Sets a key to a string.
  ///
  /// @param key written out, or starting with a dot for one of the architecture
  public TestModel key(String key, String value) {
    keys.string(whole(key), value);
    return this;
  }

  private String whole(String key) {
    return key.startsWith(".") ? architecture + key : key;
  }

  /// Adds a tensor from floats, stored in a type.
  ///
  /// @param type `F32`, `F16`, `BF16` or `Q8_0`
  /// @param values in the order of the data, fastest axis first
  /// @param ne dimensions in the format's order, fastest axis first
  /// @throws IllegalArgumentException for another type, or if the dimensions do not give as many
  ///   elements, or their first no whole blocks
  public TestModel tensor(String name, TensorType type, float[] values, long... ne) {
    return tensor(name, type, TestValues.encode(name, type, values, ne), ne);
  }

  /// Adds a tensor from bytes as they shall stand in the file, of any type.
  ///
  /// @param ne dimensions in the format's order, fastest axis first
  public TestModel tensor(String name, TensorType type, byte[] bytes, long... ne) {
    List<Long> dimensions = new ArrayList<>();
    for (long n : ne) {
      dimensions.add(n);
    }
    items.add(new Item(name, type, TensorData.of(bytes.clone()), dimensions));
    return this;
  }

  /// Adds the two halves of a `kv_b_proj`, and the keys that tell the sizes of its heads.
  ///
  /// @param layer number of the block
  /// @param type of both halves: `F32`, `F16`, `BF16` or `Q8_0`
  /// @param matrix the projection, row-major, as a checkpoint has it
  public TestModel kvB(KvBProjection sizes, int layer, TensorType type, float[] matrix) {
    float[] kB = new float[sizes.heads() * sizes.nope() * sizes.rank()];
    float[] vB = new float[sizes.heads() * sizes.value() * sizes.rank()];
    sizes.split(matrix, kB, vB);
    return projection(sizes)
        .tensor("blk." + layer + ".attn_k_b.weight", type, kB, sizes.keyNe())
        .tensor("blk." + layer + ".attn_v_b.weight", type, vB, sizes.valueNe());
  }

  /// Sets the keys that tell the sizes of the heads of `kv_b_proj`, with the widths of the cache
  /// beside them as converters write them. The rotated part of a head is given 16 rows.
  public TestModel projection(KvBProjection sizes) {
    long rope = 16;
    return key(".attention.head_count", sizes.heads())
        .key(".attention.head_count_kv", 1)
        .key(".attention.kv_lora_rank", sizes.rank())
        .key(".attention.key_length", sizes.rank() + rope)
        .key(".attention.value_length", sizes.rank())
        .key(".attention.key_length_mla", sizes.nope() + rope)
        .key(".attention.value_length_mla", sizes.value())
        .key(".rope.dimension_count", rope);
  }

  private GgufWriter writer(Metadata metadata, List<Item> part) {
    GgufWriter writer = GgufWriter.of(metadata);
    for (Item item : part) {
      long[] ne = new long[item.ne.size()];
      for (int i = 0; i < ne.length; i++) {
        ne[i] = item.ne.get(i);
      }
      writer.tensor(item.name, item.type, item.data, ne);
    }
    return writer;
  }

  /// Writes the model as one file.
  ///
  /// @param path the file, or a folder in which it is called `model.gguf`
  /// @return the file
  /// @throws IOException if writing fails
  public Path write(Path path) throws IOException {
    Path file = Files.isDirectory(path) ? path.resolve("model.gguf") : path;
    writer(keys.build(), items).write(file);
    return file;
  }

  /// Writes the model as a split set `model-00001-of-0000N.gguf`, the tensors in equal parts.
  ///
  /// @return the files, in order
  /// @throws IOException if writing fails
  public List<Path> writeSplit(Path folder, int shards) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int no = 0; no < shards; no++) {
      Metadata.Builder own = no == 0 ? keys.build().toBuilder() : Metadata.builder();
      own.uint16("split.no", no)
          .uint16("split.count", shards)
          .int32("split.tensors.count", items.size());
      Path file =
          folder.resolve(String.format(Locale.ROOT, "model-%05d-of-%05d.gguf", no + 1, shards));
      List<Item> part = items.subList(items.size() * no / shards, items.size() * (no + 1) / shards);
      writer(own.build(), part).write(file);
      files.add(file);
    }
    return files;
  }

  /// Returns the bytes of the model as one file.
  ///
  /// @throws IOException if the temporary file that it takes cannot be written
  public byte[] bytes() throws IOException {
    Path file = Files.createTempFile("model", ".gguf");
    try {
      return Files.readAllBytes(write(file));
    } finally {
      Files.delete(file);
    }
  }

  /// Opens the model from a temporary file that is gone when the program ends. The caller closes
  /// the model.
  ///
  /// @throws IOException if the file cannot be written
  /// @throws GgufException if it cannot be read, as a test may want it
  public Gguf open() throws IOException {
    Path file = Files.createTempFile("model", ".gguf");
    file.toFile().deleteOnExit();
    return Gguf.open(write(file));
  }
}
