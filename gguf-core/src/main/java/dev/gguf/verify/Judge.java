package dev.gguf.verify;

import dev.gguf.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks at the numbers of one type's blocks that can be wrong: the values of plain types, the
/// scales of the others. Quants cannot be wrong.
///
/// A quick look over many blocks says whether any may be at fault; it has to be as fast as the
/// memory. Then each is judged alone.
abstract class Judge {
  /// A block is in order.
  static final int FINE = 0;

  /// A number is not a number.
  static final int NAN = 1;

  /// A number is infinite.
  static final int INF = 2;

  /// A scale is no number, in a type of which ggml checks nothing.
  static final int STRICT = 4;

  /// A double that is finite, but not as a float.
  static final int WIDE = 8;

  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final Set<String> BIG_ENDIAN =
      Set.of("Q4_0", "Q8_0", "Q4_K", "Q6_K", "MXFP4", "F16", "BF16", "F32", "F64");

  /// Returns whether any of the blocks may be at fault.
  abstract boolean suspects(MemorySegment source, long at, int blocks);

  /// Returns what is wrong with a block: [#FINE] or the sum of some of the others.
  abstract int judge(MemorySegment source, long at);

  /// Returns the judge of a type, or null where the layout in this byte order is not known, or
  /// nothing of the type can be wrong.
  static @Nullable Judge of(TensorType type, ByteOrder order) {
    if (!isKnown(type, order)) {
      return null;
    }
    boolean swap = order == ByteOrder.BIG_ENDIAN;
    return switch (type.name()) {
      case "F32" -> new Values(4, 0x7F80_0000L, 0x0080_0000L, swap);
      case "F16" -> new Values(2, 0x7C00L, 0x0400L, swap);
      case "BF16" -> new Values(2, 0x7F80L, 0x0080L, swap);
      case "F64" -> new Doubles(swap);
      case "Q1_0", "Q2_0", "Q4_0", "Q5_0", "Q8_0", "IQ4_NL" -> new Halves(type, 0, swap);
      case "IQ1_S", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ4_XS" ->
          new Halves(type, 0, swap);
      case "Q3_K", "Q6_K" -> new Halves(type, type.blockBytes() - 2, swap);
      case "TQ1_0", "TQ2_0" -> new Halves(type, type.blockBytes() - 2, swap);
      case "Q4_1", "Q5_1", "Q4_K", "Q5_K" -> new Pairs(type, 0, swap, false);
      case "Q2_K" -> new Pairs(type, 80, swap, false);
      case "Q8_1" -> new Pairs(type, 0, swap, true);
      case "Q8_K" -> new ByteScales.OfQ8K();
      case "IQ1_M" -> new ByteScales.OfIq1m();
      case "MXFP4" -> new ByteScales.OfMxfp4();
      case "NVFP4" -> new ByteScales.OfNvfp4();
      default -> null;
    };
  }

  /// Returns whether it is known what the blocks hold.
  static boolean isKnown(TensorType type, ByteOrder order) {
    return type.kind() == TensorType.Kind.CURRENT
        && (order == ByteOrder.LITTLE_ENDIAN
            || type.isInteger()
            || BIG_ENDIAN.contains(type.name()));
  }

  static int judgeHalf(int bits) {
    return (bits & 0x7C00) != 0x7C00 ? FINE : (bits & 0x3FF) == 0 ? INF : NAN;
  }

  /// Floats of two or four bytes, looked at eight bytes at a time: adding the lowest bit of the
  /// exponent carries into the sign's place when all bits of the exponent are set.
  private static final class Values extends Judge {
    private final int size;
    private final long exponent;
    private final long exponents;
    private final long lowest;
    private final long carry;
    private final boolean swap;

    Values(int size, long exponent, long lowest, boolean swap) {
      this.size = size;
      this.exponent = exponent;
      long each = size == 4 ? 0x0000_0001_0000_0001L : 0x0001_0001_0001_0001L;
      this.exponents = exponent * each;
      this.lowest = lowest * each;
      this.carry = (exponent + lowest) * each;
      this.swap = swap;
    }

    @Override
    boolean suspects(MemorySegment source, long at, int blocks) {
      int bytes = blocks * size;
      int longs = bytes / 8;
      long seen = swap ? swapped(source, at, longs) : plain(source, at, longs);
      boolean suspect = (seen & carry) != 0;
      for (int i = 8 * longs; i < bytes; i += size) {
        suspect |= judge(source, at + i) != FINE;
      }
      return suspect;
    }

    private long plain(MemorySegment source, long at, int longs) {
      long seen = 0;
      for (int i = 0; i < longs; i++) {
        seen |= (source.get(LONG, at + 8L * i) & exponents) + lowest;
      }
      return seen;
    }

    private long swapped(MemorySegment source, long at, int longs) {
      long seen = 0;
      for (int i = 0; i < longs; i++) {
        seen |= (Long.reverseBytes(source.get(LONG, at + 8L * i)) & exponents) + lowest;
      }
      return seen;
    }

