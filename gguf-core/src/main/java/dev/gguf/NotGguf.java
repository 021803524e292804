package dev.gguf;

import dev.gguf.internal.ByteSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Says what a file is that does not start like a GGUF file.
final class NotGguf {
  private static final int LOOKED_AT = 4096;
  private static final int SEARCHED = 1 << 20;
  private static final int SHOWN = 16;
  private static final int QUOTED = 80;

  private NotGguf() {}

  /// What a file is, and what to do instead.
  private record Kind(String message, @Nullable String hint) {}

  static Finding finding(Path path, ByteSource source) throws IOException {
    if (source.size() == 0) {
      return Finding.of(FileRule.EMPTY_FILE, "the file has 0 bytes, a header has at least 24")
          .at(path, 0)
          .withHint("fetch the file again");
    }
    byte[] start = read(source, 0, LOOKED_AT);
    if (start.length < 4 && "GGUF".startsWith(text(start))) {
      return Finding.of(
              FileRule.FILE_TOO_SHORT,
              "the file has " + source.size() + " bytes, a header has at least 24")
          .at(path, 0)
          .withHint("fetch the file again");
    }
    LfsPointer pointer = LfsPointer.of(start, source.size());
    Kind kind =
        pointer != null
            ? new Kind(pointer.message(path), LfsPointer.hint(path))
            : kind(path, start, source);
    Finding finding =
        Finding.of(
                FileRule.NOT_GGUF,
                "not a GGUF file: "
                    + kind.message
                    + "; the first bytes are "
                    + HexFormat.ofDelimiter(" ").formatHex(start, 0, Math.min(SHOWN, start.length))
                    + ", GGUF files start with 47 47 55 46")
            .at(path, 0);
    return kind.hint == null ? finding : finding.withHint(kind.hint);
  }

  private static Kind kind(Path path, byte[] start, ByteSource source) throws IOException {
    RawSlice slice = RawSlice.of(path);
    if (slice != null && slice.number() != 1) {
      return new Kind(
          "by its name slice " + slice.text() + " of a file that was cut into raw pieces",
          slice.hint());
    }
    Kind kind = byMagic(start);
    kind = kind == null ? byText(start) : kind;
    kind = kind == null ? bySafetensors(start, source.size()) : kind;
    long magic = magicOffset(source);
    if (magic > 0) {
      String what = (kind == null ? "other bytes come first" : kind.message);
      return new Kind(
          what + "; a GGUF header starts at byte " + magic + ", inside this file",
          "tail -c +" + (magic + 1) + " '" + path.getFileName() + "' > model.gguf");
    }
    if (kind != null) {
      return kind;
    }
    return isZero(start)
        ? new Kind(
            "its first "
                + start.length
                + " bytes are zero, as a download leaves them whose start"
                + " was never written",
            "fetch the file again")
        : new Kind("none of the formats known here", null);
  }

  private static @Nullable Kind byMagic(byte[] start) {
    if (starts(start, "FUGG")) {
      return new Kind(
          "the magic is byte-swapped (FUGG), which no released reader takes",
          "make the file again with a released converter");
    }
    if (starts(start, "PK\u0003\u0004") || starts(start, "PK\u0005\u0006")) {
      return new Kind(
          "a zip archive, probably a PyTorch checkpoint",
          "convert the checkpoint to GGUF, or unpack the archive if the model is inside");
    }
    if (bytes(start, 0x1f, 0x8b)) {
      return packed("gzip", "gzip -dc");
    }
    if (bytes(start, 0x28, 0xb5, 0x2f, 0xfd)) {
      return packed("zstd", "zstd -dc");
    }
    if (bytes(start, 0xfd, '7', 'z', 'X', 'Z', 0)) {
      return packed("xz", "xz -dc");
    }
    if (starts(start, "BZh")) {
      return packed("bzip2", "bzip2 -dc");
    }
    if (bytes(start, '7', 'z', 0xbc, 0xaf, 0x27, 0x1c)) {
      return new Kind("a 7z archive", "unpack it with 7z x");
    }
    if (starts(start, "Rar!")) {
      return new Kind("a rar archive", "unpack it");
    }
    if (start.length > 262 && text(start).startsWith("ustar", 257)) {
      return new Kind("a tar archive", "unpack it with tar -xf");
    }
    Kind legacy = legacy(start);
    if (legacy != null) {
      return legacy;
    }
    if (bytes(start, 0x80) && start.length > 1 && start[1] >= 2 && start[1] <= 5) {
      return new Kind(
          "a Python pickle, probably an old PyTorch checkpoint", "convert the checkpoint to GGUF");
    }
    if (bytes(start, 0x89, 'H', 'D', 'F')) {
      return new Kind("an HDF5 file, probably a Keras checkpoint", "fetch the GGUF file instead");
    }
    if (bytes(start, 0x93, 'N', 'U', 'M', 'P', 'Y')) {
      return new Kind("a numpy array", "fetch the GGUF file instead");
    }
    return starts(start, "MZ") || bytes(start, 0x7f, 'E', 'L', 'F')
        ? new Kind("a program", null)
        : null;
  }

