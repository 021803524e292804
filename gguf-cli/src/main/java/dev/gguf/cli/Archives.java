package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.HeaderSource;
import dev.gguf.Inspection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Models inside archives and compressed files. Their headers are read as streams.
final class Archives {
  private static final int NAMED = 10;

  private Archives() {}

  /// Returns whether a name is that of a compressed file or an archive, or of an entry of one:
  /// `ARCHIVE!ENTRY`.
  static boolean isArchive(String name) {
    String path = archive(name);
    String lower = path.toLowerCase(Locale.ROOT);
    return Packed.Suffix.of(lower) != null || lower.endsWith(".tar") || lower.endsWith(".zip");
  }

  /// Returns the part of a name that is a path.
  static String archive(String name) {
    int mark = mark(name);
    return mark < 0 ? name : name.substring(0, mark);
  }

  private static int mark(String name) {
    int mark = name.lastIndexOf('!');
    return mark < 0 || Files.exists(Path.of(name)) ? -1 : mark;
  }

  private static @Nullable String entry(String name) {
    int mark = mark(name);
    if (mark < 0) {
      return null;
    }
    String entry = name.substring(mark + 1);
    return entry.startsWith("/") ? entry.substring(1) : entry;
  }

  /// Reads the header of a model inside an archive.
  ///
  /// @param name as on the command line
  /// @throws CommandException if there is no such entry, or there are several and none is named
  static Inspection inspect(String name) {
    Path path = Inputs.file(archive(name));
    String entry = entry(name);
    try {
      String lower = path.getFileName().toString().toLowerCase(Locale.ROOT);
      Packed.Suffix suffix = Packed.Suffix.of(lower);
      if (suffix != null && !suffix.isTar(lower)) {
        Packed packed = new Packed(path, suffix);
        return Gguf.inspect(inside(path, packed.entry()), packed);
      }
      if (suffix != null) {
        return packedTar(path, suffix, entry);
      }
      try (Members members = lower.endsWith(".zip") ? new ZipMembers(path) : new TarMembers(path)) {
        String chosen = chosen(name, members.names(), entry);
        return Gguf.inspect(inside(path, chosen), members.beside(chosen));
      }
    } catch (CommandException e) {
      throw e;
    } catch (GgufException e) {
      throw CommandException.failure(e.getMessage());
    } catch (IOException | RuntimeException e) {
      throw CommandException.failure(
          name
              + ": cannot be read as an archive: "
              + e.getMessage()
              + "; unpack it and name the model");
    }
  }

  private static Path inside(Path archive, String entry) {
    return Path.of(archive + "!/" + entry);
  }

  private static Inspection packedTar(Path path, Packed.Suffix suffix, @Nullable String entry)
      throws IOException {
    try (PackedTar tar = new PackedTar(suffix.open(path), entry)) {
      HeaderSource source = tar;
      return Gguf.inspect(inside(path, tar.name()), source);
    }
  }

  /// Returns the entry that is meant: the one that is named, the only one that ends in .gguf, or
  /// the first of the only set.
  private static String chosen(String name, List<String> names, @Nullable String entry) {
    List<String> models = new ArrayList<>();
    for (String candidate : names) {
      if (entry != null && (candidate.equals(entry) || candidate.endsWith("/" + entry))) {
        return candidate;
      }
      if (isModel(candidate)) {
        models.add(candidate);
      }
    }
    if (entry == null && !models.isEmpty()) {
      String first = models.stream().min(String::compareTo).orElseThrow();
      if (models.size() == 1 || models.stream().allMatch(other -> isSameSet(first, other))) {
        return first;
      }
    }
    String listed = String.join(", ", models.subList(0, Math.min(NAMED, models.size())));
    throw CommandException.failure(
        archive(name)
            + (entry == null ? "" : " has no entry " + entry)
            + (models.isEmpty()
                ? ": no entry ends in .gguf"
                : (entry == null ? " holds " + models.size() + " models" : "")
                    + "; name one as "
                    + archive(name)
                    + "!ENTRY: "
                    + listed));
  }

  static boolean isModel(String entry) {
    return entry.toLowerCase(Locale.ROOT).endsWith(".gguf");
  }

  /// Two names of shards differ in the number alone.
  private static boolean isSameSet(String a, String b) {
    int at = a.length() - "00001-of-00002.gguf".length();
    return at > 0
        && a.length() == b.length()
        && a.startsWith("-of-", at + 5)
        && a.substring(0, at).equals(b.substring(0, at))
        && a.substring(at + 5).equals(b.substring(at + 5));
  }
}
