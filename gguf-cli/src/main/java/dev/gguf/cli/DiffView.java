package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.Tensor;
import dev.gguf.cli.DiffCommand.Found;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.Style;
import dev.gguf.cli.render.Table;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.diff.DataDiff;
import dev.gguf.diff.KeyChange;
import dev.gguf.diff.Relation;
import dev.gguf.diff.TensorChange;
import dev.gguf.diff.ValueDiff;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Shows what one model is to another.
final class DiffView {
  private static final int SHOWN = 20;

  private DiffView() {}

  static void json(JsonWriter json, List<String> paths, Found found) {
    json.field("a", paths.get(0)).field("b", paths.get(1));
    json.field("relation", found.relation().label()).field("sentence", sentence(found));
    KeyChanges.json(json, "metadata", found.header().keys());
    KeyChanges.json(json, "split", found.header().splitKeys());
    json.array("tensors");
    for (TensorChange change : found.header().tensors()) {
      json.object().field("name", change.name()).field("change", change.label());
      side(json, "a", change.before());
      side(json, "b", change.after());
      json.endObject();
    }
    json.endArray().field("moved", found.header().moved());
    data(json, found);
    values(json, found.values());
  }

  /// Writes the fields where one of the two cannot be read.
  static void nothing(JsonWriter json, List<String> paths) {
    json.field("a", paths.get(0)).field("b", paths.get(1));
    json.name("relation").nothing();
    json.name("sentence").nothing();
    json.array("metadata").endArray().array("split").endArray().array("tensors").endArray();
    for (String field : new String[] {"moved", "data", "values"}) {
      json.name(field).nothing();
    }
  }

  private static void side(JsonWriter json, String name, @Nullable Tensor tensor) {
    if (tensor == null) {
      json.name(name).nothing();
    } else {
      json.object(name).field("type", tensor.type().name()).field("ne", tensor.ne()).endObject();
    }
  }

  private static void data(JsonWriter json, Found found) {
    DataDiff data = found.data();
    if (data == null) {
      json.name("data").nothing();
      return;
    }
    json.object("data").field("sample", found.sample()).field("tensors", data.compared());
    json.field("bytes", data.bytes()).array("different");
    for (DataDiff.Different one : data.different()) {
      json.object().field("name", one.pair().name()).field("firstDifference", one.at());
      json.endObject();
    }
    json.endArray().endObject();
  }

  private static void values(JsonWriter json, @Nullable List<ValueDiff> values) {
    if (values == null) {
      json.name("values").nothing();
      return;
    }
    json.array("values");
    for (ValueDiff one : values) {
      json.object().field("name", one.pair().name());
      json.field("a", one.pair().before().type().name());
      json.field("b", one.pair().after().type().name());
      json.field("maxError", one.maxError()).field("meanError", one.meanError());
      json.field("relativeError", one.relativeError());
      json.field("incomparable", one.incomparable()).endObject();
    }
    json.endArray();
  }

  static void text(TextWriter text, Gguf a, Gguf b, List<String> paths, Found found, boolean full) {
    Style style = found.relation() == Relation.SAME ? Style.GOOD : Style.WARNING;
    text.text(style, sentence(found)).newline();
    text.fact("A", side(paths.get(0), a));
    text.fact("B", side(paths.get(1), b));
    keys(text, "metadata", found.header().keys());
    keys(text, "split keys, which do not count", found.header().splitKeys());
    tensors(text, found, full);
    different(text, found.data(), full);
    values(text, found.values(), full);
  }

  private static String side(String path, Gguf model) {
    return path
        + ", "
        + Numbers.of(model.tensors().size(), "tensor")
        + ", "
        + Numbers.of(model.metadata().size(), "key")
        + (model.files().size() > 1 ? ", in " + model.files().size() + " files" : "");
  }

