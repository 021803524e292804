package dev.gguf.verify;

import dev.gguf.Finding;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Severity;
import dev.gguf.Subject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The digest of a whole file that its publisher put beside it: `NAME.sha256`, as sha256sum writes
/// it.
final class FileDigest {
  private static final int CHUNK = 1 << 18;
  private static final long LONGEST = 1 << 20;
  private static final int DIGITS = 64;

  private FileDigest() {}

  /// Returns whether there is a file with a digest.
  static boolean isThere(GgufFile file) {
    return Files.isRegularFile(beside(file));
  }

  private static Path beside(GgufFile file) {
    return file.path().resolveSibling(file.path().getFileName() + ".sha256");
  }

  /// Compares a file with the digest beside it.
  ///
  /// @return a finding, or null if the file beside holds no digest of this one
  /// @throws GgufException if a file cannot be read, or the thread is interrupted
  static @Nullable DataFinding check(GgufFile file, ScanProgress progress) throws GgufException {
    Path beside = beside(file);
    String expected = expected(beside, String.valueOf(file.path().getFileName()));
    if (expected == null) {
      return null;
    }
    String found = sha256(file, progress);
    boolean same = found.equals(expected);
    String message =
        same
            ? "the sha256 of the whole file agrees with " + beside.getFileName()
            : "the sha256 of the whole file is "
                + found
                + ", "
                + beside.getFileName()
                + " says "
                + expected;
    Finding finding =
        Finding.of(DataRule.DIGEST, message)
            .withSeverity(same ? Severity.INFO : Severity.ERROR)
            .about(Subject.file(String.valueOf(file.path().getFileName())))
            .in(file.path());
    Finding told = same ? finding : finding.withHint("download the file again");
    return new DataFinding(told, false, null, file.size(), null);
  }

  private static @Nullable String expected(Path beside, String name) throws GgufException {
    List<String> lines;
    try {
      if (Files.size(beside) > LONGEST) {
        return null;
      }
      lines = new String(Files.readAllBytes(beside), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new GgufException(beside + ": cannot be read: " + e.getMessage(), e);
    }
    String alone = null;
    for (String line : lines) {
      if (line.length() < DIGITS || !isHex(line)) {
        continue;
      }
      String hex = line.substring(0, DIGITS).toLowerCase(Locale.ROOT);
      // A star marks a file that was read as bytes.
      String of = line.substring(DIGITS).strip().replaceFirst("^\\*", "");
      if (of.equals(name) || of.endsWith("/" + name)) {
        return hex;
      }
      alone = of.isEmpty() && lines.size() == 1 ? hex : alone;
    }
    return alone;
  }

  private static boolean isHex(String line) {
    for (int i = 0; i < DIGITS; i++) {
      if (!HexFormat.isHexDigit(line.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static String sha256(GgufFile file, ScanProgress progress) throws GgufException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
    String name = String.valueOf(file.path().getFileName());
    for (long at = 0; at < file.size(); at += CHUNK) {
      int read = file.read(at, buffer.clear());
      if (read == 0) {
        break;
      }
      digest.update(buffer.array(), 0, read);
      progress.update(name, Math.min(file.size(), at + CHUNK), file.size());
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
