package dev.gguf.mapping.engine;

import static dev.gguf.mapping.engine.EngineRule.ENGINE_ABSENT;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_ARCHITECTURE;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_FILE;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_KIND;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_NOTE;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_SPLIT;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_TYPE;
import static dev.gguf.mapping.engine.EngineRule.ENGINE_UNKNOWN;

import dev.gguf.FileKind;
import dev.gguf.Finding;
import dev.gguf.Severity;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The steps about the file as a whole: whether it is sound, what it is, which architecture and
/// types it has, and in how many files it lies.
final class FileSteps {
  private final Attempt attempt;

  FileSteps(Attempt attempt) {
    this.attempt = attempt;
  }

  /// Findings that this engine does not forgive. An error stops it unless the profile says
  /// otherwise.
  void container() {
    for (Finding finding : attempt.model.findings()) {
      String id = finding.rule().id();
      Fact own = attempt.fact("finding." + id + "." + finding.severity().label());
      own = own == null ? attempt.fact("finding." + id) : own;
      boolean error = finding.severity() == Severity.ERROR;
      if (own != null) {
        boolean harmless = finding.severity() == Severity.INFO && !stopsAsInfo(id);
        if (!own.value().equals("allowed") && !harmless) {
          attempt.stated(ENGINE_FILE, own, told(finding), name(finding));
        }
      } else if (error) {
        attempt.add(
            ENGINE_FILE,
            Reason.Effect.STOPS,
            told(finding),
            null,
            name(finding),
            attempt.fact("findings.error"),
            finding.hint());
      }
    }
  }

  /// A dialect is information about the file and yet decides about an engine; the other rules that
  /// have a milder form are harmless in it.
  private static boolean stopsAsInfo(String id) {
    return id.equals("dialect");
  }

  private static String told(Finding finding) {
    return finding.rule().id() + ": " + finding.message();
  }

  private static @Nullable String name(Finding finding) {
    return finding.subject() == null ? null : finding.subject().name();
  }

  void kind() {
    FileKind kind = attempt.model.kind();
    Fact own = attempt.fact("kind." + kind.label());
    if (kind != FileKind.MODEL && own != null) {
      attempt.stated(ENGINE_KIND, own, null, null);
    }
  }

  void absent() {
    attempt.stops(
        ENGINE_ABSENT,
        "this release has no loader for GGUF files; vllm-gguf-plugin brings one",
        attempt.error("absent", "file", attempt.model.name()),
        attempt.fact("absent"));
  }

  /// The architecture against a plain list of names.
  void architecture() {
    String architecture = attempt.architecture;
    List<Fact> table = attempt.profile.under("architecture");
    boolean listed =
        attempt.profile.has("architectures", architecture)
            || attempt.fact("architecture." + architecture) != null;
    if (!listed && !architecture.isEmpty()) {
      String known =
          attempt.profile.has("architectures.known", architecture)
              ? "the engine knows the name " + architecture + " but has no loader for it"
              : "architecture " + architecture + " is not in the engine's list";
      attempt.stops(
          ENGINE_ARCHITECTURE,
          known,
          attempt.error("architecture.error", "architecture", architecture),
          attempt.fact(table.size() > 1 ? "architecture.error" : "architectures"));
      return;
    }
    if (architecture.isEmpty()) {
      attempt.stops(
          ENGINE_ARCHITECTURE,
          "the file names no architecture",
          attempt.error("architecture.error", "architecture", ""),
          attempt.fact("architecture.error"));
      return;
    }
    Fact since = attempt.fact("since." + architecture);
    String asked = attempt.launch.engineVersion();
    if (since != null && asked.indexOf('-') > 0 && Version.compare(asked, since.value()) < 0) {
      attempt.stops(
          ENGINE_ARCHITECTURE,
          "architecture " + architecture + " is known since " + since.value() + ", not in " + asked,
          attempt.error("architecture.error", "architecture", architecture),
          since);
    } else if (since == null
        && attempt.fact("since.other") != null
        && asked.indexOf('-') > 0
        && Version.compare(asked, attempt.profile.versions()) < 0) {
      attempt.stated(
          ENGINE_UNKNOWN,
          attempt.profile.fact("since.other").orElseThrow(),
          "architecture " + architecture,
          "general.architecture");
    } else if (since != null && asked.isEmpty()) {
      attempt.note(
          ENGINE_ARCHITECTURE, "architecture " + architecture + " since " + since.value(), since);
    }
  }

