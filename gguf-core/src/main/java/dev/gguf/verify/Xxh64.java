package dev.gguf.verify;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The 64-bit hash of the xxHash family (XXH64), from its public specification: four lanes of eight
/// bytes each, which are merged and mixed with the rest at the end.
///
/// Not a cryptographic hash: it finds damage, not malice. An instance is for one thread.
public final class Xxh64 {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final long PRIME1 = 0x9E3779B185EBCA87L;
  private static final long PRIME2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME3 = 0x165667B19E3779F9L;
  private static final long PRIME4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME5 = 0x27D4EB2F165667C5L;
  private static final int STRIPE = 32;
  private static final int LANES = 4;
  private static final int STRIPES = 512;

  private final long seed;
  private long lane1;
  private long lane2;
  private long lane3;
  private long lane4;
  private long length;
  private final byte[] rest = new byte[STRIPE];
  private final MemorySegment restBytes = MemorySegment.ofArray(rest);
  private final long[] words = new long[STRIPES * LANES];
  private int resting;

  /// Starts with the seed 0.
  public Xxh64() {
    this(0);
  }

  /// Starts with a seed.
  public Xxh64(long seed) {
    this.seed = seed;
    lane1 = seed + PRIME1 + PRIME2;
    lane2 = seed + PRIME2;
    lane3 = seed;
    lane4 = seed - PRIME1;
  }

  /// Takes more bytes.
  public void update(MemorySegment bytes) {
    long size = bytes.byteSize();
    length += size;
    long at = 0;
    if (resting > 0) {
      at = Math.min(STRIPE - resting, size);
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, 0, rest, resting, (int) at);
      resting += (int) at;
      if (resting < STRIPE) {
        return;
      }
      stripes(restBytes, 0, 1);
      resting = 0;
    }
    // In steps, so that the loop counts in an int.
    while (size - at >= STRIPE) {
      int stripes = (int) Math.min(1 << 20, (size - at) / STRIPE);
      stripes(bytes, at, stripes);
      at += (long) stripes * STRIPE;
    }
    resting = (int) (size - at);
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, rest, 0, resting);
  }

  /// Runs over an array, of which the compiler makes a better loop than of a segment.
  private void stripes(MemorySegment bytes, long at, int stripes) {
    for (int done = 0; done < stripes; done += STRIPES) {
      int now = Math.min(STRIPES, stripes - done);
      MemorySegment.copy(bytes, LONG, at + (long) done * STRIPE, words, 0, now * LANES);
      words(now * LANES);
    }
  }

  private void words(int count) {
    long a = lane1;
    long b = lane2;
    long c = lane3;
    long d = lane4;
    for (int i = 0; i < count; i += LANES) {
      a = round(a, words[i]);
      b = round(b, words[i + 1]);
      c = round(c, words[i + 2]);
      d = round(d, words[i + 3]);
    }
    lane1 = a;
    lane2 = b;
    lane3 = c;
    lane4 = d;
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME2, 31) * PRIME1;
  }

  /// Returns the hash of all bytes taken so far; more may follow.
  public long digest() {
    long hash;
    if (length >= STRIPE) {
      hash =
          Long.rotateLeft(lane1, 1)
              + Long.rotateLeft(lane2, 7)
              + Long.rotateLeft(lane3, 12)
              + Long.rotateLeft(lane4, 18);
      hash = merge(hash, lane1);
      hash = merge(hash, lane2);
      hash = merge(hash, lane3);
      hash = merge(hash, lane4);
    } else {
      hash = seed + PRIME5;
    }
    return avalanche(tail(hash + length));
  }

  private static long merge(long hash, long lane) {
    return (hash ^ round(0, lane)) * PRIME1 + PRIME4;
  }

  private long tail(long start) {
    long hash = start;
    int at = 0;
    for (; at + 8 <= resting; at += 8) {
      hash = Long.rotateLeft(hash ^ round(0, restBytes.get(LONG, at)), 27) * PRIME1 + PRIME4;
    }
    if (at + 4 <= resting) {
      long word = Integer.toUnsignedLong(restBytes.get(INT, at));
      hash = Long.rotateLeft(hash ^ word * PRIME1, 23) * PRIME2 + PRIME3;
      at += 4;
    }
    for (; at < resting; at++) {
      hash = Long.rotateLeft(hash ^ (rest[at] & 255) * PRIME5, 11) * PRIME1;
    }
    return hash;
  }

  private static long avalanche(long start) {
    long hash = (start ^ start >>> 33) * PRIME2;
    hash = (hash ^ hash >>> 29) * PRIME3;
    return hash ^ hash >>> 32;
  }
}
