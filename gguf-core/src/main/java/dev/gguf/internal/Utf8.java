package dev.gguf.internal;

/// Tells whether bytes are well-formed UTF-8.
public final class Utf8 {
  private Utf8() {}

  /// Returns whether `length` bytes from `offset` are well-formed UTF-8.
  public static boolean isValid(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int i = offset;
    while (i < end) {
      int b = bytes[i++];
      if (b >= 0) {
        continue;
      }
      int more = (b & 0xe0) == 0xc0 ? 1 : (b & 0xf0) == 0xe0 ? 2 : (b & 0xf8) == 0xf0 ? 3 : -1;
      if (more < 0 || i + more > end) {
        return false;
      }
      int code = b & (0x3f >> more);
      for (int k = 0; k < more; k++) {
        int next = bytes[i++];
        if ((next & 0xc0) != 0x80) {
          return false;
        }
        code = code << 6 | next & 0x3f;
      }
      boolean overlong = code < (more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000);
      if (overlong || code > 0x10ffff || code >= 0xd800 && code <= 0xdfff) {
        return false;
      }
    }
    return true;
  }
}
