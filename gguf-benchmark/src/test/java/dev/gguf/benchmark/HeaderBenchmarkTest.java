package dev.gguf.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeaderBenchmarkTest {
  private final HeaderBenchmark benchmark = new HeaderBenchmark();

  @BeforeEach
  void open() throws Exception {
    benchmark.open();
  }

  @AfterEach
  void close() throws Exception {
    benchmark.close();
  }

  @Test
  void whatIsMeasuredGivesTheRightAnswers() throws Exception {
    assertThat(benchmark.openFile()).isEqualTo(1809 + 45);
    assertThat(benchmark.lookUp().ne()).containsExactly(2048, 6144, 256);
    assertThat(benchmark.mapNames().isComplete()).isTrue();
    assertThat(benchmark.mapNames().unmapped()).hasSize(27);
  }

  @Test
  void theWalkInCFindsTheEndOfTheHeader() throws Throwable {
    assumeTrue(System.getProperty("gguf.walk") != null, "needs -Dgguf.walk=FILE");
    assertThat(benchmark.walkInC()).isEqualTo(benchmark.headerEnd());
  }
}
