package dev.gguf.cli;

import dev.gguf.Tensor;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Judged;
import dev.gguf.cli.render.Table;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.mapping.KvBComparison;
import dev.gguf.mapping.compare.KvBLayer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The layers in the answer of `gguf kvb`.
///
/// @param layers by number
record KvbDetail(List<KvBLayer> layers) implements Judged.Detail {
  @Override
  public void write(JsonWriter json) {
    json.array("layers");
    for (KvBLayer layer : layers) {
      json.object().field("layer", layer.layer());
      tensor(json, "kB", layer.kB());
      tensor(json, "vB", layer.vB());
      tensor(json, "kvB", layer.kvB());
      json.field("state", layer.state().label()).field("diagnosis", layer.diagnosis());
      KvBComparison comparison = layer.comparison();
      if (comparison == null) {
        json.name("maxError").nothing().name("meanError").nothing();
      } else {
        json.field("maxError", comparison.maxError()).field("meanError", comparison.meanError());
      }
      json.endObject();
    }
    json.endArray();
  }

  private static void tensor(JsonWriter json, String name, @Nullable Tensor tensor) {
    if (tensor == null) {
      json.name(name).nothing();
      return;
    }
    json.object(name).field("name", tensor.name()).field("type", tensor.type().name());
    json.field("ne", tensor.ne()).field("shape", tensor.shape());
    json.field("file", tensor.file().path().toString()).endObject();
  }

  @Override
  public void write(TextWriter text) {
    if (layers.isEmpty()) {
      return;
    }
    text.newline();
    boolean compared = false;
    for (KvBLayer layer : layers) {
      compared |= layer.comparison() != null;
    }
    Table table =
        compared
            ? new Table(">layer", "attn_k_b", "attn_v_b", "state", ">max error", ">mean error")
            : new Table(">layers", "attn_k_b", "attn_v_b", "state");
    for (int i = 0; i < layers.size(); ) {
      int to = compared ? i + 1 : sameTo(i);
      add(table, layers.get(i), layers.get(to - 1), compared);
      i = to;
    }
    table.write(text, 2);
  }

  /// Returns the end of the run of layers that look the same as this one.
  private int sameTo(int from) {
    int to = from + 1;
    while (to < layers.size()
        && layers.get(to).layer() == layers.get(to - 1).layer() + 1
        && look(layers.get(to)).equals(look(layers.get(from)))) {
      to++;
    }
    return to;
  }

  private static String look(KvBLayer layer) {
    return half(layer, layer.kB()) + half(layer, layer.vB()) + layer.state();
  }

  private static void add(Table table, KvBLayer first, KvBLayer last, boolean compared) {
    String number =
        first.equals(last) ? Integer.toString(first.layer()) : first.layer() + "-" + last.layer();
    String kB = half(first, first.kB());
    String vB = half(first, first.vB());
    String state = first.state().label();
    if (!compared) {
      table.row(number, kB, vB, state);
      return;
    }
    KvBComparison comparison = first.comparison();
    boolean equal = comparison != null && comparison.isEqual();
    table.row(
        number,
        kB,
        vB,
        equal ? state + ", equal" : state,
        comparison == null ? "-" : Float.toString((float) comparison.maxError()),
        comparison == null ? "-" : Float.toString((float) comparison.meanError()));
  }

  private static String half(KvBLayer layer, @Nullable Tensor tensor) {
    if (tensor != null) {
      return tensor.type() + " " + Arrays.toString(tensor.ne());
    }
    Tensor undivided = layer.kvB();
    return undivided == null ? "absent" : "in attn_kv_b " + undivided.type();
  }
}
