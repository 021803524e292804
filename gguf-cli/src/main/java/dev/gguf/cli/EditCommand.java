package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Inspection;
import dev.gguf.Metadata;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.Output;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.diff.KeyChange;
import dev.gguf.diff.KeyDiff;
import dev.gguf.write.Edit;
import dev.gguf.write.InPlaceEdit;
import dev.gguf.write.OutputPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `gguf edit`: the same tensors with other metadata.
final class EditCommand extends Command {
  /// More than any tokenizer or template needs, and what an array of Java holds.
  private static final long MOST_CONTENT = 1L << 30;

  @Override
  String summary() {
    return "The same tensors with other metadata, in another file or in place";
  }

  @Override
  List<String> description() {
    return List.of(
        "Keys are removed first, then renamed, then set. --set writes the type that the key has;"
            + " --set-type names one, such as uint32, float32, bool, string or int32[]. Lists of"
            + " numbers are written with commas, lists of strings as JSON.",
        "OUT of a split set is one file. --in-place changes the file that is named, and only where"
            + " its data can stay where it is; the old header is kept beside it, as"
            + " FILE.old-header, until the new one is written and read back.");
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.positional("OUT", "The file to write.", 0, 1);
    syntax.values("--set", "KEY=VALUE", "Give a key another value; can be repeated.");
    syntax.values("--set-type", "KEY:TYPE=VALUE", "Set a key, new or not, with this type.");
    syntax.values(
        "--set-file", "KEY=PATH", "Set a key to the content of a file; a list has a line each.");
    syntax.values("--remove", "KEY", "Take a key out.");
    syntax.values("--rename", "OLD=NEW", "Give a key another name.");
    syntax.flag("Change FILE itself.", "--in-place");
    NewFile.describe(syntax);
  }

  @Override
  int run(Call call) throws IOException {
    String name = call.positional(0);
    boolean inPlace = call.has("--in-place");
    if (inPlace == (call.positionals().size() > 1)) {
      throw CommandException.usage("give either OUT or --in-place");
    }
    try (Inspection inspection = Inputs.inspect(name)) {
      if (inPlace) {
        return inPlace(call, name, inspection);
      }
      Path out = NewFile.path(call, call.positional(1), name);
      Gguf model = NewFile.whole(inspection, name);
      Metadata changed = changed(call, name, model.metadata());
      NewFile.write(call, out, Edit.copy(model, changed));
      show(call.output(), name, out, KeyDiff.of(model.metadata(), changed));
      return Exit.OK;
    }
  }

  private static int inPlace(Call call, String name, Inspection inspection) throws IOException {
    GgufFile file = named(name, inspection.gguf().orElse(null));
    Metadata changed = changed(call, name, file.metadata());
    List<KeyChange> changes = KeyDiff.of(file.metadata(), changed);
    InPlaceEdit edit = InPlaceEdit.of(file, changed);
    // Shown before the old values are gone, and said when they are.
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    try (Output held = call.output().into(shown)) {
      show(held, name, null, changes);
    }
    if (!changes.isEmpty()) {
      requireWritable(name, file.path(), edit.keptHeader());
      edit.write();
    }
    shown.writeTo(call.output().bytes());
    return Exit.OK;
  }

  private static void requireWritable(String name, Path file, Path kept) {
    if (!Files.isWritable(file)) {
      throw CommandException.usage(
          name + ": may not be written by this user; look at its permissions");
    }
    try {
      OutputPath.require(kept, false);
    } catch (GgufException e) {
      throw CommandException.usage(e.getMessage(), e);
    }
  }

  private static GgufFile named(String name, @Nullable Gguf model) throws IOException {
    if (model != null) {
      for (GgufFile file : model.files()) {
        if (Files.isSameFile(file.path(), Path.of(name))) {
          return file;
        }
      }
    }
    throw CommandException.failure(name + ": its header cannot be read; gguf check tells more");
  }

  private static Metadata changed(Call call, String name, Metadata metadata) throws IOException {
    Metadata.Builder keys = metadata.toBuilder();
    for (String key : call.options("--remove")) {
      require(name, keys.build(), key, "; gguf metadata " + name + " lists the keys");
      keys.remove(key);
    }
    for (String pair : call.options("--rename")) {
      int at = separator("--rename", pair, "OLD=NEW");
      String other = pair.substring(at + 1);
      String old = pair.substring(0, at);
      require(name, keys.build(), old, "; gguf metadata " + name + " lists the keys");
      if (other.isEmpty() || keys.build().has(other)) {
        throw CommandException.failure(
            name + (other.isEmpty() ? ": a key has a name" : " has a key " + other + " already"));
      }
      keys.rename(old, other);
    }
    for (String pair : call.options("--set")) {
      int at = separator("--set", pair, "KEY=VALUE");
      String key = pair.substring(0, at);
      Metadata.Entry entry = require(name, keys.build(), key, "; --set-type adds one");
      KeyValues.set(keys, key, KeyValues.Type.of(entry), pair.substring(at + 1));
    }
    setTyped(call, keys);
    for (String pair : call.options("--set-file")) {
      int at = separator("--set-file", pair, "KEY=PATH");
      String key = pair.substring(0, at);
      Metadata.Entry entry = keys.build().find(key).orElse(null);
      KeyValues.Type type = entry == null ? KeyValues.Type.of("string") : KeyValues.Type.of(entry);
      KeyValues.set(keys, key, type, content(pair.substring(at + 1)));
    }
    return keys.build();
  }

  private static void setTyped(Call call, Metadata.Builder keys) {
    for (String option : call.options("--set-type")) {
      int at = separator("--set-type", option, "KEY:TYPE=VALUE");
      int colon = option.lastIndexOf(':', at);
      if (colon < 1) {
        throw CommandException.usage("--set-type " + option + ": expected KEY:TYPE=VALUE");
      }
      KeyValues.Type type = KeyValues.Type.of(option.substring(colon + 1, at));
      KeyValues.set(keys, option.substring(0, colon), type, option.substring(at + 1));
    }
  }

  private static int separator(String option, String text, String form) {
    int at = text.indexOf('=');
    if (at < 1) {
      throw CommandException.usage(option + " " + text + ": expected " + form);
    }
    return at;
  }

  private static Metadata.Entry require(
      String name, Metadata metadata, String key, String otherwise) {
    Metadata.Entry entry = metadata.find(key).orElse(null);
    if (entry == null) {
      List<String> keys = metadata.entries().stream().map(Metadata.Entry::key).toList();
      String near = Nearest.to(key, keys);
      throw CommandException.failure(
          name
              + " has no key "
              + key
              + (near == null ? otherwise : "; did you mean " + near + "?"));
    }
    return entry;
  }

  private static byte[] content(String path) {
    return OptionFiles.read(path, MOST_CONTENT);
  }

  private static void show(Output output, String name, @Nullable Path out, List<KeyChange> changes)
      throws IOException {
    if (output.isJson()) {
      JsonWriter json = output.json("edit").field("path", name);
      json.field("out", out == null ? name : out.toString()).field("inPlace", out == null);
      KeyChanges.json(json, "metadata", changes);
      return;
    }
    TextWriter text = output.text();
    text.line(
        (out == null ? name : out + ": " + Numbers.sizeAndBytes(Files.size(out)))
            + ": "
            + Numbers.of(changes.size(), "key")
            + " of the metadata differ"
            + (changes.size() == 1 ? "s" : ""));
    KeyChanges.text(text, changes);
    text.flush();
  }
}
