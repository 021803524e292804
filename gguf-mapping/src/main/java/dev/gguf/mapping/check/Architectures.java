package dev.gguf.mapping.check;

import dev.gguf.internal.Resources;
import dev.gguf.mapping.NameMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The values of `general.architecture` in use, and what kind of model each one is.
public final class Architectures {
  private static final int NEAR = 2;

  private Architectures() {}

  private static final class Table {
    static final Map<String, String> KINDS = read();

    private static Map<String, String> read() {
      String text =
          new String(
              Resources.read(Architectures.class, "architectures.txt"), StandardCharsets.UTF_8);
      Map<String, String> kinds = HashMap.newHashMap(200);
      int from = 0;
      while (from < text.length()) {
        int end = text.indexOf('\n', from);
        line(text.substring(from, end), kinds);
        from = end + 1;
      }
      return kinds;
    }

    private static void line(String line, Map<String, String> kinds) {
      int colon = line.indexOf(": ");
      if (line.startsWith("#") || colon < 0) {
        return;
      }
      String kind = line.substring(0, colon);
      int from = colon + 2;
      while (from < line.length()) {
        int space = line.indexOf(' ', from);
        int end = space < 0 ? line.length() : space;
        kinds.put(line.substring(from, end), kind);
        from = end + 1;
      }
    }
  }

  /// Returns the kind of an architecture: `text`, `encoder`, `draft`, `image`, `audio`, `projector`
  /// or `control-vector`; empty for a string in no list.
  public static Optional<String> kind(String architecture) {
    return Optional.ofNullable(Table.KINDS.get(architecture));
  }

  /// Returns the architectures whose maps are for a type of model of Hugging Face, with commas
  /// between them; empty if there is none. Reads all maps.
  static String ofModelType(String type) {
    List<String> found = new ArrayList<>();
    for (String architecture : Table.KINDS.keySet()) {
      NameMap map = NameMap.forArchitecture(architecture).orElse(null);
      if (map != null
          && map.modelTypes().stream().anyMatch(known -> known.modelType().equals(type))) {
        found.add(architecture);
      }
    }
    Collections.sort(found);
    return String.join(", ", found);
  }

  /// Returns the known architecture that a string in no list is spelled most like, or null.
  static @Nullable String similar(String architecture) {
    String plain = plain(architecture);
    if (plain.length() < 2 || plain.length() > 64) {
      return null;
    }
    String best = null;
    int bestDistance = plain.length() < 4 ? 1 : plain.length() < 6 ? 2 : NEAR + 1;
    for (String known : Table.KINDS.keySet()) {
      String other = plain(known);
      int distance =
          other.equals(plain)
              ? 0
              : Math.abs(other.length() - plain.length()) > NEAR
                  ? NEAR + 1
                  : distance(plain, other);
      if (distance < bestDistance
          || distance == bestDistance && best != null && known.compareTo(best) < 0) {
        best = known;
        bestDistance = distance;
      }
    }
    return best;
  }

  private static String plain(String architecture) {
    return architecture.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "").replace(".", "");
  }

  /// The number of characters to insert, remove or replace to make one string the other.
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int above = row[j];
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, 1 + Math.min(above, row[j - 1]));
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
