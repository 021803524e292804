package dev.gguf.verify;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Judges of the types whose scales are not single halves: eight-bit exponents and floats, a float,
/// and a half in four pieces.
final class ByteScales {
  private ByteScales() {}

  /// The scale is a byte, the exponent of a power of two; 255 is not a number.
  static final class OfMxfp4 extends Judge {
    @Override
    boolean suspects(MemorySegment source, long at, int blocks) {
      int seen = 0;
      for (int i = 0; i < blocks; i++) {
        seen |= (source.get(ValueLayout.JAVA_BYTE, at + 17L * i) & 255) + 1;
      }
      return (seen & 256) != 0;
    }

    @Override
    int judge(MemorySegment source, long at) {
      return source.get(ValueLayout.JAVA_BYTE, at) == -1 ? NAN : FINE;
    }
  }

  /// Four scales in four bytes; 0x7F and 0xFF are not numbers, and ggml checks none of them.
  static final class OfNvfp4 extends Judge {
    private static final int BITS = 0x7F7F_7F7F;
    private static final int LOWEST = 0x0101_0101;
    private static final int CARRY = 0x8080_8080;

    @Override
    boolean suspects(MemorySegment source, long at, int blocks) {
      int seen = 0;
      for (int i = 0; i < blocks; i++) {
        seen |= (source.get(INT, at + 36L * i) & BITS) + LOWEST;
      }
      return (seen & CARRY) != 0;
    }

    @Override
    int judge(MemorySegment source, long at) {
      return ((source.get(INT, at) & BITS) + LOWEST & CARRY) != 0 ? STRICT : FINE;
    }
  }

  /// The scale is a float.
  static final class OfQ8K extends Judge {
    @Override
    boolean suspects(MemorySegment source, long at, int blocks) {
      int seen = 0;
      for (int i = 0; i < blocks; i++) {
        seen |= (source.get(INT, at + 292L * i) & 0x7F80_0000) + 0x0080_0000;
      }
      return seen < 0;
    }

    @Override
    int judge(MemorySegment source, long at) {
      float scale = Float.intBitsToFloat(source.get(INT, at));
      return Float.isNaN(scale) ? NAN : Float.isInfinite(scale) ? INF : FINE;
    }
  }

  /// The bits of the scale are the top nibbles of four words, the lowest first: the exponent is in
  /// the last and the upper half of the one before.
  static final class OfIq1m extends Judge {
    private static final long EXPONENT = 0x7000_C000_0000_0000L;

    @Override
    boolean suspects(MemorySegment source, long at, int blocks) {
      boolean suspect = false;
      for (int i = 0; i < blocks; i++) {
        suspect |= (source.get(LONG, at + 56L * i + 48) & EXPONENT) == EXPONENT;
      }
      return suspect;
    }

    @Override
    int judge(MemorySegment source, long at) {
      long words = source.get(LONG, at + 48);
      int bits = 0;
      for (int word = 0; word < 4; word++) {
        bits |= (int) (words >>> 16 * word + 12 & 15) << 4 * word;
      }
      return judgeHalf(bits);
    }
  }
}
