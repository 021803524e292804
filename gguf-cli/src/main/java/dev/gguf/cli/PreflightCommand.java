package dev.gguf.cli;

import dev.gguf.cli.render.Judged;
import dev.gguf.mapping.check.CheckOptions;
import dev.gguf.mapping.check.ModelCheck;
import dev.gguf.mapping.check.ModelReport;
import dev.gguf.mapping.checkpoint.CheckpointException;
import dev.gguf.mapping.checkpoint.ModelConfig;
import dev.gguf.mapping.engine.EngineCommand;
import dev.gguf.mapping.engine.EngineProfiles;
import dev.gguf.mapping.engine.Launch;
import dev.gguf.mapping.engine.MemoryEstimate;
import dev.gguf.mapping.engine.Prediction;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `gguf preflight`: will an engine load a model with these settings.
final class PreflightCommand extends Command {
  private static final String UNITS = "KMGT";

  @Override
  String summary() {
    return "Will this engine load the file with these settings, and why not";
  }

  @Override
  List<String> description() {
    return List.of(
        "Exit status 1 if the engine does not load it, so that it can stand before a launch, for"
            + " instance as ExecStartPre= of a systemd unit.");
  }

  @Override
  boolean hasVerdict() {
    return true;
  }

  @Override
  void describe(Syntax syntax) {
    syntax
        .file()
        .values("--engine", "E", "The engine; can be repeated.")
        .value("--engine-version", "V", "Its release; default the newest known.")
        .value("--profile", "P", "File with a profile of an engine, to add to the known.")
        .value("--tensor-parallel", "N", "Ranks that share every layer; default 1.")
        .value("--dtype", "D", "Activation type: auto, float16, bfloat16, float32.")
        .value("--gpu-memory", "SIZE", "Memory of one device, such as 96GB or 94.9GiB.")
        .value("--gpu-memory-utilization", "F", "Share of it that the engine may use.")
        .value("--max-model-len", "N", "Longest context in tokens; default the model's own.")
        .value("--compute-capability", "C", "Of the device, such as 9.0 or 12.0.")
        .value("--config", "C", "config.json of the model; default the one beside FILE.")
        .value("--hf-config-path", "DIR", "Folder with config.json that the engine is given.")
        .rest("COMMAND", "the engine's own command line, such as vllm serve MODEL …; it wins.");
  }

  @Override
  int run(Call call) throws IOException {
    String folder = call.option("--hf-config-path");
    EngineCommand command = launch(call, folder);
    Engines engines = Engines.asked(call, command.launch(), command.engine());
    requireOwn(call.rest(), command.engine(), engines);
    if (engines.names().isEmpty()) {
      throw CommandException.usage("which engine? give --engine, or its own command line after --");
    }
    try (Models models = Models.open(call.positionals())) {
      Models.Given model = models.given().getFirst();
      ModelConfig config = config(call, model, folder);
      ModelReport report =
          ModelCheck.check(model.inspection(), CheckOptions.DEFAULT.withConfig(config));
      List<Prediction> predictions = engines.predict(model, report, config);
      Judged judged =
          CheckCommand.judged(model, report)
              .withEngines(Engines.shown(predictions))
              .withDetail(new MemoryDetail(memory(predictions)));
      models.noteHeaderOnly(call.output());
      return call.judge("preflight", List.of(judged));
    }
  }

  /// Returns the config.json that is named, else the one that the engine is given, else the one
  /// beside the file.
  private static @Nullable ModelConfig config(
      Call call, Models.Given model, @Nullable String folder) {
    if (folder == null || call.option("--config") != null) {
      return Configs.of(call, model);
    }
    try {
      return ModelConfig.read(Checkpoints.path(folder).resolve(ModelConfig.FILE_NAME));
    } catch (CheckpointException e) {
      throw CommandException.usage(e.getMessage(), e);
    }
  }

  /// The settings of one engine say nothing about another.
  private static void requireOwn(List<String> rest, @Nullable String engine, Engines engines) {
    if (rest.isEmpty()) {
      return;
    }
    if (engine == null) {
      if (rest.getFirst().startsWith("-") && !engines.names().isEmpty()) {
        return;
      }
      throw CommandException.usage(
          "-- "
              + rest.getFirst()
              + ": only command lines of vllm and sglang are read; give --engine and the settings as"
              + " options of gguf");
    }
    for (String name : engines.names()) {
      boolean hosted = engine.equals("vllm") && name.equals("vllm-plugin");
      boolean known = EngineProfiles.engines().contains(name);
      if (known && !hosted && !name.equals(engine)) {
        throw CommandException.usage(
            "the command line after -- is one of "
                + engine
                + ", and the engine asked for is "
                + name
                + "; leave one of them out");
      }
    }
  }

  private static @Nullable MemoryEstimate memory(List<Prediction> predictions) {
    for (Prediction prediction : predictions) {
      if (prediction.memory() != null) {
        return prediction.memory();
      }
    }
    return null;
  }

  private static EngineCommand launch(Call call, @Nullable String folder) {
    try {
      Launch launch =
          Launch.builder()
              .engineVersion(version(call.option("--engine-version")))
              .tensorParallel((int) call.number("--tensor-parallel", 1, 1, 1 << 16))
              .dtype(call.option("--dtype", "auto"))
              .capability(call.option("--compute-capability", ""))
              .gpuMemory(size(call.option("--gpu-memory")))
              .utilization(fraction(call.option("--gpu-memory-utilization")))
              .maxModelLen(call.number("--max-model-len", 0, 0, Long.MAX_VALUE >> 20))
              .configPath(folder != null)
              .build();
      return EngineCommand.parse(call.rest(), launch);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(e.getMessage(), e);
    }
  }

  private static String version(@Nullable String version) {
    if (version != null && version.isBlank()) {
      throw CommandException.usage(
          "--engine-version: is empty; name a release, or leave the option out for the newest");
    }
    return version == null ? "" : version;
  }

  private static double fraction(@Nullable String text) {
    try {
      return text == null ? 0 : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw CommandException.usage("--gpu-memory-utilization " + text + ": expected 0 to 1", e);
    }
  }

  /// Reads `96GB` (10^9), `94.9GiB` or `94.9G` (2^30), or plain bytes.
  private static long size(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    String upper = text.strip().toUpperCase(Locale.ROOT);
    int end = 0;
    while (end < upper.length()
        && (Character.isDigit(upper.charAt(end)) || upper.charAt(end) == '.')) {
      end++;
    }
    String unit = upper.substring(end).strip();
    int power = unit.isEmpty() ? -1 : UNITS.indexOf(unit.charAt(0));
    boolean known =
        unit.isEmpty()
            || unit.equals("B")
            || power >= 0
                && (unit.length() == 1
                    || unit.substring(1).equals("B")
                    || unit.substring(1).equals("IB"));
    try {
      double number = Double.parseDouble(upper.substring(0, end));
      double base = unit.length() == 2 ? 1000 : 1024;
      double bytes = power < 0 ? number : number * Math.pow(base, power + 1.0);
      if (known && bytes >= 1 && bytes < 1L << 60) {
        return Math.round(bytes);
      }
    } catch (NumberFormatException e) {
      // Told below, with what is expected.
    }
    throw CommandException.usage(
        "--gpu-memory " + text + ": expected a size such as 96GB or 94.9GiB");
  }
}
