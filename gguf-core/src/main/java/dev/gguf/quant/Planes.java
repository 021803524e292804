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
  private final byte[] quants;
  private final byte[] scales;
  private final byte[] minima;
  private final short[] factors;
  private final short[] offsets;
  private final MemorySegment factorBytes;

  Planes(int elements) {
    quants = new byte[elements];
    scales = new byte[elements];
    minima = new byte[elements];
    factors = new short[elements];
    offsets = new short[elements];
    factorBytes = MemorySegment.ofArray(factors);
  }

  /// Sets eight signed quants, the first in the lowest byte.
  void quants(int element, long eight) {
    Bytes.setEight(quants, element, eight);
  }

  /// Turns the first quants, which are floats with a sign, two bits of exponent and one of
  /// mantissa, into twice their values: 0, 1, 2, 3, 4, 6, 8, 12, or less than zero. Minus zero
  /// becomes zero.
  void floats(int elements) {
    for (int i = 0; i < elements; i++) {
      byte bits = quants[i];
      // All in bytes, and computed, since vector instructions cannot look a table up.
      byte sign = (byte) (bits >> 3);
      byte isAbove = (byte) -(bits >> 2 & 1);
      byte bothLow = (byte) (bits & bits >> 1 & 1);
      // From four on the values grow faster than the bits: by 0, 1, 2 and 5.
      byte more = (byte) ((bits & 3) + bothLow + bothLow);
      byte value = (byte) ((bits & 7) + (isAbove & more));
      quants[i] = (byte) ((value ^ (byte) -sign) + sign);
    }
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

  /// Sets the half-precision factor of elements in a row, a multiple of four.
  void factor(int element, int count, short half) {
    long four = 0x0001_0001_0001_0001L * (half & 0xFFFF);
    for (int i = 0; i < 2 * count; i += 8) {
      factorBytes.set(ValueLayout.JAVA_LONG_UNALIGNED, 2L * element + i, four);
    }
  }

  /// Sets the power of two of the 32 elements of a block.
  ///
  /// @param bits the upper half of the float's bits; the lower is zero
  void power(int element, short bits) {
    factors[element] = bits;
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

  /// Writes quant times the power of two of the block.
  ///
  /// The powers are put into the target first: of the product of two arrays of floats the compiler
  /// makes no vector instructions if one of them could be the target at another place.
  void powers(float[] target, int to, int elements) {
    for (int i = 0; i < elements; i += 32) {
      float power = Float.intBitsToFloat(factors[i] << 16);
      Arrays.fill(target, to + i, to + i + 32, power);
    }
    for (int i = 0; i < elements; i++) {
      target[to + i] *= quants[i];
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
