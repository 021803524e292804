package dev.gguf.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// Published hashes of short texts, one for each way through the end of the algorithm.
class Xxh64Test {
  private static String hash(String text) {
    Xxh64 hash = new Xxh64();
    hash.update(MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII)));
    return HexFormat.of().toHexDigits(hash.digest());
  }

  @Test
  void knownHashes() {
    assertThat(hash("")).isEqualTo("ef46db3751d8e999");
    assertThat(hash("a")).isEqualTo("d24ec4f1a98c6e5b");
    assertThat(hash("abc")).isEqualTo("44bc2cf5ad770999");
    assertThat(hash("Nobody inspects the spammish repetition")).isEqualTo("fbcea83c8a378bf1");
  }
}