  private static String sentence(Found found) {
    DataDiff data = found.data();
    String what =
        switch (found.relation()) {
          case SAME -> "The same model";
          case OTHER_METADATA -> "The same weights with other metadata";
          case REQUANTISED -> "The same model requantised";
          case DIFFERENT -> "Different models";
        };
    if (found.relation() == Relation.DIFFERENT) {
      return what + ": " + why(found);
    }
    if (data == null) {
      return what + " as far as the headers tell; --data compares the tensors' bytes";
    }
    String equal =
        data.compared() == 0
            ? "no tensor is stored the same way in both"
            : Numbers.of(data.compared() - data.different().size(), "tensor")
                + " equal"
                + (found.sample() < 1 ? " in a sample of " : " in all of ")
                + Numbers.size(data.bytes());
    List<ValueDiff> values = found.values();
    return what
        + ": "
        + equal
        + (values == null || values.isEmpty()
            ? ""
            : "; the values of "
                + Numbers.of(values.size(), "other")
                + " are apart by at most "
                + number(values.getFirst().relativeError())
                + " of their size");
  }

  private static String why(Found found) {
    int absent = 0;
    int shapes = 0;
    for (TensorChange change : found.header().tensors()) {
      absent += change.before() == null || change.after() == null ? 1 : 0;
      shapes += change.isOtherShape() ? 1 : 0;
    }
    if (absent > 0) {
      return Numbers.of(absent, "tensor") + " in only one of them";
    }
    if (shapes > 0) {
      return Numbers.of(shapes, "tensor") + " of another shape";
    }
    DataDiff data = found.data();
    List<ValueDiff> values = found.values();
    return values != null
        ? "the values of "
            + Numbers.of(values.stream().filter(ValueDiff::isUnrelated).count(), "tensor")
            + " have nothing in common"
        : "the bytes of "
            + Numbers.of(data == null ? 0 : data.different().size(), "tensor")
            + " differ; --values tells how far they are apart";
  }

  private static void keys(TextWriter text, String title, List<KeyChange> changes) {
    if (!changes.isEmpty()) {
      text.newline().text(Style.BOLD, title).newline();
      KeyChanges.text(text, changes);
    }
  }

  private static void tensors(TextWriter text, Found found, boolean full) {
    List<TensorChange> changes = found.header().tensors();
    int moved = found.header().moved();
    if (changes.isEmpty() && moved == 0) {
      return;
    }
    text.newline().text(Style.BOLD, "tensors").newline();
    if (!changes.isEmpty()) {
      Table table = new Table("name", "change", "before", "after");
      for (TensorChange change : cut(changes, full)) {
        table.row(change.name(), change.label(), tensor(change.before()), tensor(change.after()));
      }
      table.write(text, 2);
      more(text, changes.size(), full);
    }
    if (moved > 0) {
      text.line("  " + Numbers.of(moved, "tensor") + " in another order");
    }
  }

  private static String tensor(@Nullable Tensor tensor) {
    return tensor == null ? "-" : tensor.type() + " ne " + Arrays.toString(tensor.ne());
  }

  private static void different(TextWriter text, @Nullable DataDiff data, boolean full) {
    if (data == null || data.different().isEmpty()) {
      return;
    }
    text.newline().text(Style.BOLD, "tensors of the same type with other bytes").newline();
    Table table = new Table("name", "type", ">first at byte", ">of");
    for (DataDiff.Different one : cut(data.different(), full)) {
      Tensor tensor = one.pair().before();
      table.row(
          tensor.name(),
          tensor.type().name(),
          Long.toString(one.at()),
          Long.toString(tensor.bytes()));
    }
    table.write(text, 2);
    more(text, data.different().size(), full);
  }

  private static void values(TextWriter text, @Nullable List<ValueDiff> values, boolean full) {
    if (values == null || values.isEmpty()) {
      return;
    }
    text.newline().text(Style.BOLD, "values, the worst first").newline();
    Table table =
        new Table("name", "before", "after", ">relative error", ">largest", ">mean", ">not finite");
    for (ValueDiff one : cut(values, full)) {
      table.row(
          one.pair().name(),
          one.pair().before().type().name(),
          one.pair().after().type().name(),
          number(one.relativeError()),
          number(one.maxError()),
          number(one.meanError()),
          Long.toString(one.incomparable()));
    }
    table.write(text, 2);
    more(text, values.size(), full);
  }

  private static String number(double value) {
    return Float.toString((float) value);
  }

  private static <T> List<T> cut(List<T> list, boolean full) {
    return full ? list : list.subList(0, Math.min(SHOWN, list.size()));
  }

  private static void more(TextWriter text, int size, boolean full) {
    if (!full && size > SHOWN) {
      text.line("  and " + (size - SHOWN) + " more; --full shows all");
    }
  }
}
