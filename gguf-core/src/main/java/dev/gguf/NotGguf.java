package dev.gguf;

import dev.gguf.internal.ByteSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;

/// Says what a file is that does not start like a GGUF file.
final class NotGguf {
  private NotGguf() {}

  static Finding finding(Path path, ByteSource source) throws IOException {
    if (source.size() == 0) {
      return Finding.of(FileRule.EMPTY_FILE, "the file has 0 bytes, a header has at least 24")
          .at(path, 0);
    }
    byte[] start = new byte[(int) Math.min(16, source.size())];
    source.read(0, ByteBuffer.wrap(start));
    return Finding.of(
            FileRule.NOT_GGUF,
            "not a GGUF file: the first bytes are "
                + HexFormat.ofDelimiter(" ").formatHex(start)
                + ", expected 47 47 55 46 (\"GGUF\")")
        .at(path, 0);
  }
}
