package dev.gguf;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// One fact about a file, worth telling: which rule, how bad, about what, where, and what to do.
///
/// A finding is immutable; the `with…`, `about`, `in` and `at` methods return changed copies, so
/// that one reads `Finding.of(rule, "…").about(Subject.tensor(name)).at(path,
/// offset).withHint("…")`.
///
/// @param rule the condition that was met
/// @param severity how much it weighs for this file
/// @param subject what it is about, or null for the file as a whole
/// @param file the file it was seen in, or null
/// @param byteOffset the absolute byte offset in that file, or empty
/// @param message one sentence of facts with numbers
/// @param hint what to do next, often a command to paste, or null
public record Finding(
    Rule rule,
    Severity severity,
    @Nullable Subject subject,
    @Nullable Path file,
    OptionalLong byteOffset,
    String message,
    @Nullable String hint) {

  /// Returns a finding of the rule's own severity.
  public static Finding of(Rule rule, String message) {
    return new Finding(rule, rule.severity(), null, null, OptionalLong.empty(), message, null);
  }

  /// Returns a copy with another severity.
  public Finding withSeverity(Severity other) {
    return new Finding(rule, other, subject, file, byteOffset, message, hint);
  }

  /// Returns a copy about the subject.
  public Finding about(Subject about) {
    return new Finding(rule, severity, about, file, byteOffset, message, hint);
  }

  /// Returns a copy that names the file.
  public Finding in(@Nullable Path where) {
    return new Finding(rule, severity, subject, where, byteOffset, message, hint);
  }

  /// Returns a copy that names the file and the absolute byte offset in it.
  public Finding at(@Nullable Path where, long offset) {
    return new Finding(rule, severity, subject, where, OptionalLong.of(offset), message, hint);
  }

  /// Returns a copy with a next step.
  public Finding withHint(String next) {
    return new Finding(rule, severity, subject, file, byteOffset, message, next);
  }
}
