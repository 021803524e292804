package dev.gguf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/// Damages bytes: flips, cuts, repeats, and numbers that are famous for trouble.
final class Mutation {
  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    8,
    9,
    12,
    13,
    255,
    256,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    0xffff_ffffL,
    0x1_0000_0000L,
    1L << 60,
    1L << 62,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MAX_VALUE - 31,
    -64
  };

  private Mutation() {}

  /// Returns a damaged copy.
  static byte[] of(byte[] sound, Random random) {
    byte[] bytes = sound.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && bytes.length > 0; i++) {
      bytes = change(bytes, random);
    }
    return bytes;
  }

  private static byte[] change(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(8)) {
      case 0, 1 -> bytes[at] = (byte) random.nextInt();
      case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 3, 4 -> number(bytes, at, random, 8);
      case 5 -> number(bytes, at, random, 4);
      case 6 -> {
        return Arrays.copyOf(bytes, at);
      }
      default -> {
        return repeat(bytes, at, random);
      }
    }
    return bytes;
  }

  private static void number(byte[] bytes, int at, Random random, int width) {
    ByteBuffer number =
        ByteBuffer.allocate(8)
            .order(random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    long value = NUMBERS[random.nextInt(NUMBERS.length)];
    if (width == 8) {
      number.putLong(0, value);
    } else {
      number.putInt(0, (int) value);
    }
    for (int i = 0; i < width && at + i < bytes.length; i++) {
      bytes[at + i] = number.get(i);
    }
  }

  /// Puts a piece of the bytes in a second time.
  private static byte[] repeat(byte[] bytes, int at, Random random) {
    int length = Math.min(1 + random.nextInt(64), bytes.length - at);
    byte[] longer = new byte[bytes.length + length];
    System.arraycopy(bytes, 0, longer, 0, at + length);
    System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
    return longer;
  }
}
