package dev.gguf.benchmark;

import dev.gguf.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/// Blocks of random quants whose scales are finite numbers.
final class RandomBlocks {
  private static final int DIFFERENT = 4096;

  private RandomBlocks() {}

  /// Returns so many blocks; after 4096 of them they repeat.
  static MemorySegment of(Arena arena, TensorType type, long blocks) {
    byte[] some = new byte[DIFFERENT * type.blockBytes()];
    // No byte then has the bits of an exponent that stands for NaN or infinity in any type.
    Random random = new Random(type.id());
    random.nextBytes(some);
    for (int i = 0; i < some.length; i++) {
      some[i] &= 0x3B;
    }
    if (type.equals(TensorType.MXFP4)) {
      // Scales near one, as of real weights: the smallest make subnormal floats, which are slow.
      for (int i = 0; i < some.length; i += type.blockBytes()) {
        some[i] |= 0x40;
      }
    }
    MemorySegment all = arena.allocate(blocks * type.blockBytes());
    for (long at = 0; at < all.byteSize(); at += some.length) {
      int length = (int) Math.min(some.length, all.byteSize() - at);
      MemorySegment.copy(some, 0, all, ValueLayout.JAVA_BYTE, at, length);
    }
    return all;
  }
}
