package dev.gguf.mapping.engine;

import dev.gguf.internal.Resources;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The profiles that come with this library. Only those that are asked for are read.
public final class EngineProfiles {
  private static final Map<String, EngineProfile> READ = new ConcurrentHashMap<>();

  private EngineProfiles() {}

  /// One line of the index: from which version of an engine on a profile holds.
  private record Generation(String engine, String from, String profile) {}

  private static final class Index {
    static final List<Generation> GENERATIONS = read();

    private static List<Generation> read() {
      List<Generation> lines = new ArrayList<>();
      for (String line : ProfileText.lines(text("profiles.txt"))) {
        if (!line.isEmpty() && line.charAt(0) != '#') {
          List<String> words = ProfileText.words(line);
          lines.add(new Generation(words.get(0), words.get(1), words.get(2)));
        }
      }
      return List.copyOf(lines);
    }
  }

  /// Returns the engines that a prediction can be asked for, in the order in which they are listed.
  public static List<String> engines() {
    return List.of(
        "llama.cpp",
        "ik_llama.cpp",
        "vllm",
        "vllm-plugin",
        "transformers",
        "sglang",
        "ktransformers",
        "candle",
        "mistral.rs",
        "ollama");
  }

  /// Returns the names of all profiles of an engine, the oldest first.
  public static List<String> generations(String engine) {
    List<String> names = new ArrayList<>();
    for (Generation generation : Index.GENERATIONS) {
      if (generation.engine().equals(engine)) {
        names.add(generation.profile());
      }
    }
    return names;
  }

  /// Returns the profile with this name, such as `vllm-0.16`.
  ///
  /// @throws IllegalArgumentException if there is none
  public static EngineProfile named(String id) {
    EngineProfile known = READ.get(id);
    if (known != null) {
      return known;
    }
    EngineProfile profile = new ProfileText(id + ".profile", text(id + ".profile")).profile();
    READ.put(id, profile);
    return profile;
  }

  /// Returns the profile of a release.
  ///
  /// @param version a release such as `0.16.0` or `0.16.0rc2.dev313`; empty for the newest
  /// @throws IllegalArgumentException if the engine is not known, or the version older than
  ///   everything known of it
  public static EngineProfile of(String engine, String version) {
    return find(engine, version)
        .orElseThrow(() ->
            new IllegalArgumentException(
                generations(engine).isEmpty()
                    ? "no profile of an engine '" + engine + "'; known: " + engines()
                    : "no profile of "
                        + engine
                        + " "
                        + version
                        + "; the oldest known is "
                        + oldest(engine)));
  }

  private static String oldest(String engine) {
    for (Generation generation : Index.GENERATIONS) {
      if (generation.engine().equals(engine)) {
        return generation.from();
      }
    }
    throw new IllegalArgumentException(engine + " has no profile");
  }

  /// Returns whether the index has this version of the engine by name, such as `main`.
  static boolean isNamed(String engine, String version) {
    for (Generation generation : Index.GENERATIONS) {
      if (generation.engine().equals(engine)
          && generation.from().equals(version)
          && !Version.isRelease(version)) {
        return true;
      }
    }
    return false;
  }

  /// Returns the profile of a release, or empty if the engine or a version so old is not known.
  public static Optional<EngineProfile> find(String engine, String version) {
    String found = null;
    for (Generation generation : Index.GENERATIONS) {
      if (!generation.engine().equals(engine)) {
        continue;
      }
      boolean named = version.equals(generation.from());
      if (named) {
        return Optional.of(named(generation.profile()));
      }
      boolean release = Version.isRelease(generation.from());
      if (release && (version.isEmpty() || Version.compare(generation.from(), version) <= 0)) {
        found = generation.profile();
      }
    }
    return Optional.ofNullable(found).map(EngineProfiles::named);
  }

  /// Returns the text of a resource of this package.
  static String text(String resource) {
    byte[] text = Resources.find(EngineProfiles.class, resource);
    if (text == null) {
      throw new IllegalArgumentException("no profile " + resource);
    }
    return new String(text, StandardCharsets.UTF_8);
  }
}
