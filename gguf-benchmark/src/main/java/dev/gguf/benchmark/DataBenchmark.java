package dev.gguf.benchmark;

import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.verify.DataHash;
import dev.gguf.verify.DataScan;
import dev.gguf.verify.HashAlgorithm;
import dev.gguf.verify.ScanOptions;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Scanning and hashing the data of a model of four tensors of one type, 256 MiB in all, page cache
/// warm: milliseconds. The sum of all longs is what plain reading takes.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx512m", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DataBenchmark {
  /// About how many bytes each tensor has.
  private static final long BYTES = 64L << 20;

  private static final int TENSORS = 4;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// The type.
  @Param({"Q4_K", "Q6_K", "Q8_0", "F32", "F16", "BF16"})
  public String type;

  private Path path;
  private Gguf gguf;
  private byte[] array;

  /// Writes the file.
  @Setup
  public void write() throws IOException {
    TensorType of = TensorType.named(type).orElseThrow();
    path = Files.createTempFile("data", ".gguf");
    GgufWriter writer =
        GgufWriter.of(Metadata.builder().string("general.architecture", "llama").build());
    try (Arena arena = Arena.ofConfined()) {
      long blocks = BYTES / of.blockBytes() / 8 * 8;
      MemorySegment data = RandomBlocks.of(arena, of, blocks);
      for (int i = 0; i < TENSORS; i++) {
        writer.tensor("t" + i, of, TensorData.of(data), 8 * of.blockElements(), blocks / 8);
      }
      writer.write(path);
    }
    gguf = Gguf.open(path);
    array = gguf.tensors().getFirst().data().toArray(ValueLayout.JAVA_BYTE);
  }

  /// Deletes the file.
  @TearDown
  public void delete() throws IOException {
    gguf.close();
    Files.delete(path);
  }

  /// Adds up all data as longs.
  @Benchmark
  public long sumOfLongs() throws IOException {
    long sum = 0;
    for (Tensor tensor : gguf.tensors()) {
      sum += sum(tensor.data());
    }
    return sum;
  }

  private static long sum(MemorySegment data) {
    long sum = 0;
    int longs = Math.toIntExact(data.byteSize() / 8);
    for (int i = 0; i < longs; i++) {
      sum += data.get(LONG, 8L * i);
    }
    return sum;
  }

  /// Scans all data on one thread.
  @Benchmark
  public long scanOnOneThread() throws IOException {
    return DataScan.scan(gguf, ScanOptions.DEFAULT.withThreads(1)).readBytes();
  }

  /// Scans all data on two threads.
  @Benchmark
  public long scanOnTwoThreads() throws IOException {
    return DataScan.scan(gguf, ScanOptions.DEFAULT.withThreads(2)).readBytes();
  }

  /// Hashes each tensor with XXH64.
  @Benchmark
  public String xxh64() throws IOException {
    return hashEach(Set.of(HashAlgorithm.XXH64)).get(HashAlgorithm.XXH64);
  }

  /// Hashes each tensor with SHA-256.
  @Benchmark
  public String sha256() throws IOException {
    return hashEach(Set.of(HashAlgorithm.SHA256)).get(HashAlgorithm.SHA256);
  }

  /// Hashes each tensor with all algorithms, in one pass.
  @Benchmark
  public String allHashes() throws IOException {
    return hashEach(Set.of(HashAlgorithm.values())).get(HashAlgorithm.SHA1);
  }

  private Map<HashAlgorithm, String> hashEach(Set<HashAlgorithm> algorithms) throws IOException {
    Map<HashAlgorithm, String> last = Map.of();
    for (Tensor tensor : gguf.tensors()) {
      last = DataHash.hash(tensor, algorithms);
    }
    return last;
  }

  /// Hashes tensors and model with SHA-256 on one thread.
  @Benchmark
  public String modelOnOneThread() throws IOException {
    return hashModel(1, HashAlgorithm.SHA256);
  }

  /// Hashes tensors and model with SHA-256 on two threads.
  @Benchmark
  public String modelOnTwoThreads() throws IOException {
    return hashModel(2, HashAlgorithm.SHA256);
  }

  /// Hashes tensors and model with all algorithms on one thread.
  @Benchmark
  public String allOfModelOnOneThread() throws IOException {
    return hashModel(1, HashAlgorithm.values());
  }

  /// Hashes tensors and model with all algorithms on two threads.
  @Benchmark
  public String allOfModelOnTwoThreads() throws IOException {
    return hashModel(2, HashAlgorithm.values());
  }

  private String hashModel(int threads, HashAlgorithm... algorithms) throws IOException {
    return DataHash.hash(gguf, List.of(algorithms), true, threads, (tensor, done, total) -> {})
        .model()
        .get(HashAlgorithm.SHA256);
  }

  /// Hashes an array of the bytes of one tensor, as often as there are tensors, with the platform's
  /// SHA-256: what [#sha256()] is held against.
  @Benchmark
  public byte[] sha256OfArray() throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    byte[] last = {};
    for (int i = 0; i < TENSORS; i++) {
      last = digest.digest(array);
    }
    return last;
  }
}
