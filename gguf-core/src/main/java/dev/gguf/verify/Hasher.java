package dev.gguf.verify;

import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// A hash of bytes that come in pieces.
interface Hasher {
  /// Takes the first bytes of the array.
  void update(byte[] bytes, int length);

  /// Returns the hash in hexadecimal, and starts anew.
  String finish();

  /// XXH64 with the seed 0.
  final class OfXxh64 implements Hasher {
    private Xxh64 hash = new Xxh64();

    @Override
    public void update(byte[] bytes, int length) {
      update(MemorySegment.ofArray(bytes).asSlice(0, length));
    }

    /// Takes all bytes of the segment.
    void update(MemorySegment bytes) {
      hash.update(bytes);
    }

    @Override
    public String finish() {
      String hex = HexFormat.of().toHexDigits(hash.digest());
      hash = new Xxh64();
      return hex;
    }
  }

  /// A digest of the platform.
  final class OfDigest implements Hasher {
    private final MessageDigest digest;

    private OfDigest(MessageDigest digest) {
      this.digest = digest;
    }

    static OfDigest of(String name) {
      try {
        return new OfDigest(MessageDigest.getInstance(name));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has " + name, e);
      }
    }

    @Override
    public void update(byte[] bytes, int length) {
      digest.update(bytes, 0, length);
    }

    @Override
    public String finish() {
      return HexFormat.of().formatHex(digest.digest());
    }
  }
}
