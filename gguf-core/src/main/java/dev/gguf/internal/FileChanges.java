package dev.gguf.internal;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.GgufFile;
import dev.gguf.GgufFormatException;

/// Says that a file changed while it was read.
public final class FileChanges {
  private FileChanges() {}

  /// Returns the exception for a file that ends earlier than when it was opened.
  ///
  /// @param at absolute byte offset of its end now, or of a byte behind it
  public static GgufFormatException shrank(GgufFile file, long at) {
    return new GgufFormatException(
        Finding.of(
                FileRule.FILE_CHANGED,
                "the file shrank while it was read: it had "
                    + file.size()
                    + " bytes when it was opened and now ends at byte "
                    + at)
            .at(file.path(), at));
  }
}
