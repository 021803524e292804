package dev.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.check.Report;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/// Whatever is done to a header, it ends in a verdict: never in another exception, and never in
/// more work than its size is worth.
class HostileHeaderProperties {
  private static final long LONGEST_NANOS = 1_000_000_000L;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final List<byte[]> sound;

  HostileHeaderProperties() throws IOException {
    sound = HostileHeaders.sound();
  }

  private static Report judge(byte[] bytes) throws GgufException {
    // Time of the processor, so that a busy machine does not count.
    long start = THREADS.getCurrentThreadCpuTime();
    Report report = HostileHeaders.judge(bytes);
    assertThat(THREADS.getCurrentThreadCpuTime() - start).isLessThan(LONGEST_NANOS);
    return report;
  }

  @Example
  void theFilesAreSoundToBeginWith() throws GgufException {
    for (byte[] bytes : sound) {
      for (Finding finding : judge(bytes).findings()) {
        assertThat(finding.rule())
            .isIn(
                FileRule.VERSION_OLD,
                FileRule.BYTE_ORDER,
                FileRule.ARRAY_EMPTY,
                FileRule.ARRAY_NESTED,
                FileRule.TOKENIZER_ABSENT,
                FileRule.KEY_TYPE);
      }
    }
  }

  @Example
  void everyTruncationEndsInAVerdict() throws GgufException {
    for (byte[] bytes : sound) {
      for (int length = 0; length < bytes.length; length++) {
        judge(Arrays.copyOf(bytes, length));
      }
    }
  }

  @Example
  void everyMutationOfOneByteEndsInAVerdict() throws GgufException {
    for (byte[] bytes : sound) {
      byte[] changed = bytes.clone();
      int header = HostileHeaders.headerBytes(bytes);
      for (int i = 0; i < changed.length; i++) {
        // What the data is, the rules about the file do not look at.
        int step = i < header ? 1 : 51;
        for (int value = 0; value < 256; value += step) {
          changed[i] = (byte) value;
          judge(changed);
        }
        changed[i] = bytes[i];
      }
    }
  }

  @Property(tries = 3000)
  void manyMutationsEndInAVerdict(@ForAll Random random) throws GgufException {
    judge(Mutation.of(sound.get(random.nextInt(sound.size())), random));
  }

  @Example
  void filesThatOnceWereTroubleEndInAVerdict() throws GgufException {
    List<byte[]> files = HostileHeaders.collected();
    assertThat(files).isNotEmpty();
    for (byte[] bytes : files) {
      assertThat(judge(bytes).verdict()).isEqualTo("error");
    }
  }
}
