package dev.gguf.verify;

import dev.gguf.Finding;
import dev.gguf.Gguf;
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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Digests that a publisher gives with a model, and what the model's are.
final class FileDigest {
  private static final int CHUNK = 1 << 18;
  private static final long LONGEST = 1 << 20;
  private static final int DIGITS = 64;

  private FileDigest() {}

  /// Compares each file with the `NAME.sha256` beside it, as sha256sum writes it, where there is
  /// one that has a line about the file.
  ///
  /// @throws GgufException if a file cannot be read, or the thread is interrupted
  static List<DataFinding> besideEach(Gguf gguf, ScanProgress progress) throws GgufException {
    List<DataFinding> findings = new ArrayList<>();
    for (GgufFile file : gguf.files()) {
      Path beside = file.path().resolveSibling(file.path().getFileName() + ".sha256");
      if (Files.isRegularFile(beside)) {
        DataFinding finding = check(file, beside, progress);
        if (finding != null) {
          findings.add(finding);
        }
      }
    }
    return findings;
  }

  /// Compares with the lines of a manifest: of `gguf hash`, or of sha256sum about whole files.
  ///
  /// @throws GgufException if a file cannot be read, or the thread is interrupted
  static List<DataFinding> of(Gguf gguf, Path manifest, ScanOptions options) throws GgufException {
    HashManifest hashes;
    try {
      hashes = HashManifest.read(manifest);
    } catch (IOException e) {
      throw new GgufException(manifest + ": cannot be read: " + e.getMessage(), e);
    }
    List<DataFinding> findings = new ArrayList<>();
    if (hashes.strongest().isPresent()) {
      List<HashAlgorithm> strongest = List.of(hashes.strongest().get());
      HashReport report =
          DataHash.hash(gguf, strongest, true, options.threads(), options.progress());
      for (Finding finding : HashCheck.of(report, hashes, manifest).findings()) {
        findings.add(new DataFinding(finding, false, null, 1, null));
      }
      return findings;
    }
    for (GgufFile file : gguf.files()) {
      DataFinding finding = check(file, manifest, options.progress());
      findings.add(finding == null ? absent(file, manifest) : finding);
    }
    return findings;
  }

  private static DataFinding absent(GgufFile file, Path manifest) throws GgufException {
    String name = String.valueOf(file.path().getFileName());
    boolean none = lines(manifest).stream().noneMatch(FileDigest::isHex);
    Finding finding =
        Finding.of(
                DataRule.DIGEST,
                none
                    ? manifest + " holds neither lines of gguf hash nor sha256 digests"
                    : manifest + " has no line about " + name)
            .about(Subject.file(name))
            .in(file.path())
            .withHint(
                none
                    ? "make it with gguf hash or sha256sum"
                    : "name the file as it was named when the manifest was made");
    return new DataFinding(finding, false, null, 1, null);
  }

  private static @Nullable DataFinding check(GgufFile file, Path digests, ScanProgress progress)
      throws GgufException {
    String expected = expected(digests, String.valueOf(file.path().getFileName()));
    if (expected == null) {
      return null;
    }
    String found = sha256(file, progress);
    boolean same = found.equals(expected);
    String message =
        same
            ? "the sha256 of the whole file agrees with " + digests.getFileName()
            : "the sha256 of the whole file is "
                + found
                + ", "
                + digests.getFileName()
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

  private static @Nullable String expected(Path digests, String name) throws GgufException {
    List<String> lines = lines(digests);
    String alone = null;
    for (String line : lines) {
      if (!isHex(line)) {
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

  private static List<String> lines(Path digests) throws GgufException {
    try {
      if (Files.size(digests) > LONGEST) {
        return List.of();
      }
      return new String(Files.readAllBytes(digests), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new GgufException(digests + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static boolean isHex(String line) {
    if (line.length() < DIGITS) {
      return false;
    }
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
