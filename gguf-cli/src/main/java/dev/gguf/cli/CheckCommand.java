package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.cli.render.Judged;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.check.CheckOptions;
import dev.gguf.mapping.check.ModelCheck;
import dev.gguf.mapping.check.ModelReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `gguf check`: the launch gate.
final class CheckCommand extends Command {
  @Override
  String summary() {
    return "Is the file sound, and is every tensor accounted for: the gate before a launch";
  }

  @Override
  List<String> description() {
    return List.of(
        "Several FILEs that belong together, such as a model and its projector, are also held"
            + " against each other.");
  }

  @Override
  boolean hasVerdict() {
    return true;
  }

  @Override
  void describe(Syntax syntax) {
    syntax.files();
    syntax.values("--engine", "E", "Also say whether this engine loads it; can be repeated.");
    syntax.value("--profile", "P", "File with a profile of an engine, to add to the known.");
  }

  @Override
  int run(Call call) throws IOException {
    Engines engines = Engines.asked(call);
    try (Models models = Models.open(call.positionals())) {
      List<Judged> judged = new ArrayList<>();
      for (Models.Given model : models.given()) {
        judged.add(judge(model, engines));
      }
      return call.judge("check", judged);
    }
  }

  private static Judged judge(Models.Given model, Engines engines) throws IOException {
    ModelReport report = ModelCheck.check(model.inspection(), CheckOptions.DEFAULT);
    return engines.judge(model, report, judged(model, report));
  }

  /// Returns the entry of a model that was checked.
  static Judged judged(Models.Given model, ModelReport report) {
    List<Finding> findings = report.findings();
    return Judged.of(model.path(), model.inspection(), findings)
        .withMapping(count(report.mapping().orElse(null)));
  }

  static Judged.@Nullable MappingCount count(@Nullable Mapping mapping) {
    return mapping == null
        ? null
        : new Judged.MappingCount(
            mapping.target().id(),
            mapping.tensors().size(),
            mapping.mappedCount(),
            mapping.unmapped().size(),
            mapping.missing().size());
  }
}
