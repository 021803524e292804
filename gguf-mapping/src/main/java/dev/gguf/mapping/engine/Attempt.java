package dev.gguf.mapping.engine;

import dev.gguf.Metadata;
import dev.gguf.MetadataException;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.mapping.checkpoint.ConfigException;
import dev.gguf.mapping.checkpoint.ModelConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One model held against one profile with one set of libraries: what the steps know, and the
/// reasons that they have found so far.
final class Attempt {
  final Candidate model;
  final EngineProfile profile;
  final Launch launch;
  final EngineNames.Libraries libraries;
  final String architecture;
  final List<Reason> reasons = new ArrayList<>();

  private final Map<String, Tensor> byName = new HashMap<>();
  private @Nullable EngineNames names;
  private boolean namesKnown;

  Attempt(Candidate model, EngineProfile profile, Launch launch, EngineNames.Libraries libraries) {
    this.model = model;
    this.profile = profile;
    this.launch = launch;
    this.libraries = libraries;
    this.architecture = text("general.architecture").orElse("");
    for (Tensor tensor : model.tensors()) {
      byName.putIfAbsent(tensor.name(), tensor);
    }
  }

  // The model.

  Optional<String> text(String key) {
    try {
      return model.metadata().findString(key);
    } catch (MetadataException e) {
      return Optional.empty();
    }
  }

  /// Returns an integer of the architecture's own keys; the largest one of an array.
  long integer(String key, long absent) {
    Metadata metadata = model.metadata();
    String full = architecture + "." + key;
    try {
      return metadata.integer(full, absent);
    } catch (MetadataException e) {
      return absent;
    }
  }

  boolean hasKey(String key) {
    return model.metadata().has(key);
  }

  @Nullable Tensor tensor(String name) {
    return byName.get(name);
  }

  /// Returns the first tensor whose name after the layer number is this, or null.
  @Nullable Tensor first(String kindAndSuffix) {
    for (Tensor tensor : model.tensors()) {
      if (rest(tensor.name()).equals(kindAndSuffix)) {
        return tensor;
      }
    }
    return null;
  }

  /// Returns the layers of the trunk, without the MTP layers.
  int layers() {
    long own = configured("num_hidden_layers");
    if (own > 0) {
      return Math.clamp(own, 0, 100_000);
    }
    long layers = integer("block_count", 0) - integer("nextn_predict_layers", 0);
    return Math.clamp(layers, 0, 100_000);
  }

  /// Returns the model type of the configuration: what config.json says, else what the repository
  /// of such a file says.
  String modelType() {
    Optional<String> own = seen().flatMap(ModelConfig::textModelType);
    if (own.isPresent()) {
      return own.get();
    }
    // transformers takes a llama file of exactly this name for another model type.
    if (architecture.equals("llama") && text("general.name").orElse("").equals("mistral")) {
      return "mistral";
    }
    return architecture.equals("deepseek2")
            && first("exp_probs_b.bias") == null
            && first("exp_probs_b") == null
        ? "deepseek_v2"
        : StateDict.modelType(architecture);
  }

  /// Returns the config.json that this engine reads: some read it beside the file, others only from
  /// a folder that they are given.
  Optional<ModelConfig> seen() {
    boolean given = launch.configPath() || isRemote();
    return profile.is("config", "gguf-or-path") && !given ? Optional.empty() : model.config();
  }

  /// Returns whether the engine is given a repository and a quantisation instead of a file.
  boolean isRemote() {
    String reference = launch.model();
    return reference != null && !reference.endsWith(".gguf") && reference.indexOf(':') > 0;
  }

  long configured(String key) {
    try {
      return seen().map(config -> config.findInteger(key).orElse(0)).orElse(0L);
    } catch (ConfigException e) {
      return 0;
    }
  }

  private Optional<String> configuredText(String key) {
    try {
      return seen().flatMap(config -> config.findString(key));
    } catch (ConfigException e) {
      return Optional.empty();
    }
  }

  /// Returns whether config.json says that the embeddings are tied.
  boolean tiedByConfig() {
    try {
      return model.config().map(config -> config.bool("tie_word_embeddings", false)).orElse(false);
    } catch (ConfigException e) {
      return false;
    }
  }

  /// Returns the activation type: what is asked for, else that of the configuration, else bfloat16,
  /// the platform's first choice.
  String dtype() {
    String asked = launch.dtype();
    return asked.equals("auto")
        ? configuredText("dtype").or(() -> configuredText("torch_dtype")).orElse("bfloat16")
        : asked;
  }

