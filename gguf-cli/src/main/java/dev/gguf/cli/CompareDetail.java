package dev.gguf.cli;

import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Judged;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.Table;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.mapping.compare.ParameterComparison;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The parameters in the answer of `gguf compare`.
///
/// @param parameters the worst first
record CompareDetail(List<ParameterComparison> parameters) implements Judged.Detail {
  private static final int SHOWN = 20;

  @Override
  public void write(JsonWriter json) {
    json.array("tensors");
    for (ParameterComparison one : parameters) {
      json.object().field("parameter", one.parameter()).field("sources", one.sources());
      json.field("transform", one.transform()).field("type", one.tolerance().type().name());
      json.field("compared", one.compared());
      json.field("maxError", one.maxError()).field("meanError", one.meanError());
      json.field("relativeError", one.relativeError()).field("state", one.state().label());
      json.field("diagnosis", one.diagnosis()).endObject();
    }
    json.endArray();
  }

  @Override
  public void write(TextWriter text) {
    if (parameters.isEmpty()) {
      return;
    }
    Map<ParameterComparison.State, Integer> counts = new EnumMap<>(ParameterComparison.State.class);
    long values = 0;
    for (ParameterComparison one : parameters) {
      counts.merge(one.state(), 1, Integer::sum);
      values += one.compared();
    }
    text.spaces(9).text(Numbers.of(parameters.size(), "parameter") + " compared: ");
    String and = "";
    for (Map.Entry<ParameterComparison.State, Integer> count : counts.entrySet()) {
      text.text(and + count.getValue() + " " + count.getKey().label());
      and = ", ";
    }
    text.text(" (" + Numbers.grouped(values) + " values)").newline().newline();
    Table table =
        new Table("parameter", "type", "state", ">max error", ">mean error", ">relative error");
    for (ParameterComparison one : parameters.subList(0, Math.min(SHOWN, parameters.size()))) {
      table.row(
          one.parameter(),
          one.tolerance().type().name(),
          one.state().label(),
          Float.toString((float) one.maxError()),
          Float.toString((float) one.meanError()),
          Float.toString((float) one.relativeError()));
    }
    table.write(text, 2);
    if (parameters.size() > SHOWN) {
      text.spaces(2).text("and " + (parameters.size() - SHOWN) + " more, which are no worse");
      text.newline();
    }
  }
}
