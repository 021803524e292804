package dev.gguf.verify;

import java.util.Locale;
import java.util.Optional;

/// The hashes of tensor data.
public enum HashAlgorithm {
  /// Fast, against damage only: [Xxh64] with the seed 0.
  XXH64(16),
  /// SHA-1.
  SHA1(40),
  /// SHA-256.
  SHA256(64);

  private final String label = name().toLowerCase(Locale.ROOT);
  private final int digits;

  HashAlgorithm(int digits) {
    this.digits = digits;
  }

  /// Returns the word in manifests and on the command line.
  public String label() {
    return label;
  }

  /// Returns the number of hexadecimal digits.
  public int digits() {
    return digits;
  }

  /// Returns the algorithm with this label.
  public static Optional<HashAlgorithm> of(String label) {
    for (HashAlgorithm algorithm : values()) {
      if (algorithm.label.equals(label)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }

  Hasher start() {
    return switch (this) {
      case XXH64 -> new Hasher.OfXxh64();
      case SHA1 -> Hasher.OfDigest.of("SHA-1");
      case SHA256 -> Hasher.OfDigest.of("SHA-256");
    };
  }
}
