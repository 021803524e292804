package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.Inspection;
import dev.gguf.cli.render.Judged;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.check.CheckOptions;
import dev.gguf.mapping.check.ModelCheck;
import dev.gguf.mapping.check.ModelReport;
import dev.gguf.mapping.check.PairCheck;
import dev.gguf.mapping.checkpoint.ModelConfig;
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
    syntax.value(
        "--config", "C", "config.json to hold the keys against; else the one beside the file.");
    syntax.value(
        "--index",
        "I",
        "Weight index or checkpoint to hold the names against; else the one beside the file.");
  }

  @Override
  int run(Call call) throws IOException {
    Engines engines = Engines.asked(call);
    try (Models models = Models.open(call.positionals())) {
      List<List<Finding>> pairs = pairs(models);
      List<Judged> judged = new ArrayList<>();
      for (int i = 0; i < models.given().size(); i++) {
        judged.add(judge(call, models.given().get(i), pairs.get(i), engines));
      }
      models.noteHeaderOnly(call.output());
      return call.judge("check", judged);
    }
  }

  /// What files that belong together say about each other: a list for each of them.
  private static List<List<Finding>> pairs(Models models) {
    if (models.given().size() == 1) {
      return List.of(List.of());
    }
    List<Inspection> inspections = new ArrayList<>();
    for (Models.Given model : models.given()) {
      inspections.add(model.inspection());
    }
    return PairCheck.check(inspections);
  }

  private static Judged judge(Call call, Models.Given model, List<Finding> pair, Engines engines)
      throws IOException {
    ModelConfig config = Configs.of(call, model);
    ModelReport report =
        ModelCheck.check(model.inspection(), CheckOptions.DEFAULT.withConfig(config))
            .with(pair)
            .with(IndexNames.of(call, model.path(), model.inspection()).findings());
    return engines.judge(model, report, config, judged(model, report));
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