  /// Keys and tensors without which the engine refuses this architecture.
  void required() {
    Fact fact = attempt.fact("requires." + attempt.architecture);
    if (fact == null || attempt.model.kind() != FileKind.MODEL) {
      return;
    }
    for (String word : ProfileText.words(fact.value())) {
      String name = word.substring(word.indexOf(':') + 1);
      boolean there = word.startsWith("key:") ? attempt.hasKey(name) : attempt.first(name) != null;
      if (!there) {
        attempt.add(
            ENGINE_FILE,
            Reason.Effect.STOPS,
            (word.startsWith("key:") ? "key " : "tensors ") + name + " required by this engine",
            null,
            name,
            fact,
            null);
      }
    }
  }

  /// Tensors that the loader of this architecture does not ask for, and forms that it does not
  /// take.
  void refused() {
    Fact fact = attempt.fact("refuses." + attempt.architecture);
    if (fact == null || attempt.model.kind() != FileKind.MODEL) {
      return;
    }
    for (String word : ProfileText.words(fact.value())) {
      int plus = word.indexOf('+');
      String rest = plus < 0 ? word : word.substring(0, plus);
      for (Tensor tensor : attempt.model.tensors()) {
        if (!Attempt.rest(tensor.name()).equals(rest)) {
          continue;
        }
        String other = plus < 0 ? "" : word.substring(plus + 1);
        boolean flat = other.equals("flat") && tensor.dimensions() < 3;
        boolean beside =
            !other.isEmpty() && attempt.tensor(tensor.name().replace(rest, other)) != null;
        if (plus < 0 || flat || beside) {
          attempt.add(
              ENGINE_FILE,
              Reason.Effect.STOPS,
              tensor.name()
                  + (flat
                      ? " has " + tensor.dimensions() + " dimensions and not 3"
                      : beside ? " stands beside " + other : " is not asked for")
                  + " (wrong number of tensors, or wrong shape)",
              null,
              tensor.name(),
              fact,
              null);
          break;
        }
      }
    }
  }

  /// Every type of the file against the types that the engine reads.
  void types() {
    for (Map.Entry<TensorType, Tensor> entry : firstOfEachType().entrySet()) {
      TensorType type = entry.getKey();
      Tensor tensor = entry.getValue();
      boolean fork =
          type.fork().isPresent()
              && attempt.profile.fact("types.fork").isPresent()
              && type.fork().get().startsWith(String.valueOf(attempt.profile.value("types.fork")));
      if (!attempt.profile.has("types.readable", type.name()) && !fork) {
        attempt.add(
            ENGINE_TYPE,
            Reason.Effect.STOPS,
            tensor.name() + " is of type " + type.name() + " (" + type.id() + "), not read here",
            attempt.error("types.error", "id", Long.toString(type.id())),
            tensor.name(),
            attempt.fact("types.readable"),
            null);
        continue;
      }
      Fact since = attempt.fact("type-since." + type.name());
      String asked = attempt.launch.engineVersion();
      if (since != null && asked.indexOf('-') > 0 && Version.compare(asked, since.value()) < 0) {
        attempt.stops(
            ENGINE_TYPE,
            "type " + type.name() + " is known since " + since.value() + ", not in " + asked,
            attempt.error("types.error", "id", Long.toString(type.id())),
            since);
      } else if (since != null && asked.isEmpty()) {
        attempt.note(ENGINE_TYPE, "type " + type.name() + " since " + since.value(), since);
      }
    }
  }

  Map<TensorType, Tensor> firstOfEachType() {
    Map<TensorType, Tensor> types = new LinkedHashMap<>();
    for (Tensor tensor : attempt.model.tensors()) {
      types.putIfAbsent(tensor.type(), tensor);
    }
    return types;
  }

  /// transformers: what gguf-py can decode, or the packed path's own list.
  void transformersTypes() {
    String architecture = attempt.profile.value("architecture." + attempt.architecture);
    if (architecture == null) {
      return;
    }
    String path = architecture.endsWith("packed") ? "packed" : "legacy";
    for (Map.Entry<TensorType, Tensor> entry : firstOfEachType().entrySet()) {
      TensorType type = entry.getKey();
      if (!attempt.profile.has("types." + path, type.name())) {
        attempt.add(
            ENGINE_TYPE,
            Reason.Effect.STOPS,
            entry.getValue().name()
                + " is of type "
                + type.name()
                + ", not read on the "
                + path
                + " path",
            attempt.error("types." + path + ".error", "id", Long.toString(type.id())),
            entry.getValue().name(),
            attempt.fact("types." + path),
            null);
      }
    }
  }