  private static Kind packed(String format, String command) {
    return new Kind("compressed with " + format, "unpack it: " + command + " FILE > model.gguf");
  }

  /// The formats of ggml before GGUF, whose magic is a number in the byte order of the machine.
  private static @Nullable Kind legacy(byte[] start) {
    String magic = text(Arrays.copyOf(start, 4));
    String name =
        switch (magic) {
          case "lmgg", "ggml" -> "GGML";
          case "fmgg", "ggmf" -> "GGMF";
          case "tjgg", "ggjt" -> "GGJT";
          case "algg", "ggla" -> "GGLA";
          default -> "";
        };
    if (name.isEmpty()) {
      return null;
    }
    return new Kind(
        switch (name) {
          case "GGLA" -> "a LoRA adapter in the format GGLA, from before GGUF";
          case "GGML" -> "a file in the format GGML, from before GGUF; whisper.cpp uses it still";
          default -> "a model in the format " + name + ", from before GGUF";
        },
        "fetch or convert the model as GGUF; whisper.cpp loads files of its own format");
  }

  private static @Nullable Kind byText(byte[] start) {
    int at = 0;
    if (bytes(start, 0xef, 0xbb, 0xbf)) {
      at = 3;
    }
    while (at < start.length && isSpace(start[at])) {
      at++;
    }
    if (at == start.length) {
      return null;
    }
    if (start[at] == '<' && at + 1 < start.length && isMarkup(start[at + 1])) {
      return new Kind(
          "an HTML or XML page",
          "the link led to a web page: on Hugging Face take /resolve/ instead of /blob/ in it, and"
              + " log in if the model is gated");
    }
    int end = Math.min(start.length, QUOTED);
    for (int i = at; i < end; i++) {
      if (start[i] < ' ' && !isSpace(start[i]) || start[i] == 0x7f) {
        return null;
      }
    }
    boolean json = start[at] == '{' || start[at] == '[';
    StringBuilder quote = new StringBuilder();
    for (int i = at; i < end; i++) {
      quote.append(isSpace(start[i]) ? ' ' : (char) start[i]);
    }
    return new Kind(
        (json ? "JSON" : "text") + ", which begins \"" + quote.toString().strip() + '"',
        "the server may have sent an error instead of the file: fetch it again");
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  private static boolean isMarkup(byte b) {
    return b == '!' || b == '?' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
  }

  private static @Nullable Kind bySafetensors(byte[] start, long size) {
    if (start.length < 10 || start[8] != '{') {
      return null;
    }
    long length = 0;
    for (int i = 7; i >= 0; i--) {
      length = length << 8 | start[i] & 0xff;
    }
    // Writers of the format allow headers of at most 100 MB; a cut file may end inside its header.
    if (length < 2 || length > 100_000_000 || size < 10) {
      return null;
    }
    return new Kind(
        "a safetensors file with a header of " + length + " bytes",
        "fetch the GGUF file, or convert the checkpoint: python convert_hf_to_gguf.py FOLDER");
  }

  /// Returns where a GGUF header starts inside the file, or -1: anywhere in the first 4 KiB, on
  /// multiples of 4 in the first MiB.
  private static long magicOffset(ByteSource source) throws IOException {
    byte[] bytes = read(source, 0, SEARCHED);
    for (int i = 1; i + 8 <= bytes.length; i += i < LOOKED_AT ? 1 : 4) {
      if (bytes[i] == 'G' && bytes[i + 1] == 'G' && bytes[i + 2] == 'U' && bytes[i + 3] == 'F') {
        int low = bytes[i + 4] & 0xff;
        int high = bytes[i + 7] & 0xff;
        boolean inner = bytes[i + 5] == 0 && bytes[i + 6] == 0;
        if (inner && (low >= 1 && low <= 3 && high == 0 || low == 0 && high >= 1 && high <= 3)) {
          return i;
        }
      }
    }
    return -1;
  }

  private static byte[] read(ByteSource source, long position, int most) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, source.size() - position));
    source.read(position, bytes);
    byte[] read = new byte[bytes.position()];
    bytes.flip().get(read);
    return read;
  }

  private static boolean isZero(byte[] bytes) {
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean starts(byte[] bytes, String magic) {
    return text(bytes).startsWith(magic);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static boolean bytes(byte[] start, int... magic) {
    if (start.length < magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((start[i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }
}
