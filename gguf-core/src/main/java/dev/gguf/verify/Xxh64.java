package dev.gguf.verify;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The 64-bit hash of the xxHash family (XXH64), from its public specification: four lanes of eight
/// bytes each, which are merged and mixed with the rest at the end.
///
/// Not a cryptographic hash: it finds damage, not malice. An instance is for one thread.
public final class Xxh64 {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long PRIME1 = 0x9E3779B185EBCA87L;
  private static final long PRIME2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME3 = 0x165667B19E3779F9L;
  private static final long PRIME4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME5 = 0x27D4EB2F165667C5L;
  private static final int STRIPE = 32;
  private static final int LINE = 64;
  private static final int PIECE = 8 * LINE;
  private static final int AHEAD = 3 * PIECE;

  private final long seed;
  private long lane1;
  private long lane2;
  private long lane3;
  private long lane4;
  private long length;
  private final byte[] rest = new byte[STRIPE];
  private int resting;

  /// Keeps the compiler from leaving out [#fetch]; its value means nothing.
  @SuppressWarnings("UnusedVariable")
  private long fetched;

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
      // Not by way of a segment: the loop over segments should only ever meet one kind of them.
      lane1 = round(lane1, (long) LONGS.get(rest, 0));
      lane2 = round(lane2, (long) LONGS.get(rest, 8));
      lane3 = round(lane3, (long) LONGS.get(rest, 16));
      lane4 = round(lane4, (long) LONGS.get(rest, 24));
      resting = 0;
    }
    long end = at + (size - at) / STRIPE * STRIPE;
    for (; at < end; at += PIECE) {
      if (end - at >= AHEAD + PIECE) {
        fetch(bytes, at + AHEAD);
      }
      stripes(bytes, at, (int) Math.min(PIECE, end - at) / STRIPE);
    }
    resting = (int) (size - end);
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, end, rest, 0, resting);
  }

  /// Reads one word of every cache line of a piece, and so has the memory deliver the lines
  /// together while pieces before it are hashed. The rounds alone cannot ask for them in time: each
  /// waits for its lane, and few fit into the window in which a processor looks ahead.
  private void fetch(MemorySegment bytes, long at) {
    long words = 0;
    for (int line = 0; line < PIECE; line += LINE) {
      words ^= bytes.get(LONG, at + line);
    }
    fetched ^= words;
  }

  private void stripes(MemorySegment bytes, long at, int count) {
    long a = lane1;
    long b = lane2;
    long c = lane3;
    long d = lane4;
    for (int i = 0; i < count; i++) {
      long stripe = at + (long) i * STRIPE;
      a = round(a, bytes.get(LONG, stripe));
      b = round(b, bytes.get(LONG, stripe + 8));
      c = round(c, bytes.get(LONG, stripe + 16));
      d = round(d, bytes.get(LONG, stripe + 24));
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
      hash = Long.rotateLeft(hash ^ round(0, (long) LONGS.get(rest, at)), 27) * PRIME1 + PRIME4;
    }
    if (at + 4 <= resting) {
      long word = Integer.toUnsignedLong((int) INTS.get(rest, at));
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