    @Override
    int judge(MemorySegment source, long at) {
      long bits = size == 4 ? source.get(INT, at) : source.get(SHORT, at);
      if (swap) {
        bits = size == 4 ? Integer.reverseBytes((int) bits) : Short.reverseBytes((short) bits);
      }
      if ((bits & exponent) != exponent) {
        return FINE;
      }
      return (bits & (exponent & -exponent) - 1) == 0 ? INF : NAN;
    }
  }

  private static final class Doubles extends Judge {
    private final boolean swap;

    Doubles(boolean swap) {
      this.swap = swap;
    }

    @Override
    boolean suspects(MemorySegment source, long at, int blocks) {
      boolean suspect = false;
      for (int i = 0; i < blocks; i++) {
        suspect |= !Float.isFinite((float) value(source, at + 8L * i));
      }
      return suspect;
    }

    @Override
    int judge(MemorySegment source, long at) {
      double value = value(source, at);
      if (Double.isNaN(value)) {
        return NAN;
      }
      if (Double.isInfinite(value)) {
        return INF;
      }
      return Float.isInfinite((float) value) ? WIDE : FINE;
    }

    private double value(MemorySegment source, long at) {
      long bits = source.get(LONG, at);
      return Double.longBitsToDouble(swap ? Long.reverseBytes(bits) : bits);
    }
  }

  /// Blocks with one scale of half precision.
  private static final class Halves extends Judge {
    private final int stride;
    private final int offset;
    private final boolean swap;

    Halves(TensorType type, int offset, boolean swap) {
      this.stride = type.blockBytes();
      this.offset = offset;
      this.swap = swap;
    }

    @Override
    boolean suspects(MemorySegment source, long at, int blocks) {
      // The exponent's bits and the lowest of them, where they are in the file's byte order.
      return swap
          ? any(source, at + offset, blocks, stride, 0x007C, 0x0004, 0x0080)
          : any(source, at + offset, blocks, stride, 0x7C00, 0x0400, 0x8000);
    }

    private static boolean any(
        MemorySegment source, long at, int blocks, int stride, int bits, int lowest, int carry) {
      int seen =
          switch (stride) {
            case 34 -> seen34(source, at, blocks, bits, lowest);
            case 18 -> seen18(source, at, blocks, bits, lowest);
            default -> seen(source, at, blocks, stride, bits, lowest);
          };
      return (seen & carry) != 0;
    }

    private static int seen(
        MemorySegment source, long at, int blocks, int stride, int bits, int lowest) {
      int seen = 0;
      for (int i = 0; i < blocks; i++) {
        seen |= (source.get(SHORT, at + (long) i * stride) & bits) + lowest;
      }
      return seen;
    }

    /// The same for blocks so small that a distance that the compiler does not know would cost
    /// time.
    private static int seen34(MemorySegment source, long at, int blocks, int bits, int lowest) {
      int seen = 0;
      for (int i = 0; i < blocks; i++) {
        seen |= (source.get(SHORT, at + 34L * i) & bits) + lowest;
      }
      return seen;
    }

    private static int seen18(MemorySegment source, long at, int blocks, int bits, int lowest) {
      int seen = 0;
      for (int i = 0; i < blocks; i++) {
        seen |= (source.get(SHORT, at + 18L * i) & bits) + lowest;
      }
      return seen;
    }

    @Override
    int judge(MemorySegment source, long at) {
      short bits = source.get(SHORT, at + offset);
      return judgeHalf(swap ? Short.reverseBytes(bits) : bits);
    }
  }

  /// Blocks with two numbers of half precision in a row.
  private static final class Pairs extends Judge {
    private final int stride;
    private final int offset;
    private final boolean swap;
    private final boolean strict;

    Pairs(TensorType type, int offset, boolean swap, boolean strict) {
      this.stride = type.blockBytes();
      this.offset = offset;
      this.swap = swap;
      this.strict = strict;
    }

    @Override
    boolean suspects(MemorySegment source, long at, int blocks) {
      return swap
          ? any(source, at + offset, blocks, stride, 0x007C_007C, 0x0004_0004, 0x0080_0080)
          : any(source, at + offset, blocks, stride, 0x7C00_7C00, 0x0400_0400, 0x8000_8000);
    }

    private static boolean any(
        MemorySegment source, long at, int blocks, int stride, int bits, int lowest, int carry) {
      int seen = 0;
      for (int i = 0; i < blocks; i++) {
        seen |= (source.get(INT, at + (long) i * stride) & bits) + lowest;
      }
      return (seen & carry) != 0;
    }

    @Override
    int judge(MemorySegment source, long at) {
      int bits = source.get(INT, at + offset);
      int both = swap ? Integer.reverseBytes(bits) : bits;
      int judged = judgeHalf(both) | judgeHalf(both >>> 16);
      return strict && judged != FINE ? STRICT : judged;
    }
  }
}
