package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.GgufFormatException;
import dev.gguf.Inspection;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/// The rules about the file itself: everything of [dev.gguf.FileRule].
///
/// The work is linear in the size of the header (sorting apart), and reads nothing of the data but
/// padding and what follows the last tensor.
public final class FileCheck {
  private FileCheck() {}

  /// Judges what an inspection has read.
  ///
  /// @return the findings of the inspection and of every rule that does not stop the opening
  public static Report check(Inspection inspection) {
    List<Finding> findings = new ArrayList<>(inspection.findings());
    if (inspection.gguf().isPresent()) {
      Gguf gguf = inspection.gguf().get();
      try {
        judge(gguf, inspection, findings);
      } catch (GgufException e) {
        findings.add(unreadable(gguf, e));
      } catch (UncheckedIOException e) {
        findings.add(unreadable(gguf, e));
      }
    }
    return new Report(findings);
  }

  private static void judge(Gguf gguf, Inspection inspection, List<Finding> findings)
      throws GgufException {
    String architecture = gguf.architecture().orElse("");
    HeaderRules.check(gguf.files(), findings);
    for (GgufFile file : gguf.files()) {
      KeyRules.check(file, architecture, findings);
    }
    LayerArrays.check(gguf, architecture, findings);
    TokenizerRules tokenizer = new TokenizerRules(gguf, findings);
    for (GgufFile file : gguf.files()) {
      TextRules.check(file, tokenizer.tokens(), tokenizer.merges(), findings);
    }
    tokenizer.check();
    TableRules.check(gguf, findings);
    for (GgufFile file : gguf.files()) {
      LayoutRules.check(file, findings);
    }
    SplitRules.check(gguf, inspection.path(), findings);
  }

  /// A file that was sound when it was opened and cannot be read any more.
  private static Finding unreadable(Gguf gguf, Exception e) {
    Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
    if (cause instanceof GgufFormatException format) {
      return format.finding();
    }
    return Finding.of(FileRule.FILE_CHANGED, String.valueOf(cause.getMessage()))
        .in(gguf.files().getFirst().path())
        .withHint("check again when nothing writes to the file");
  }
}
