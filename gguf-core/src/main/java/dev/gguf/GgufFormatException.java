package dev.gguf;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The bytes of a file break a [Rule] that [Gguf#open] insists on. [Gguf#inspect] gives the same
/// finding as a value, with whatever could be read before it.
public final class GgufFormatException extends GgufException {
  private static final long serialVersionUID = 1L;

  private final transient Finding finding;

  /// Creates an exception from the finding; the message is the finding's, with file and offset in
  /// front.
  public GgufFormatException(Finding finding) {
    super(text(finding));
    this.finding = finding;
  }

  private static String text(Finding finding) {
    StringBuilder text = new StringBuilder();
    if (finding.file() != null) {
      text.append(finding.file()).append(": ");
    }
    text.append(finding.message());
    finding.byteOffset().ifPresent(offset -> text.append(" (at byte ").append(offset).append(')'));
    text.append(" [").append(finding.rule().id()).append(']');
    return text.toString();
  }

  /// Returns the finding that stopped the opening.
  public Finding finding() {
    return finding;
  }

  /// Returns the file, or null if the finding names none.
  public @Nullable Path path() {
    return finding.file();
  }

  /// Returns the absolute byte offset in the file, if the finding has one.
  public OptionalLong offset() {
    return finding.byteOffset();
  }

  /// Returns the rule that was broken.
  public Rule rule() {
    return finding.rule();
  }
}
