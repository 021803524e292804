package dev.gguf;

import dev.gguf.check.FileCheck;
import dev.gguf.check.Report;
import dev.gguf.fixture.Shared;
import dev.gguf.internal.ByteSource;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Small sound files of every shape, for tests that damage them, and a judge that works in memory.
final class HostileHeaders {
  private static final Path NAME = Path.of("hostile.gguf");

  private HostileHeaders() {}

  /// Bytes in memory as if they were a file.
  private static final class InMemory implements ByteSource {
    private final byte[] bytes;

    InMemory(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public int read(long position, ByteBuffer into) {
      if (position < 0 || position >= bytes.length) {
        return 0;
      }
      int count = (int) Math.min(into.remaining(), bytes.length - position);
      into.put(bytes, (int) position, count);
      return count;
    }

    @Override
    public void close() {}
  }

  private static Inspection inspect(byte[] bytes) throws GgufException {
    return Gguf.inspect(NAME, (path, findings) -> Gguf.read(path, new InMemory(bytes), findings));
  }

  /// Judges a file, and looks at everything that could be read of it.
  static Report judge(byte[] bytes) throws GgufException {
    try (Inspection inspection = inspect(bytes)) {
      Report report = FileCheck.check(inspection);
      if (inspection.gguf().isPresent()) {
        look(inspection.gguf().get());
      }
      return report;
    }
  }

  private static void look(Gguf gguf) {
    for (Metadata.Entry entry : gguf.metadata()) {
      switch (entry.type()) {
        case STRING -> entry.string();
        case ARRAY -> look(entry.array());
        case BOOL -> entry.bool();
        default -> entry.number();
      }
    }
    for (Tensor tensor : gguf.tensors()) {
      if (tensor.isInFile() && tensor.isInsideFile() == (tensor.bytesOutside() > 0)) {
        throw new IllegalStateException(tensor + " is inside and outside of its file");
      }
      tensor.shape();
      tensor.rows();
    }
  }

  private static void look(MetadataArray array) {
    if (array.count() == 0) {
      return;
    }
    long last = array.count() - 1;
    switch (array.elementType()) {
      case STRING -> array.stringAt(last);
      case ARRAY -> array.arrayAt(last).count();
      default -> array.numberAt(last);
    }
  }

  /// Returns sound files: all versions and byte orders, all types of values, nested arrays, a
  /// tokenizer, tensors of several types, none, odd alignment.
  static List<byte[]> sound() throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (int version = 1; version <= 3; version++) {
      for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
        boolean usual = version == 3 && order == ByteOrder.LITTLE_ENDIAN;
        Metadata metadata = usual ? scalars() : few();
        files.add(bytes(tensors(GgufWriter.of(metadata)).version(version).byteOrder(order)));
      }
    }
    files.add(bytes(GgufWriter.of(arrays())));
    files.add(bytes(tensors(GgufWriter.of(tokenizer()))));
    files.add(bytes(GgufWriter.of(nested())));
    return files;
  }

  private static Metadata scalars() {
    return Metadata.builder()
        .string("general.architecture", "llama")
        .uint32("general.alignment", 64)
        .uint8("a", 1)
        .integer("b", ValueType.INT16, -2)
        .float32("c", 1.5f)
        .float64("d", 2.5)
        .bool("e", true)
        .uint64("f", -1)
        .int64("g", -1)
        .integer("split.count", ValueType.UINT16, 1)
        .build();
  }

  private static Metadata few() {
    return Metadata.builder().uint32("general.alignment", 8).strings("d", List.of("one")).build();
  }

  private static Metadata arrays() {
    return Metadata.builder()
        .string("general.architecture", "x")
        .uint32("x.block_count", 3)
        .integers("x.attention.head_count_kv", ValueType.INT32, 1, 0, 1)
        .integers("b", ValueType.BOOL, 1, 0)
        .floats("c", 1, 2)
        .strings("d", List.of("one", "", "ü"))
        .strings("e", List.of())
        .build();
  }

  private static Metadata tokenizer() {
    return Metadata.builder()
        .string("general.architecture", "llama")
        .string("tokenizer.ggml.model", "gpt2")
        .string("tokenizer.ggml.pre", "default")
        .strings("tokenizer.ggml.tokens", List.of("a", "b", "ab", "<|e|>"))
        .integers("tokenizer.ggml.token_type", ValueType.INT32, 1, 1, 1, 3)
        .strings("tokenizer.ggml.merges", List.of("a b"))
        .uint32("tokenizer.ggml.eos_token_id", 3)
        .string("tokenizer.chat_template", "{{ x }}<|e|>")
        .build();
  }

  private static Metadata nested() {
    ByteBuffer inner = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    inner.putInt(ValueType.ARRAY.id()).putLong(1);
    inner.putInt(ValueType.UINT16.id()).putLong(2).putShort((short) 1).putShort((short) 2);
    inner
        .putInt(ValueType.STRING.id())
        .putLong(1)
        .putLong(2)
        .put("hi".getBytes(StandardCharsets.UTF_8));
    byte[] bytes = new byte[inner.position()];
    inner.flip().get(bytes);
    return Metadata.builder().array("n", ValueType.ARRAY, 2, bytes).uint8("after", 1).build();
  }

  private static GgufWriter tensors(GgufWriter writer) {
    return writer
        .tensor("token_embd.weight", TensorType.F32, TensorData.floats(1, 2, 3, 4), 1, 4)
        .tensor("q", TensorType.Q4_0, TensorData.of(new byte[18]), 32)
        .tensor("s", TensorType.I8, TensorData.of(new byte[3]), 3);
  }

  private static byte[] bytes(GgufWriter writer) throws IOException {
    Path file = Files.createTempFile("sound", ".gguf");
    try {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        writer.writeTo(channel);
      }
      return Files.readAllBytes(file);
    } finally {
      Files.delete(file);
    }
  }

  /// Returns the bytes before the data of a sound file.
  static int headerBytes(byte[] bytes) throws GgufException {
    try (Inspection inspection = inspect(bytes)) {
      return (int) inspection.gguf().orElseThrow().files().getFirst().headerEnd();
    }
  }

  /// Returns the bytes of all files that once were trouble, those of the repository.
  static List<byte[]> collected() {
    Path folder = Shared.testdata("hostile");
    List<byte[]> files = new ArrayList<>();
    try (var paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        files.add(Files.readAllBytes(path));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }
}
