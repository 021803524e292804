package dev.gguf.cli;

import dev.gguf.FileKind;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.cli.render.Findings;
import dev.gguf.cli.render.Output;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.Target;
import dev.gguf.mapping.check.CheckOptions;
import dev.gguf.mapping.check.ModelCheck;
import dev.gguf.mapping.check.ModelReport;
import dev.gguf.mapping.check.ModelRule;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `gguf map`: the names of the tensors in a checkpoint or an engine, in both directions.
final class MapCommand extends Command {
  @Override
  String summary() {
    return "The names that the tensors have in the checkpoint or in an engine, in both directions";
  }

  @Override
  List<String> description() {
    return List.of(
        "Every tensor is mapped or listed as not mapped with the reason; every parameter of the"
            + " target is fed or listed as missing.",
        "Targets: hf, the names of the checkpoint as published (default); transformers, the module"
            + " names of transformers 5; vllm, vLLM up to 0.23 and its plugin up to 0.0.5;"
            + " vllm-plugin, the plugin after its change of August 2026.");
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.value("--to", "hf|transformers|vllm|vllm-plugin", "Whose names; default hf.");
    syntax.flag("Also map the layers for multi-token prediction (MTP).", "--mtp");
    syntax.flag("Write out experts instead of ranges such as {0..255}.", "--expand");
    syntax.value("--config", "FILE", "config.json to compare with; default the one beside FILE.");
    syntax.value(
        "--index",
        "CHECKPOINT",
        "Weight index, safetensors file or folder whose names and shapes to compare with, both"
            + " ways; default the index beside FILE.");
    syntax.flag("As text: one line for all layers that are alike.", "--patterns");
  }

  @Override
  int run(Call call) throws IOException {
    String name = call.positional(0);
    String word = call.word("--to", "hf", "transformers", "vllm", "vllm-plugin");
    Target target = word == null ? Target.HF : Target.of(word).orElseThrow();
    if (target == Target.TRANSFORMERS && call.has("--mtp")) {
      throw CommandException.usage("--mtp: transformers has no layers for multi-token prediction");
    }
    try (Inspection inspection = Inputs.inspect(name)) {
      Path path = Path.of(name);
      ModelConfig config = Configs.of(call, new Models.Given(path, inspection));
      CheckOptions options = new CheckOptions(target, call.has("--mtp")).withConfig(config);
      ModelReport report = ModelCheck.check(inspection, options);
      Mapping mapping = report.mapping().orElse(null);
      if (mapping == null) {
        mapping = ofProjector(inspection, options);
      }
      List<Finding> findings = aboutNames(inspection, report);
      IndexNames names = IndexNames.of(call, path, inspection);
      findings.addAll(names.findings());
      findings = Findings.worstFirst(findings);
      String architecture = inspection.gguf().flatMap(gguf -> gguf.architecture()).orElse(null);
      Output output = call.output();
      if (output.isJson()) {
        new MapJson(output.json("map"), call.has("--expand"))
            .write(path, architecture, target, mapping, names.comparison(), findings);
      } else {
        new MapText(output.text(), call.has("--expand"), call.has("--patterns"))
            .write(path, architecture, target, mapping, findings);
        names.summary(output.text());
      }
      return call.status(Findings.worst(findings));
    }
  }

  /// Maps a projector, which the launch gate does not hold against a map, or returns null for
  /// everything else.
  private static @Nullable Mapping ofProjector(Inspection inspection, CheckOptions options) {
    Gguf gguf = inspection.gguf().orElse(null);
    if (gguf == null || gguf.kind() != FileKind.PROJECTOR) {
      return null;
    }
    NameMap map = NameMap.forArchitecture(gguf.architecture().orElse("")).orElse(null);
    return map == null ? null : map.map(gguf, options.target());
  }

  /// Returns the findings that concern names, and those that stopped the reading.
  private static List<Finding> aboutNames(Inspection inspection, ModelReport report) {
    List<Finding> chosen = new ArrayList<>();
    for (Finding finding : report.findings()) {
      if (finding.rule() instanceof ModelRule || inspection.findings().contains(finding)) {
        chosen.add(finding);
      }
    }
    return chosen;
  }
}
