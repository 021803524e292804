package dev.gguf.benchmark;

import dev.gguf.Gguf;
import dev.gguf.Tensor;
import dev.gguf.fixture.GlmDsa;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.Target;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The header of the full-size GLM-5.1 model: 1809 tensors, 154,880 tokens, 321,649 merges; page
/// cache warm, one thread.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 8, time = 1)
public class HeaderBenchmark {
  private Path path;
  private Gguf gguf;
  private NameMap map;
  private @Nullable MethodHandle walk;
  private MemorySegment pathText;

  /// Makes the sparse file and opens it.
  @Setup
  public void open() throws IOException {
    path = Files.createTempFile("full-size", ".gguf");
    GlmDsa.fullSize().write(path);
    gguf = Gguf.open(path);
    map = NameMap.forArchitecture("glm-dsa").orElseThrow();
    pathText = Arena.global().allocateFrom(path.toString());
    String library = System.getProperty("gguf.walk");
    if (library != null) {
      walk =
          Linker.nativeLinker()
              .downcallHandle(
                  SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow("gguf_walk"),
                  FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    }
  }

  /// Deletes the file.
  @TearDown
  public void close() throws IOException {
    gguf.close();
    Files.delete(path);
  }

  /// Opens the file: all scalar metadata and the whole tensor table with names.
  @Benchmark
  public int openFile() throws IOException {
    try (Gguf opened = Gguf.open(path)) {
      return opened.tensors().size() + opened.metadata().size();
    }
  }

  /// Touches every length of the same header from C, through a mapping.
  @Benchmark
  public long walkInC() throws Throwable {
    if (walk == null) {
      throw new IllegalStateException(
          "name the library of src/main/c/walk.c with -Dgguf.walk=FILE");
    }
    return (long) walk.invokeExact(pathText);
  }

  /// Finds a tensor by its name.
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  public Tensor lookUp() {
    return gguf.find("blk.77.ffn_down_exps.weight").orElseThrow();
  }

  /// Maps all names to checkpoint names.
  @Benchmark
  public Mapping mapNames() {
    return map.map(gguf, Target.HF);
  }

  /// Returns the end of the header, which the walk in C has to find too.
  long headerEnd() {
    return gguf.files().getFirst().headerEnd();
  }
}
