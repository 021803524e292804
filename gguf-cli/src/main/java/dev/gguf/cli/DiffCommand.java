package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.diff.DataDiff;
import dev.gguf.diff.HeaderDiff;
import dev.gguf.diff.Relation;
import dev.gguf.diff.ValueDiff;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `gguf diff`: what one model is to another.
final class DiffCommand extends Command {
  /// What was found out about two models.
  ///
  /// @param data null where bytes were not compared
  /// @param values null where values were not compared
  /// @param sample the part of the bytes that was compared, 1 for all
  record Found(
      HeaderDiff header,
      @Nullable DataDiff data,
      @Nullable List<ValueDiff> values,
      double sample,
      Relation relation) {}

  @Override
  String summary() {
    return "Are two models the same, the same weights, a requantised one, or different";
  }

  @Override
  List<String> description() {
    return List.of(
        "Without --data, --sample or --values only the headers are compared. The keys split.* and the"
            + " order of keys and tensors do not make models different: a merged file is the same as"
            + " its shards. The exit status is 0 if both hold the same, else 1.");
  }

  @Override
  void describe(Syntax syntax) {
    syntax.positional("A", "A GGUF file; any shard stands for its whole set.", 1, 1);
    syntax.positional("B", "Another one.", 1, 1);
    syntax.flag("Compare every byte of tensors of the same type.", "--data");
    syntax.value("--sample", "F", "Compare only this part of the bytes, such as 0.01.");
    syntax.flag("Compare decoded values, for files of different types.", "--values");
    syntax.flag("Lists in full.", "--full");
  }

  @Override
  int run(Call call) throws IOException {
    double sample = call.sample();
    try (Inspection before = Inputs.inspect(call.positional(0));
        Inspection after = Inputs.inspect(call.positional(1))) {
      Gguf a = NewFile.whole(before, call.positional(0));
      Gguf b = NewFile.whole(after, call.positional(1));
      Found found = compare(call, a, b, sample);
      if (call.output().isJson()) {
        DiffView.json(call.output().json("diff"), call.positionals(), found);
      } else {
        DiffView.text(call.output().text(), a, b, call.positionals(), found, call.has("--full"));
      }
      return found.relation() == Relation.SAME ? Exit.OK : Exit.FOUND;
    }
  }

  @Override
  void writeNothing(Call call, JsonWriter json) {
    DiffView.nothing(json, call.positionals());
  }

  private static Found compare(Call call, Gguf a, Gguf b, double sample) throws IOException {
    HeaderDiff header = HeaderDiff.of(a, b);
    CopyProgress progress = new CopyProgress(call.output());
    boolean wantsValues = call.has("--values");
    DataDiff data =
        call.has("--data") || call.has("--sample") || wantsValues
            ? DataDiff.of(header.pairs(), sample, progress)
            : null;
    List<ValueDiff> values =
        wantsValues && data != null ? ValueDiff.of(data.unlike(header.pairs()), progress) : null;
    return new Found(header, data, values, sample, Relation.of(header, data, values));
  }
}
