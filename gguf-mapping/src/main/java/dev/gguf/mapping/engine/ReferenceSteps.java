package dev.gguf.mapping.engine;

import static dev.gguf.mapping.engine.EngineRule.ENGINE_CONFIG;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_UNKNOWN;

import dev.gguf.FileKind;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The steps about what a launch refers to: the name of the model, and what its configuration says
/// beside the model itself.
final class ReferenceSteps {
  private static final List<String> SUFFIXES = List.of("_XXS", "_XL", "_XS", "_M", "_S", "_L");
  private final Attempt attempt;

  ReferenceSteps(Attempt attempt) {
    this.attempt = attempt;
  }

  /// A repository and a quantisation: which spellings a release takes for one of a GGUF file.
  void reference() {
    Fact form = attempt.fact("remote.form");
    String reference = attempt.launch.model();
    if (form == null
        || reference == null
        || !attempt.isRemote()
        || takes(form.value(), reference)) {
      return;
    }
    attempt.add(
        ENGINE_CONFIG,
        Reason.Effect.STOPS_AS_GIVEN,
        form.value().equals("none")
            ? reference + ": this release does not know repositories with a quantisation"
            : reference
                + " is not recognised as a GGUF reference: this release takes "
                + attempt.profile.value("remote"),
        null,
        null,
        form,
        form.value().equals("none")
            ? "name a local file"
            : "write the ggml type, such as Q8_0, or name the file: owner/repo/file.gguf");
  }

  private boolean takes(String form, String reference) {
    String quant = reference.substring(reference.lastIndexOf(':') + 1);
    return switch (form) {
      case "none" -> false;
      case "exact" -> isType(quant);
      case "suffix" -> isType(quant) || isType(withoutSuffix(quant));
      default -> {
        String bare = quant.startsWith("UD-") ? quant.substring(3) : quant;
        yield isType(bare) || isType(withoutSuffix(bare)) || form.equals("file-type");
      }
    };
  }

  private static String withoutSuffix(String quant) {
    for (String suffix : SUFFIXES) {
      if (quant.endsWith(suffix)) {
        return quant.substring(0, quant.length() - suffix.length());
      }
    }
    return quant;
  }

  private boolean isType(String name) {
    return EngineProfiles.of("gguf-py", attempt.libraries.ggufPy()).has("types", name);
  }

  /// A plugin whose override does not take what the host passes.
  void override() {
    boolean quantised =
        attempt.seen().map(config -> config.has("quantization_config")).orElse(false);
    if (!quantised || !attempt.profile.is("override.hf-config", "no")) {
      return;
    }
    attempt.add(
        ENGINE_CONFIG,
        Reason.Effect.STOPS_AS_GIVEN,
        "config.json has a quantization_config, and this plugin does not take hf_config, which the host"
            + " passes then",
        "TypeError: got an unexpected keyword argument 'hf_config'",
        null,
        attempt.fact("override.hf-config"),
        "take quantization_config out of config.json, or vllm-gguf-plugin 0.0.5");
  }

  /// A configuration with a vision model needs a projector beside the file.
  void projector() {
    Fact fact = attempt.fact("projector");
    @Nullable ModelConfig config = attempt.seen().orElse(null);
    if (fact == null
        || config == null
        || attempt.model.kind() != FileKind.MODEL
        || config.section("vision_config").isEmpty()) {
      return;
    }
    Optional<String> type = config.modelType();
    if (type.isPresent() && attempt.profile.has("projector", type.get())) {
      attempt.add(
          ENGINE_CONFIG,
          Reason.Effect.DEPENDS,
          "config.json describes a model with images; the projector is looked for in the folder of the"
              + " file as mmproj.gguf, mmproj-*.gguf or *mmproj*.gguf, and a tokenizer made of the file is"
              + " refused",
          attempt.error("projector.error"),
          null,
          fact,
          "put the projector beside the file and give --tokenizer, or take a configuration of the text"
              + " model");
    } else {
      attempt.add(
          ENGINE_UNKNOWN,
          Reason.Effect.UNKNOWN,
          "config.json describes a model with images ("
              + type.orElse("no model_type")
              + "), and projectors are read for "
              + fact.value()
              + " only; what becomes of the text model is not established",
          null,
          null,
          fact,
          "take a configuration of the text model");
    }
  }
}
