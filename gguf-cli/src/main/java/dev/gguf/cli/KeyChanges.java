package dev.gguf.cli;

import dev.gguf.Metadata;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Table;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.diff.KeyChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Shows keys that have another value.
final class KeyChanges {
  private KeyChanges() {}

  static void json(JsonWriter json, String field, List<KeyChange> changes) {
    json.array(field);
    for (KeyChange change : changes) {
      json.object().field("key", change.key()).field("change", change.label());
      side(json, "a", change.before());
      side(json, "b", change.after());
      json.endObject();
    }
    json.endArray();
  }

  private static void side(JsonWriter json, String name, Metadata.@Nullable Entry entry) {
    if (entry == null) {
      json.name(name).nothing();
    } else {
      json.object(name).field("type", entry.typeLabel());
      json.field("value", MetadataView.value(entry, false)).endObject();
    }
  }

  static void text(TextWriter text, List<KeyChange> changes) {
    if (changes.isEmpty()) {
      return;
    }
    Table table = new Table("key", "change", "type", "before", "after");
    for (KeyChange change : changes) {
      table.row(
          change.key(),
          change.label(),
          types(change.before(), change.after()),
          value(change.before()),
          value(change.after()));
    }
    table.write(text, 2);
  }

  private static String types(Metadata.@Nullable Entry before, Metadata.@Nullable Entry after) {
    String old = before == null ? "" : before.typeLabel();
    String now = after == null ? "" : after.typeLabel();
    return old.equals(now) || now.isEmpty() ? old : old.isEmpty() ? now : old + " to " + now;
  }

  private static String value(Metadata.@Nullable Entry entry) {
    return entry == null ? "-" : MetadataView.value(entry, false);
  }
}
