package dev.gguf.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class Xxh64Properties {
  @Property(tries = 300)
  void piecesDoNotMatter(
      @ForAll @Size(max = 300) byte[] bytes,
      @ForAll @IntRange(max = 300) int first,
      @ForAll @IntRange(max = 300) int second) {
    MemorySegment all = MemorySegment.ofArray(bytes);
    int one = Math.min(first, bytes.length);
    int two = Math.min(one + second, bytes.length);
    Xxh64 whole = new Xxh64(3);
    whole.update(all);
    Xxh64 pieces = new Xxh64(3);
    pieces.update(all.asSlice(0, one));
    pieces.update(all.asSlice(one, two - one));
    pieces.digest();
    pieces.update(all.asSlice(two));
    assertThat(pieces.digest()).isEqualTo(whole.digest());
  }
}
