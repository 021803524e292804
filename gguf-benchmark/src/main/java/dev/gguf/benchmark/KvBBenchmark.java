package dev.gguf.benchmark;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.mapping.KvBProjection;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

/// Rebuilding `kv_b_proj` of GLM-5, 28672 by 512, from halves in Q8_0; page cache warm.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class KvBBenchmark {
  private static final KvBProjection SIZES = KvBProjection.of(64, 192, 256, 512);

  /// Layers of the model; the file takes 15 MB for each.
  @Param("79")
  public int layers = 79;

  /// Threads that rebuild all layers, each with memory for one.
  @Param({"1", "2"})
  public int threads = 2;

  private Path path;
  private Gguf gguf;
  private List<float[]> targets;

  /// Writes the file and opens it.
  @Setup
  public void open() throws IOException {
    path = Files.createTempFile("kv-b", ".gguf");
    GgufWriter writer = GgufWriter.of(Metadata.EMPTY);
    byte[] kB = blocks(SIZES.keyNe(), 1);
    byte[] vB = blocks(SIZES.valueNe(), 2);
    for (int layer = 0; layer < layers; layer++) {
      writer.tensor(name(layer, 'k'), TensorType.Q8_0, TensorData.of(kB), SIZES.keyNe());
      writer.tensor(name(layer, 'v'), TensorType.Q8_0, TensorData.of(vB), SIZES.valueNe());
    }
    writer.write(path);
    gguf = Gguf.open(path);
    targets = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      targets.add(new float[SIZES.elements(0, SIZES.heads())]);
    }
  }

  private static String name(int layer, char half) {
    return "blk." + layer + ".attn_" + half + "_b.weight";
  }

  /// Returns random blocks of 34 bytes: a scale and 32 signed bytes.
  private static byte[] blocks(long[] ne, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int count = (int) (ne[0] * ne[1] * ne[2] / 32);
    ByteBuffer bytes = ByteBuffer.allocate(count * 34).order(ByteOrder.LITTLE_ENDIAN);
    byte[] values = new byte[32];
    for (int i = 0; i < count; i++) {
      bytes.putShort(Float.floatToFloat16(random.nextFloat() / 1000));
      random.nextBytes(values);
      bytes.put(values);
    }
    return bytes.array();
  }

  /// Closes the model and deletes the file.
  @TearDown
  public void close() throws IOException {
    gguf.close();
    Files.delete(path);
  }

  private float[] rebuild(int layer, float[] target) throws GgufException {
    Tensor kB = gguf.find(name(layer, 'k')).orElseThrow();
    Tensor vB = gguf.find(name(layer, 'v')).orElseThrow();
    SIZES.join(kB, vB, 0, SIZES.heads(), target);
    return target;
  }

  /// Rebuilds the first layer on this thread.
  @Benchmark
  public float[] oneLayer() throws GgufException {
    return rebuild(0, targets.getFirst());
  }

  /// Rebuilds all layers.
  ///
  /// @return the sum of the first elements
  @Benchmark
  public double allLayers() throws Exception {
    double sum = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<Double>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        parts.add(pool.submit(every(i)));
      }
      for (Future<Double> part : parts) {
        sum += part.get();
      }
    }
    return sum;
  }

  private Callable<Double> every(int thread) {
    return () -> {
      double sum = 0;
      for (int layer = thread; layer < layers; layer += threads) {
        sum += rebuild(layer, targets.get(thread))[0];
      }
      return sum;
    };
  }

  Gguf gguf() {
    return gguf;
  }
}
