package dev.gguf.benchmark;

import dev.gguf.TensorType;
import dev.gguf.quant.Dequantizer;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

/// Decoding a matrix of 4096 rows of 4096 elements to floats, one thread: elements in a
/// microsecond, which is millions in a second.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx512m", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecodeBenchmark {
  /// How many elements an operation decodes.
  public static final int ELEMENTS = 1 << 24;

  /// How many elements are decoded at a time.
  private static final int PIECE = 1 << 16;

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
    values = new float[PIECE];
  }

  /// Frees them.
  @TearDown
  public void free() {
    arena.close();
  }

  /// Decodes all blocks, sixteen rows at a time, into one array, as a reader does that looks at
  /// every value once.
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public float[] decode() {
    for (int from = 0; from < ELEMENTS; from += PIECE) {
      decode(from);
    }
    return values;
  }

  /// Decodes all blocks with PyPI's gguf, into a new array, which is how it does it.
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public String decodeInPython(Python python) throws IOException {
    return python.decode();
  }

  float[] decode(int from) {
    TensorType of = dequantizer.type();
    long offset = (long) from / of.blockElements() * of.blockBytes();
    dequantizer.decode(blocks, offset, PIECE / of.blockElements(), values, 0);
    return values;
  }

  MemorySegment blocks() {
    return blocks;
  }

  /// A process that decodes the same blocks whenever it is asked.
  @State(Scope.Benchmark)
  public static class Python {
    private final List<Path> files = new ArrayList<>();
    private Process process;
    private BufferedReader answers;

    /// Starts it, and has it compare what both make of the blocks.
    ///
    /// @throws IOException if that cannot be done, or the floats differ
    @Setup
    public void start(DecodeBenchmark benchmark) throws IOException {
      Path blocks = Files.createTempFile("decode", ".blocks");
      Path floats = Files.createTempFile("decode", ".floats");
      files.addAll(List.of(blocks, floats));
      Files.write(blocks, benchmark.blocks().toArray(ValueLayout.JAVA_BYTE));
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(floats))) {
        for (int from = 0; from < ELEMENTS; from += PIECE) {
          out.write(MemorySegment.ofArray(benchmark.decode(from)).toArray(ValueLayout.JAVA_BYTE));
        }
      }
      String script = "gguf-benchmark/src/main/python/dequantize.py";
      String python = System.getProperty("gguf.python");
      process =
          new ProcessBuilder(python, script, benchmark.type, blocks.toString(), floats.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      answers = process.inputReader();
      String answer = answers.readLine();
      if (!"ready".equals(answer)) {
        throw new IOException(python + " " + script + ": " + answer);
      }
    }

    String decode() throws IOException {
      process.outputWriter().append('\n').flush();
      return answers.readLine();
    }

    /// Ends it.
    @TearDown
    public void end() throws IOException {
      process.destroy();
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
  }
}
