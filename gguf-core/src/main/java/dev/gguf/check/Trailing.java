package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Severity;
import dev.gguf.internal.Numbers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// Bytes behind the end of a file's layout: how many, and whether they are another GGUF file that
/// was glued to this one.
final class Trailing {
  private static final int WINDOW = 1 << 16;
  private static final long MAX_SEARCHED = 1 << 26;
  private static final int MAGIC = 0x46554747;
  private static final int HEADER = 24;

  private Trailing() {}

  /// @param end where the layout ends, padding included; the file is longer
  static void check(GgufFile file, long end, List<Finding> findings) throws GgufException {
    long extra = file.size() - end;
    String what =
        Numbers.bytes(extra) + " follow the end of the last tensor's padding at byte " + end;
    if (file.tensors().isEmpty()) {
      what = Numbers.bytes(extra) + " follow the end of the header at byte " + end;
    }
    // A download that was resumed from the start ends with one whole copy of the file.
    long second = isHeader(file, extra) && extra < end ? extra : -1;
    second = second < 0 ? search(file, end, file.size()) : second;
    second = second < 0 ? search(file, HEADER, end) : second;
    if (second < 0) {
      findings.add(
          Finding.of(FileRule.TRAILING_BYTES, what + " and belong to nothing")
              .at(file.path(), end)
              .withHint("head -c " + end + " " + quoted(file) + " > whole.gguf"));
      return;
    }
    findings.add(
        Finding.of(
                FileRule.TRAILING_BYTES,
                what + "; another GGUF header starts at byte " + second + looks(file, end, second))
            .withSeverity(Severity.ERROR)
            .at(file.path(), second)
            .withHint(hint(file, end, second)));
  }

  private static String looks(GgufFile file, long end, long second) throws GgufException {
    if (splitCount(file) > 1 && second >= end) {
      return ": split.count is "
          + splitCount(file)
          + ", so shards were joined with cat instead of being merged";
    }
    if (isRestart(file, end, second)) {
      return ", with the same header: a download was restarted and the whole file appended to its"
          + " first "
          + second
          + " bytes";
    }
    return isCopy(file, second)
        ? ": the same file follows once more"
        : ": another file was appended with cat";
  }

  private static String hint(GgufFile file, long end, long second) throws GgufException {
    if (splitCount(file) > 1 && second >= end) {
      return "cut the file into its shards again (head -c "
          + second
          + " "
          + quoted(file)
          + " is the first) or fetch them, then gguf merge FIRST-SHARD OUT";
    }
    return isRestart(file, end, second)
        ? "tail -c +" + (second + 1) + " " + quoted(file) + " > whole.gguf"
        : "head -c " + end + " " + quoted(file) + " > whole.gguf";
  }

  private static boolean isRestart(GgufFile file, long end, long second) throws GgufException {
    return second < end && isCopy(file, second);
  }

  private static String quoted(GgufFile file) {
    return "'" + file.path().getFileName() + "'";
  }

  static long splitCount(GgufFile file) {
    Metadata.Entry entry = file.metadata().find("split.count").orElse(null);
    return entry != null && entry.type().isInteger() ? entry.bits() : 0;
  }

  /// Whether the file's own header stands at another place as well.
  private static boolean isCopy(GgufFile file, long second) throws GgufException {
    int count = (int) Math.min(Math.min(file.headerEnd(), WINDOW), file.size() - second);
    ByteBuffer first = ByteBuffer.allocate(count);
    ByteBuffer other = ByteBuffer.allocate(count);
    file.read(0, first);
    file.read(second, other);
    return first.flip().equals(other.flip());
  }

  private static long search(GgufFile file, long from, long to) throws GgufException {
    if (file.isHeaderOnly()) {
      return -1;
    }
    ByteBuffer window = ByteBuffer.allocate(WINDOW).order(ByteOrder.LITTLE_ENDIAN);
    long stop = Math.min(to, from + MAX_SEARCHED);
    for (long at = from; at < stop; at += WINDOW - 3) {
      int n = file.read(at, window.clear());
      byte[] bytes = window.array();
      for (int i = 0; i + 4 <= n; i++) {
        if (bytes[i] == 'G' && window.getInt(i) == MAGIC && at + i < to && isHeader(file, at + i)) {
          return at + i;
        }
      }
      if (n < WINDOW) {
        break;
      }
    }
    return -1;
  }

  /// Whether a GGUF header with plausible version and counts starts at this byte.
  private static boolean isHeader(GgufFile file, long at) throws GgufException {
    ByteBuffer start = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    if (at <= 0 || file.read(at, start) < HEADER || start.getInt(0) != MAGIC) {
      return false;
    }
    int version = start.getInt(4);
    if ((version & 0xffff) == 0) {
      start.order(ByteOrder.BIG_ENDIAN);
      version = start.getInt(4);
    }
    long left = file.size() - at;
    return version >= 2
        && version <= 3
        && start.getLong(8) >= 0
        && start.getLong(8) <= left
        && start.getLong(16) >= 0
        && start.getLong(16) <= left;
  }
}
