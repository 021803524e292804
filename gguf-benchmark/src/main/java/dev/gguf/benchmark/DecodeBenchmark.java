package dev.gguf.benchmark;

import dev.gguf.TensorType;
import dev.gguf.quant.Dequantizer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Decoding to floats, one thread: elements in a microsecond, which is millions in a second.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx512m", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecodeBenchmark {
  /// How many elements an operation decodes: those of a matrix of 1024 rows of 4096.
  public static final int ELEMENTS = 1 << 22;

  /// The type.
  @Param({
    "F16", "BF16", "Q4_0", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ1_S", "IQ1_M",
    "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ4_NL", "IQ4_XS", "MXFP4", "NVFP4", "TQ1_0",
    "TQ2_0", "Q1_0", "Q2_0", "Q4_1", "Q5_0", "Q5_1"
  })
  public String type;

  private Arena arena;
  private MemorySegment blocks;
  private Dequantizer dequantizer;
  private float[] values;

  /// Makes random blocks.
  @Setup
  public void fill() {
    TensorType of = TensorType.named(type).orElseThrow();
    dequantizer = Dequantizer.of(of).orElseThrow();
    arena = Arena.ofShared();
    blocks = RandomBlocks.of(arena, of, ELEMENTS / of.blockElements());
    values = new float[ELEMENTS];
  }

  /// Frees them.
  @TearDown
  public void free() {
    arena.close();
  }

  /// Decodes all blocks into an array.
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public float[] decode() {
    dequantizer.decode(blocks, 0, ELEMENTS / dequantizer.type().blockElements(), values, 0);
    return values;
  }

  MemorySegment blocks() {
    return blocks;
  }
}
