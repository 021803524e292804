package dev.gguf.mapping.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What one generation of an engine accepts: facts by key, each with its source and the releases
/// that it holds for.
///
/// A profile is a text file. Lines are `key = value`, optionally followed by ` | source` and ` |
/// versions`; without them the last `source` line and the last `holds` line above count, or the
/// file's `versions`. `extends` names the profile whose facts hold unless the file says otherwise,
/// `host` the release of vLLM that a plugin runs in, and `- key` takes a fact away.
public final class EngineProfile {
  private static final int LARGEST = 1 << 20;

  private final String id;
  private final String engine;
  private final String versions;
  private final Map<String, Fact> facts;
  private final Own own;

  /// What a profile and the profiles that it extends state, without the facts of a host.
  ///
  /// @param facts by key
  /// @param removed keys that are taken away from the host's facts
  /// @param host release of vLLM that a plugin runs in, or empty
  record Own(Map<String, Fact> facts, Set<String> removed, String host) {}

  EngineProfile(String id, String engine, String versions, Map<String, Fact> facts, Own own) {
    this.id = id;
    this.engine = engine;
    this.versions = versions;
    this.facts = facts;
    this.own = own;
  }

  /// Reads a profile from a file. It may extend a profile of this library.
  ///
  /// @throws IOException if the file cannot be read, is no regular file, or is larger than 1 MiB
  /// @throws IllegalArgumentException if a line is no fact, or a profile that it extends is not
  ///   known; the message names the file and the line
  public static EngineProfile read(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException("it is no regular file");
    }
    byte[] text;
    try (InputStream in = Files.newInputStream(file)) {
      text = in.readNBytes(LARGEST + 1);
    }
    if (text.length > LARGEST) {
      throw new IOException("it is larger than " + LARGEST + " bytes, which no profile is");
    }
    try {
      String decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
      return new ProfileText(file.toString(), decoded).profile();
    } catch (CharacterCodingException e) {
      throw new IOException("it is no text in UTF-8", e);
    }
  }

  /// Returns the name of the profile, such as `vllm-0.16`.
  public String id() {
    return id;
  }

  /// Returns the engine, as `--engine` takes it.
  public String engine() {
    return engine;
  }

  /// Returns the releases that the profile speaks of.
  public String versions() {
    return versions;
  }

  /// Returns every fact that holds, the inherited ones first.
  public Collection<Fact> facts() {
    return List.copyOf(facts.values());
  }

  /// Returns the fact with this key.
  public Optional<Fact> fact(String key) {
    return Optional.ofNullable(facts.get(key));
  }

  /// Returns the value of a fact, or null.
  @Nullable String value(String key) {
    Fact fact = facts.get(key);
    return fact == null ? null : fact.value();
  }

  /// Returns whether a fact has this value.
  boolean is(String key, String value) {
    Fact fact = facts.get(key);
    return fact != null && fact.value().equals(value);
  }

  /// Returns whether the words of a fact's value contain this one; false without the fact.
  boolean has(String key, String word) {
    Fact fact = facts.get(key);
    return fact != null && ProfileText.containsWord(fact.value(), word);
  }

  /// Returns the words of a fact's value, none without the fact.
  List<String> words(String key) {
    Fact fact = facts.get(key);
    return fact == null ? List.of() : ProfileText.words(fact.value());
  }

  /// Returns the facts whose key is the prefix, a dot and something more.
  List<Fact> under(String prefix) {
    List<Fact> found = new ArrayList<>();
    String start = prefix + ".";
    for (Fact fact : facts.values()) {
      if (fact.key().startsWith(start)) {
        found.add(fact);
      }
    }
    return found;
  }

  Own own() {
    return own;
  }

  Map<String, Fact> table() {
    return facts;
  }

  @Override
  public String toString() {
    return id;
  }
}
