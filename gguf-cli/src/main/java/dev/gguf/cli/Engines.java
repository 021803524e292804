package dev.gguf.cli;

import dev.gguf.cli.render.Judged;
import dev.gguf.mapping.check.ModelReport;
import dev.gguf.mapping.checkpoint.ModelConfig;
import dev.gguf.mapping.engine.Candidate;
import dev.gguf.mapping.engine.EngineProfile;
import dev.gguf.mapping.engine.EngineProfiles;
import dev.gguf.mapping.engine.Launch;
import dev.gguf.mapping.engine.Prediction;
import dev.gguf.mapping.engine.Preflight;
import dev.gguf.mapping.engine.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The engines that a command line asks about.
///
/// @param names as `--engine` takes them, each once
/// @param profile a profile of the user's, or null
/// @param launch the settings of the launch
record Engines(List<String> names, @Nullable EngineProfile profile, Launch launch) {

  /// Returns what `--engine` and `--profile` ask for.
  ///
  /// @throws CommandException if an engine is not known or a profile cannot be read
  static Engines asked(Call call) {
    return asked(call, Launch.DEFAULT, null);
  }

  /// Returns what `--engine` and `--profile` ask for, for a launch.
  ///
  /// @param implied the engine that is meant if none is named, or null
  static Engines asked(Call call, Launch launch, @Nullable String implied) {
    List<String> names = new ArrayList<>();
    for (String name : call.options("--engine")) {
      if (!EngineProfiles.engines().contains(name)) {
        throw CommandException.usage(
            "--engine "
                + name
                + ": expected one of "
                + String.join(", ", EngineProfiles.engines()));
      }
      if (!names.contains(name)) {
        names.add(name);
      }
    }
    EngineProfile profile = profile(call.option("--profile"));
    if (names.isEmpty() && profile != null) {
      names.add(profile.engine());
    }
    if (names.isEmpty() && implied != null) {
      names.add(implied);
    }
    return new Engines(names, profile, launch);
  }

  private static @Nullable EngineProfile profile(@Nullable String file) {
    if (file == null) {
      return null;
    }
    try {
      return EngineProfile.read(Path.of(file));
    } catch (IOException e) {
      throw CommandException.usage("--profile " + file + ": cannot be read: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("--profile " + e.getMessage(), e);
    }
  }

  /// Returns the entry of a model with the predictions that are asked for.
  ///
  /// @param config the config.json that belongs to the model, or null
  Judged judge(
      Models.Given model, ModelReport report, @Nullable ModelConfig config, Judged judged) {
    return names.isEmpty() ? judged : judged.withEngines(shown(predict(model, report, config)));
  }

  /// Predicts for every engine asked, in the order in which they are named.
  ///
  /// @throws CommandException if a release asked for is older than all that are known
  List<Prediction> predict(Models.Given model, ModelReport report, @Nullable ModelConfig config) {
    Path file = model.path().getFileName();
    Candidate candidate =
        Candidate.of(
            file == null ? model.path().toString() : file.toString(),
            model.inspection(),
            report,
            Optional.ofNullable(config));
    List<Prediction> predictions = new ArrayList<>();
    for (String name : names) {
      try {
        boolean own = profile != null && profile.engine().equals(name);
        predictions.add(
            own && profile != null
                ? Preflight.predict(candidate, profile, launch)
                : Preflight.predict(candidate, name, launch));
      } catch (IllegalArgumentException e) {
        throw CommandException.usage(e.getMessage(), e);
      }
    }
    return predictions;
  }

  /// Returns predictions in the form in which they are shown.
  static List<Judged.EnginePrediction> shown(List<Prediction> predictions) {
    List<Judged.EnginePrediction> shown = new ArrayList<>();
    for (Prediction prediction : predictions) {
      List<Judged.Reason> reasons = new ArrayList<>();
      for (Reason reason : prediction.reasons()) {
        reasons.add(
            new Judged.Reason(
                reason.rule().id(),
                reason.message(),
                reason.source(),
                reason.versions(),
                reason.remedy()));
      }
      shown.add(
          new Judged.EnginePrediction(
              prediction.engine(), prediction.version(), prediction.loads().label(), reasons));
    }
    return shown;
  }
}
