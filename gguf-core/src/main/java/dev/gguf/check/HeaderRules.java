package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.GgufFile;
import dev.gguf.Severity;
import java.nio.ByteOrder;
import java.util.List;

/// Version and byte order.
final class HeaderRules {
  private HeaderRules() {}

  static void check(List<GgufFile> files, List<Finding> findings) {
    Group first = new Group(FileRule.VERSION_OLD, "files");
    Group second = new Group(FileRule.VERSION_OLD, "files");
    Group order = new Group(FileRule.BYTE_ORDER, "files");
    for (GgufFile file : files) {
      if (file.version() == 1 && first.add()) {
        first.set(
            Finding.of(
                    FileRule.VERSION_OLD,
                    "format version 1, with lengths of 32 bits: engines read version 2 and 3")
                .at(file.path(), 4)
                .withHint("convert the original checkpoint again with a converter of today"));
      }
      if (file.version() == 2 && second.add()) {
        second.set(
            Finding.of(FileRule.VERSION_OLD, "format version 2, laid out like version 3")
                .withSeverity(Severity.INFO)
                .at(file.path(), 4));
      }
      if (file.version() != 0 && !file.byteOrder().equals(ByteOrder.nativeOrder()) && order.add()) {
        order.set(
            Finding.of(
                    FileRule.BYTE_ORDER,
                    "the file is "
                        + name(file.byteOrder())
                        + ", this machine is "
                        + name(ByteOrder.nativeOrder())
                        + ": its engines do not read it")
                .at(file.path(), 4)
                .withHint(
                    "gguf-convert-endian '"
                        + file.path().getFileName()
                        + "' "
                        + (file.byteOrder().equals(ByteOrder.BIG_ENDIAN) ? "little" : "big")));
      }
    }
    first.addTo(findings);
    second.addTo(findings);
    order.addTo(findings);
  }

  private static String name(ByteOrder order) {
    return order.equals(ByteOrder.BIG_ENDIAN) ? "big-endian" : "little-endian";
  }
}
