package dev.gguf.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtentsTest {
  private static final int MIB = 1 << 20;

  @TempDir Path folder;

  @Test
  void tellsDataFromHoles() throws IOException {
    Path file = folder.resolve("naïve name.bin");
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(8L << 30);
      out.seek(2 * MIB);
      out.write(new byte[MIB]);
      out.seek((5L << 30) + 100);
      out.write(1);
    }
    try (Extents extents = Extents.of(file)) {
      assumeTrue(extents.known() && extents.nextData(0) > 0, "no sparse files here");
      assertThat(extents.size()).isEqualTo(8L << 30);
      assertThat(extents.nextData(0)).isEqualTo(2 * MIB);
      assertThat(extents.nextHole(0)).isZero();
      assertThat(extents.nextHole(2 * MIB + 7)).isEqualTo(3 * MIB);
      assertThat(extents.nextData(3 * MIB)).isBetween((5L << 30) - MIB, (5L << 30) + 100);
      assertThat(extents.nextData(6L << 30)).isEqualTo(8L << 30);
      assertThat(extents.nextHole(7L << 30)).isEqualTo(7L << 30);
      assertThat(extents.dataBytes(0, 4 * MIB)).isEqualTo(MIB);
      assertThat(extents.dataBytes(2 * MIB + 10, 2 * MIB + 30)).isEqualTo(20);
      assertThat(extents.dataBytes(0, 8L << 30)).isBetween((long) MIB + 1, 2L * MIB);
      assertThat(extents.nextData(9L << 30)).isEqualTo(8L << 30);
    }
  }

  @Test
  void aWrittenFileIsDataToItsEnd() throws IOException {
    Path file = Files.write(folder.resolve("full.bin"), new byte[100_000]);
    try (Extents extents = Extents.of(file)) {
      assertThat(extents.nextData(5)).isEqualTo(5);
      assertThat(extents.nextHole(5)).isEqualTo(100_000);
      assertThat(extents.dataBytes(0, Long.MAX_VALUE)).isEqualTo(100_000);
    }
  }

  @Test
  void anEmptyFileHasNoExtents() throws IOException {
    Path file = Files.write(folder.resolve("empty.bin"), new byte[0]);
    try (Extents extents = Extents.of(file)) {
      assertThat(extents.nextData(0)).isZero();
      assertThat(extents.nextHole(0)).isZero();
    }
  }

  @Test
  void closedExtentsAreAllData() throws IOException {
    Path file = Files.write(folder.resolve("full.bin"), new byte[10]);
    Extents extents = Extents.of(file);
    extents.close();
    extents.close();
    assertThat(extents.known()).isFalse();
    assertThat(extents.dataBytes(0, 10)).isEqualTo(10);
  }
}