  /// Several files where the engine reads one, or wants them listed.
  void split() {
    int files = attempt.model.files();
    Fact split = attempt.fact("split");
    if (files < 2 || split == null) {
      return;
    }
    String many = "the model lies in " + files + " files";
    switch (split.value()) {
      case "one-file", "first-file" ->
          attempt.add(
              ENGINE_SPLIT,
              Reason.Effect.STOPS_AS_GIVEN,
              many
                  + "; "
                  + (attempt.profile.fact("split.error").isPresent()
                      ? attempt.error("split.error")
                      : "only the file named is read, without a message, and what the others hold"
                          + " stays at its initial values"),
              null,
              null,
              split,
              "merge them into one file: gguf merge");
      case "listed" ->
          attempt.add(
              ENGINE_SPLIT,
              Reason.Effect.DEPENDS,
              many + "; all of them must be listed",
              attempt.error("split.error", "files", Integer.toString(files)),
              null,
              split,
              "name every file");
      default ->
          attempt.note(
              ENGINE_SPLIT, many + "; they are found by their names -NNNNN-of-NNNNN", split);
    }
  }

  /// Scales of MTP layers that some builds count wrongly.
  void companions() {
    Fact fact = attempt.fact("companions");
    if (fact == null) {
      return;
    }
    int count = 0;
    String first = null;
    for (Tensor tensor : attempt.model.tensors()) {
      String name = tensor.name();
      if (!attempt.inTrunk(tensor) && (name.endsWith(".scale") || name.endsWith(".input_scale"))) {
        first = first == null ? name : first;
        count++;
      }
    }
    if (first != null) {
      attempt.stated(
          ENGINE_FILE, fact, count + " scale tensors of MTP layers, first " + first, first);
    }
  }

  /// Since a date the MTP block is loaded whenever it is there.
  void mtpLoaded() {
    Fact fact = attempt.fact("mtp.loaded");
    long bytes = 0;
    for (Tensor tensor : attempt.model.tensors()) {
      if (tensor.layer().isPresent() && !attempt.inTrunk(tensor)) {
        bytes += tensor.hasExactSize() ? tensor.bytes() : 0;
      }
    }
    if (fact == null || bytes == 0) {
      return;
    }
    long all = 0;
    for (Tensor tensor : attempt.model.tensors()) {
      all += tensor.hasExactSize() ? tensor.bytes() : 0;
    }
    attempt.note(
        ENGINE_NOTE,
        "the MTP block takes "
            + bytes
            + " bytes: weights of "
            + (all - bytes)
            + " bytes before "
            + fact.value()
            + ", "
            + all
            + " bytes since",
        fact);
  }

  /// Facts about one architecture.
  void partial() {
    Fact fact = attempt.fact("partial." + attempt.architecture);
    if (fact != null) {
      attempt.stated(ENGINE_NOTE, fact, null, null);
    }
  }

  /// An engine that is known from reports only.
  void reported() {
    boolean dialect = false;
    for (Finding finding : attempt.model.findings()) {
      dialect |= finding.rule().id().equals("dialect");
    }
    Fact fact = attempt.fact("reported." + attempt.architecture);
    if (dialect && attempt.fact("reported.dialect") != null) {
      fact = attempt.fact("reported.dialect");
    }
    attempt.stated(
        ENGINE_UNKNOWN,
        fact != null ? fact : attempt.profile.fact("reported").orElseThrow(),
        attempt.architecture.isEmpty() ? null : "architecture " + attempt.architecture,
        null);
  }

  /// An engine that takes nothing but the routed experts from the file.
  void expertsOnly() {
    Fact fact = attempt.profile.fact("experts-only").orElseThrow();
    if (attempt.first("ffn_gate_exps.weight") != null
        && attempt.first("ffn_up_exps.weight") != null
        && attempt.first("ffn_down_exps.weight") != null) {
      attempt.depends(ENGINE_NOTE, fact.value(), fact);
    } else {
      attempt.stops(
          ENGINE_ARCHITECTURE, "the file has no routed experts; " + fact.value(), null, fact);
    }
  }
}