  EngineNames.Sizes sizes() {
    return new EngineNames.Sizes(
        layers(),
        Math.clamp(integer("leading_dense_block_count", 0), 0, 100_000),
        Math.clamp(integer("expert_count", 0), 0, 4096),
        first("attn_q_a.weight") != null || first("attn_q.weight") == null);
  }

  /// Returns the engine's name map, or null if the names of this model type are not known here.
  @Nullable EngineNames names() {
    if (!namesKnown) {
      namesKnown = true;
      names = EngineNames.asIfKnown(profile, namingLibraries(), modelType(), sizes()).orElse(null);
    }
    return names;
  }

  /// A release of transformers that does not know the model type has no state dictionary of it: the
  /// first one that does is taken for what follows.
  EngineNames.Libraries namingLibraries() {
    String since = EngineProfiles.named("transformers").value("since." + modelType());
    return since == null || Version.compare(libraries.transformers(), since) >= 0
        ? libraries
        : new EngineNames.Libraries(since, libraries.ggufPy());
  }

  /// Returns the parameter that a tensor feeds in this engine, or null.
  @Nullable String parameter(String tensor) {
    EngineNames map = names();
    return map == null ? null : map.entries().get(tensor);
  }

  /// Returns the part of a tensor's name behind the layer number: `attn_k_b.weight` of
  /// `blk.3.attn_k_b.weight`.
  static String rest(String name) {
    if (!name.startsWith("blk.")) {
      return name;
    }
    int dot = name.indexOf('.', 4);
    return dot < 0 ? name : name.substring(dot + 1);
  }

  /// Returns the name behind the layer number without its suffix: `attn_k_b`.
  static String kind(String name) {
    return StateDict.base(rest(name));
  }

  boolean plain(TensorType type) {
    return profile.has("rename.plain", type.name());
  }

  boolean inTrunk(Tensor tensor) {
    return tensor.layer().orElse(-1) < layers();
  }

  // The reasons.

  void add(
      EngineRule rule,
      Reason.Effect effect,
      String message,
      @Nullable String error,
      @Nullable String subject,
      @Nullable Fact fact,
      @Nullable String remedy) {
    String text = error == null || message.contains(error) ? message : message + ": " + error;
    reasons.add(
        new Reason(
            rule,
            effect,
            text,
            error,
            subject,
            fact == null ? profile.id() + ".profile" : fact.source(),
            fact == null ? profile.versions() : fact.versions(),
            remedy));
  }

  void stops(EngineRule rule, String message, @Nullable String error, @Nullable Fact fact) {
    add(rule, Reason.Effect.STOPS, message, error, null, fact, null);
  }

  void note(EngineRule rule, String message, @Nullable Fact fact) {
    add(rule, Reason.Effect.NOTE, message, null, null, fact, null);
  }

  void depends(EngineRule rule, String message, @Nullable Fact fact) {
    add(rule, Reason.Effect.DEPENDS, message, null, null, fact, null);
  }

  /// Adds what a fact of the form `effect: message` says.
  void stated(EngineRule rule, Fact fact, @Nullable String about, @Nullable String subject) {
    String value = fact.value();
    int colon = value.indexOf(':');
    String word = colon < 0 ? value : value.substring(0, colon);
    String words = colon < 0 ? "" : value.substring(colon + 1).strip();
    Reason.Effect effect =
        switch (word) {
          case "stops" -> Reason.Effect.STOPS;
          case "depends" -> Reason.Effect.DEPENDS;
          case "unknown" -> Reason.Effect.UNKNOWN;
          case "note" -> Reason.Effect.NOTE;
          default ->
              throw new IllegalArgumentException(
                  profile.id() + ": " + fact.key() + " starts with " + word);
        };
    String message = about == null ? words : words.isEmpty() ? about : about + "; " + words;
    add(rule, effect, message, null, subject, fact, null);
  }

  /// Returns the value of an error text's fact with its places filled in, or null.
  @Nullable String error(String key, String... places) {
    String text = profile.value(key);
    if (text == null) {
      return null;
    }
    for (int i = 0; i < places.length; i += 2) {
      text = text.replace("{" + places[i] + "}", places[i + 1]);
    }
    return text;
  }

  @Nullable Fact fact(String key) {
    return profile.fact(key).orElse(null);
  }
}
