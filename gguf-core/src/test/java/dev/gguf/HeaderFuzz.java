package dev.gguf;

import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Judges damaged headers, 10 million of them unless `-Dfuzz.headers` says otherwise. Input that
/// fails is saved in `testdata/hostile`, where the ordinary tests read it from then on.
class HeaderFuzz {
  private static final long LONGEST_NANOS = 1_000_000_000L;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long MOST_HEAP = 64L << 20;

  @Test
  void noDamageDoesMoreThanItsVerdict() throws IOException {
    long count = Long.getLong("fuzz.headers", 10_000_000);
    long seed = Long.getLong("fuzz.seed", System.nanoTime());
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
    if (heap > MOST_HEAP) {
      throw new AssertionError("the heap must be bounded by -Xmx64m, it is " + heap);
    }
    Random random = new Random(seed);
    List<byte[]> sound = HostileHeaders.sound();
    for (long i = 0; i < count; i++) {
      byte[] bytes = Mutation.of(sound.get(random.nextInt(sound.size())), random);
      judge(bytes, i, seed);
    }
  }

  private static void judge(byte[] bytes, long round, long seed) throws IOException {
    // Time of the processor, so that a busy machine does not count.
    long start = THREADS.getCurrentThreadCpuTime();
    try {
      HostileHeaders.judge(bytes);
    } catch (IOException | RuntimeException | Error e) {
      throw failure(bytes, round, seed, e.toString(), e);
    }
    long nanos = THREADS.getCurrentThreadCpuTime() - start;
    if (nanos > LONGEST_NANOS) {
      throw failure(bytes, round, seed, "took " + nanos / 1_000_000 + " ms", null);
    }
  }

  private static AssertionError failure(
      byte[] bytes, long round, long seed, String what, Throwable cause) throws IOException {
    Path folder = Shared.testdata("hostile");
    Files.createDirectories(folder);
    Path file = folder.resolve("fuzz-" + Integer.toHexString(Arrays.hashCode(bytes)) + ".gguf");
    Files.write(file, bytes);
    return new AssertionError(
        "header " + round + " of seed " + seed + ": " + what + "; saved as " + file, cause);
  }
}
