package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFormatException;
import dev.gguf.Inspection;
import dev.gguf.Tensor;
import dev.gguf.cli.render.Format;
import dev.gguf.cli.render.JsonWriter;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `gguf values`: decoded values of a tensor, for people and for other programs.
final class ValuesCommand extends Command {
  @Override
  String summary() {
    return "Decoded values of a tensor: first, last, smallest, largest, mean; or all of them";
  }

  @Override
  List<String> description() {
    return List.of(
        "A parameter is what the checkpoint has: experts taken apart, heads put in order, kv_b_proj"
            + " joined, the transforms of gguf map applied.",
        "Only what is asked for is decoded. npy is the array file of numpy, raw is nothing but the"
            + " values; both are little-endian floats of four bytes, slowest axis first.");
  }

  @Override
  List<Format> formats() {
    return List.of(Format.TEXT, Format.JSON, Format.CSV, Format.NPY, Format.RAW);
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.positional("TENSOR", "Name of a tensor.", 0, 1);
    syntax.value(
        "--parameter",
        "NAME",
        "In place of TENSOR: a parameter by its name in the checkpoint, rebuilt from its tensors.");
    syntax.value("--rows", "A..B", "Only these rows, counted from 0, B included; or one row.");
    syntax.value("--expert", "E", "Only this expert of a stack; --rows then counts its rows.");
  }

  @Override
  int run(Call call) throws IOException {
    long expert = call.number("--expert", -1, 0, Long.MAX_VALUE);
    List<String> names = call.positionals();
    String parameter = call.option("--parameter");
    if (names.size() < 2 && parameter == null) {
      throw CommandException.usage(
          "values: name a tensor after the file, which gguf tensors lists, or a parameter with"
              + " --parameter, which gguf map lists");
    }
    if (names.size() > 1 && parameter != null) {
      throw CommandException.usage("values: a tensor or --parameter, not both");
    }
    try (Inspection inspection = Inputs.inspect(names.getFirst())) {
      if (inspection.gguf().isEmpty()) {
        throw new GgufFormatException(inspection.findings().getFirst());
      }
      Gguf gguf = inspection.gguf().get();
      String rows = call.option("--rows");
      ValueSource source =
          parameter == null
              ? source(gguf, names.get(1), rows, expert)
              : ParameterSource.of(gguf, parameter, rows, expert);
      new ValuesView(source).write(call.output());
      return Exit.OK;
    }
  }

  @Override
  void writeNothing(Call call, JsonWriter json) {
    String parameter = call.option("--parameter");
    json.field("tensor", parameter == null ? call.positional(1) : parameter);
    String[] unknown = {"type", "shape", "count", "min", "max", "mean", "zeros", "nan", "inf"};
    for (String field : unknown) {
      json.name(field).nothing();
    }
    json.array("first").endArray().array("last").endArray().array("sources").endArray();
    json.name("transform").nothing();
  }

  private static ValueSource source(Gguf gguf, String name, @Nullable String rows, long expert)
      throws GgufException {
    Tensor tensor = gguf.find(name).orElse(null);
    if (tensor == null) {
      throw CommandException.failure(
          "there is no tensor " + name + ValueSource.near(name, gguf.tensors()));
    }
    return ValueSource.Rows.of(tensor, rows, expert);
  }
}
