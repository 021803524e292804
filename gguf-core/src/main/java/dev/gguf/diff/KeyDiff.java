package dev.gguf.diff;

import dev.gguf.Metadata;
import dev.gguf.internal.Values;
import java.util.ArrayList;
import java.util.List;

/// Which keys of two sets of metadata do not have the same value.
public final class KeyDiff {
  private KeyDiff() {}

  /// Compares by type and value, whatever the order of keys is. Of a key that stands twice the
  /// first one counts.
  ///
  /// @return changed and removed keys in the order of the first metadata, then added ones in the
  ///   order of the second
  public static List<KeyChange> of(Metadata before, Metadata after) {
    List<KeyChange> changes = new ArrayList<>();
    for (Metadata.Entry entry : before) {
      if (before.get(entry.key()) != entry) {
        continue;
      }
      Metadata.Entry other = after.find(entry.key()).orElse(null);
      if (other == null || !Values.equal(entry, other)) {
        changes.add(new KeyChange(entry.key(), entry, other));
      }
    }
    for (Metadata.Entry entry : after) {
      if (after.get(entry.key()) == entry && !before.has(entry.key())) {
        changes.add(new KeyChange(entry.key(), null, entry));
      }
    }
    return changes;
  }
}
