package dev.gguf.quant;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Elements of some blocks taken apart: one array for each part of the formula, all with one entry
/// an element.
///
/// Blocks are unpacked eight bytes at a time into these arrays. The formula then runs over all of
/// them in one long loop without a branch, which the compiler turns into vector instructions; the
/// short loops over single groups, each with a scale of its own, it does not.
final class Planes {
  private static final int MOST = 2048;

  private final byte[] quants;
  private final byte[] scales;
  private final byte[] minima;
  private final short[] factors;
  private final short[] offsets;
  private final MemorySegment factorBytes;

  /// Makes room for as many elements, or fewer where they are too many to stay in a first-level
  /// cache.
  Planes(int elements) {
    int room = Math.min(MOST, elements);
    quants = new byte[room];
    scales = new byte[room];
    minima = new byte[room];
    factors = new short[room];
    offsets = new short[room];
    factorBytes = MemorySegment.ofArray(factors);
  }

  /// Sets eight signed quants, the first in the lowest byte.
  void quants(int element, long eight) {
    Bytes.setEight(quants, element, eight);
  }

  /// Sets the scale of elements in a row, a multiple of eight.
  void scale(int element, int count, int scale) {
    fill(scales, element, count, scale);
  }

  /// Sets the minimum of elements in a row, a multiple of eight.
  void minimum(int element, int count, int minimum) {
    fill(minima, element, count, minimum);
  }

  private static void fill(byte[] plane, int element, int count, int value) {
    long eight = Bytes.EACH * (value & 255);
    for (int i = 0; i < count; i += 8) {
      Bytes.setEight(plane, element + i, eight);
    }
  }

  /// Sets the half-precision factor of the 32 elements of a block.
  void factor(int element, short half) {
    long four = 0x0001_0001_0001_0001L * (half & 0xFFFF);
    for (int i = 0; i < 64; i += 8) {
      factorBytes.set(ValueLayout.JAVA_LONG_UNALIGNED, 2L * element + i, four);
    }
  }

  /// Sets the half-precision factor of the scales of 256 elements.
  void factor256(int element, short half) {
    Arrays.fill(factors, element, element + 256, half);
  }

  /// Sets the half-precision factor of the minima of 256 elements.
  void offset256(int element, short half) {
    Arrays.fill(offsets, element, element + 256, half);
  }

  /// Writes quant times factor.
  void factors(float[] target, int to, int elements) {
    for (int i = 0; i < elements; i++) {
      target[to + i] = quants[i] * Float.float16ToFloat(factors[i]);
    }
  }

  /// Writes quant times scale times factor.
  void scales(float[] target, int to, int elements) {
    for (int i = 0; i < elements; i++) {
      target[to + i] = Float.float16ToFloat(factors[i]) * scales[i] * quants[i];
    }
  }

  /// Writes quant times scale times factor, less minimum times offset.
  void scalesAndMinima(float[] target, int to, int elements) {
    for (int i = 0; i < elements; i++) {
      target[to + i] =
          Float.float16ToFloat(factors[i]) * scales[i] * quants[i]
              - Float.float16ToFloat(offsets[i]) * minima[i];
    }
  }
}
