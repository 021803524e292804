package dev.gguf.cli;

import dev.gguf.HeaderSource;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorInputStream;
import org.jspecify.annotations.Nullable;

/// A model that is compressed alone, as `model.gguf.zst`.
///
/// @param path of the compressed file
/// @param suffix how it is compressed
record Packed(Path path, Suffix suffix) implements HeaderSource {
  private static final int XZ_KILOBYTES = 300_000;

  /// How files are compressed, by the ends of their names.
  enum Suffix {
    GZ(".gz", ".tgz"),
    ZST(".zst", ".tzst"),
    XZ(".xz", ".txz");

    private final String end;
    private final String tarEnd;

    Suffix(String end, String tarEnd) {
      this.end = end;
      this.tarEnd = tarEnd;
    }

    static @Nullable Suffix of(String name) {
      String lower = name.toLowerCase(Locale.ROOT);
      for (Suffix suffix : values()) {
        if (lower.endsWith(suffix.end) || lower.endsWith(suffix.tarEnd)) {
          return suffix;
        }
      }
      return null;
    }

    boolean isTar(String name) {
      String lower = name.toLowerCase(Locale.ROOT);
      return lower.endsWith(tarEnd) || lower.endsWith(".tar" + end);
    }

    /// Opens what comes out of a compressed file, bounded.
    InputStream open(Path path) throws IOException {
      Counted packed = new Counted(Files.newInputStream(path));
      try {
        return new BoundedStream(unpack(packed), () -> packed.count);
      } catch (IOException e) {
        packed.close();
        throw e;
      }
    }

    private InputStream unpack(InputStream packed) throws IOException {
      return switch (this) {
        case GZ -> new GZIPInputStream(packed, 1 << 16);
        case ZST -> new ZstdCompressorInputStream(packed);
        case XZ ->
            XZCompressorInputStream.builder()
                .setInputStream(packed)
                .setDecompressConcatenated(true)
                .setMemoryLimitKiB(XZ_KILOBYTES)
                .get();
      };
    }
  }

  /// Returns the name of the model inside: that of the file without the suffix.
  String entry() {
    String name = path.getFileName().toString();
    return name.substring(0, name.length() - suffix.end.length());
  }

  @Override
  public @Nullable Stream open(String name) throws IOException {
    String packed = path.getFileName().toString();
    Path file = path.resolveSibling(name + packed.substring(packed.length() - suffix.end.length()));
    return Files.isRegularFile(file) ? new Stream(suffix.open(file), OptionalLong.empty()) : null;
  }

  /// Counts what a decompressor takes.
  private static final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      count += one < 0 ? 0 : 1;
      return one;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int n = super.read(bytes, offset, length);
      count += Math.max(0, n);
      return n;
    }
  }
}
