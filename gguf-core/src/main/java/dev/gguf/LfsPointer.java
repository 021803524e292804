package dev.gguf;

import dev.gguf.internal.ShardName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The few lines that Git keeps in place of a large file: which object it is, and its size.
///
/// @param oid digest of the file with the name of its algorithm in front
/// @param size bytes of the file as the pointer writes them, or empty if it names none
record LfsPointer(String oid, String size) {
  private static final String START = "version https://git-lfs.github.com/spec/";
  private static final int LONGEST = 1024;

  /// Returns the pointer that these first bytes of a file are, or null.
  static @Nullable LfsPointer of(byte[] start, long fileSize) {
    if (fileSize > LONGEST) {
      return null;
    }
    String text = new String(start, StandardCharsets.UTF_8);
    return text.startsWith(START) || text.startsWith("version https://hawser.github.com/spec/")
        ? new LfsPointer(value(text, "oid "), value(text, "size "))
        : null;
  }

  private static String value(String text, String key) {
    int line = text.indexOf("\n" + key);
    if (line < 0) {
      return "";
    }
    int from = line + 1 + key.length();
    int end = text.indexOf('\n', from);
    return text.substring(from, end < 0 ? text.length() : end).strip();
  }

  /// Says what the pointer at this path stands for, and how many of its set are pointers too.
  String message(Path path) {
    StringBuilder text = new StringBuilder("a Git LFS pointer to the file, not the file itself");
    if (!oid.isEmpty()) {
      text.append("; oid ").append(oid);
    }
    if (!size.isEmpty()) {
      text.append("; the file has ").append(size).append(" bytes");
    }
    ShardName name = ShardName.of(path).orElse(null);
    if (name != null && name.count() > 1) {
      set(path, name, text);
    }
    return text.toString();
  }

  private static void set(Path path, ShardName name, StringBuilder text) {
    long sum = 0;
    int pointers = 0;
    for (int number = 1; number <= Math.min(name.count(), 65_535); number++) {
      LfsPointer other = at(path.resolveSibling(name.sibling(number)));
      if (other != null) {
        pointers++;
        sum += other.bytes();
      }
    }
    text.append("; ")
        .append(pointers)
        .append(" of ")
        .append(name.count())
        .append(" files of the set are pointers, to ")
        .append(Long.toUnsignedString(sum))
        .append(" bytes together");
  }

  private static @Nullable LfsPointer at(Path path) {
    try {
      return Files.isRegularFile(path) && Files.size(path) <= LONGEST
          ? of(Files.readAllBytes(path), Files.size(path))
          : null;
    } catch (IOException e) {
      return null;
    }
  }

  private long bytes() {
    try {
      return Long.parseLong(size);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  static String hint(Path path) {
    ShardName name = ShardName.of(path).orElse(null);
    String what =
        name == null ? String.valueOf(path.getFileName()) : name.prefix() + "-*-of-*.gguf";
    return "git lfs pull --include '" + what + "'";
  }
}
