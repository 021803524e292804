package dev.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.fixture.Shared;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// No number in a file makes the program do more than the file's own size is worth.
class LimitsTest {
  private static final long HUGE = 1L << 60;

  /// Headers that promise 2^60 of something, by what it is.
  static Map<String, byte[]> huge() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("keys", new Bytes().magic(0, HUGE).done());
    files.put("tensors", new Bytes().magic(HUGE, 0).done());
    files.put("key", new Bytes().magic(0, 1).int64(HUGE).done());
    files.put("string", new Bytes().magic(0, 1).text("x").int32(8).int64(HUGE).done());
    for (int type = 0; type < 13; type++) {
      files.put(
          "array of " + type,
          new Bytes().magic(0, 1).text("x").int32(9).int32(type).int64(HUGE).done());
    }
    files.put(
        "string element",
        new Bytes().magic(0, 1).text("x").int32(9).int32(8).int64(1).int64(HUGE).done());
    files.put(
        "inner array",
        new Bytes().magic(0, 1).text("x").int32(9).int32(9).int64(1).int32(0).int64(HUGE).done());
    files.put("tensor name", new Bytes().magic(1, 0).int64(HUGE).done());
    files.put(
        "dimension",
        new Bytes()
            .magic(1, 0)
            .text("t")
            .int32(2)
            .int64(HUGE)
            .int64(HUGE)
            .int32(0)
            .int64(0)
            .done());
    files.put(
        "dimension that fits",
        new Bytes().magic(1, 0).text("t").int32(1).int64(HUGE).int32(24).int64(0).done());
    files.put(
        "offset", new Bytes().magic(1, 0).text("t").int32(1).int64(4).int32(0).int64(HUGE).done());
    files.put(
        "alignment",
        new Bytes()
            .magic(1, 1)
            .text("general.alignment")
            .int32(10)
            .int64(HUGE)
            .text("t")
            .int32(1)
            .int64(4)
            .int32(0)
            .int64(0)
            .done());
    return files;
  }

  /// A header that is written by hand, with zeros behind it so that short ones are not too short.
  private static final class Bytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Bytes magic(long tensors, long keys) {
      out.writeBytes("GGUF".getBytes(StandardCharsets.US_ASCII));
      return int32(3).int64(tensors).int64(keys);
    }

    Bytes int32(int value) {
      out.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array());
      return this;
    }

    Bytes int64(long value) {
      out.writeBytes(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
      return this;
    }

    Bytes text(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int64(bytes.length);
      out.writeBytes(bytes);
      return this;
    }

    byte[] done() {
      out.writeBytes(new byte[64]);
      return out.toByteArray();
    }
  }

  /// Run in a virtual machine of its own: judges all of them and prints the longest time.
  public static void main(String[] args) throws GgufException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (Map.Entry<String, byte[]> each : huge().entrySet()) {
      // Time of the processor, so that a busy machine does not count.
      long start = threads.getCurrentThreadCpuTime();
      String verdict = HostileHeaders.judge(each.getValue()).verdict();
      long micros = (threads.getCurrentThreadCpuTime() - start) / 1000;
      System.out.println(micros + " " + verdict + " " + each.getKey());
    }
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void hugePromisesAreRefusedAtOnceInASmallHeap() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx48m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LimitsTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    List<String> lines = out.lines().toList();
    assertThat(lines).hasSize(huge().size());
    for (int i = 0; i < lines.size(); i++) {
      String[] field = lines.get(i).split(" ", 3);
      assertThat(field[1]).as(lines.get(i)).isEqualTo("error");
      if (i > 0) {
        // The first one pays for loading the classes.
        assertThat(Long.parseLong(field[0])).as(lines.get(i)).isLessThan(50_000);
      }
    }
  }

  private static byte[] keys(int count) {
    Bytes bytes = new Bytes().magic(0, count);
    for (int i = 0; i < count; i++) {
      bytes.text("key." + i).int32(4).int32(i);
    }
    return bytes.out.toByteArray();
  }

  private static byte[] tensors(int count) {
    Bytes bytes = new Bytes().magic(count, 0);
    for (int i = 0; i < count; i++) {
      bytes.text("blk." + i + ".t").int32(1).int64(8).int32(0).int64(32L * (count - i));
    }
    bytes.out.writeBytes(new byte[32 * (count + 2)]);
    return bytes.out.toByteArray();
  }

  private static byte[] tokens(int count) {
    Bytes bytes = new Bytes().magic(0, 1).text("tokenizer.ggml.tokens");
    bytes.int32(9).int32(8).int64(count);
    for (int i = 0; i < count; i++) {
      bytes.text("same" + i / 2);
    }
    return bytes.out.toByteArray();
  }

  private static long cpuNanos(byte[] bytes) throws GgufException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 7; i++) {
      long start = threads.getCurrentThreadCpuTime();
      HostileHeaders.judge(bytes);
      best = Math.min(best, threads.getCurrentThreadCpuTime() - start);
    }
    return best;
  }

  /// Ten times as many things would take so many times the time if every one were held against
  /// every other one. A bound well below it, and well above ten, holds on a busy machine too.
  private static final double QUADRATIC = 100;

  @Test
  void timeGrowsWithTheNumberOfThings() throws GgufException {
    // Warm, so that compiling does not count for either.
    cpuNanos(keys(20_000));
    cpuNanos(tensors(20_000));
    cpuNanos(tokens(20_000));

    assertThat(cpuNanos(keys(100_000)) / (double) cpuNanos(keys(10_000))).isLessThan(QUADRATIC / 2);
    assertThat(cpuNanos(tensors(100_000)) / (double) cpuNanos(tensors(10_000)))
        .isLessThan(QUADRATIC / 2);
    assertThat(cpuNanos(tokens(100_000)) / (double) cpuNanos(tokens(10_000)))
        .isLessThan(QUADRATIC / 2);
  }

  @Test
  void theCollectionOfTroubleIsThere() {
    assertThat(Shared.testdata("hostile")).isDirectory();
  }
}
