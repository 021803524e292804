package dev.gguf.mapping.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.Tensor;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The name maps against those that the engines' own code returned.
class EngineNamesTest {
  private static final Pattern NAME =
      Pattern.compile(
          "(?:yielded\\.)?(?:patched-)?(vllm|plugin|sglang)-(\\d[\\d.]*\\d)\\.([a-z0-9_]+).*\\.tsv");
  private static final Pattern LIBRARY = Pattern.compile("(transformers|gguf) (\\d[\\d.]*\\d)");

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> everyMapEqualsTheEngines() throws IOException {
    List<Path> maps = files(false);
    return maps.stream().map(map -> DynamicTest.dynamicTest(name(map), () -> compare(map)));
  }

  @TestFactory
  Stream<DynamicTest> everyStreamOfNamesEqualsTheEngines() throws IOException {
    List<Path> maps = files(true);
    return maps.stream().map(map -> DynamicTest.dynamicTest(name(map), () -> compareStream(map)));
  }

  private static List<Path> files(boolean yielded) throws IOException {
    Path folder = Shared.require("data/engines/maps");
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> name(file).startsWith("yielded.") == yielded)
          .filter(file -> NAME.matcher(name(file)).matches())
          .sorted()
          .toList();
    }
  }

  private void compare(Path file) throws IOException {
    Map<String, String> expected = new LinkedHashMap<>();
    List<String> remarks = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#")) {
        remarks.add(line);
      } else {
        String[] columns = line.split("\t", -1);
        expected.put(columns[0], columns[1]);
      }
    }
    EngineProfile profile = profile(file);
    EngineNames names = map(file, profile, libraries(remarks), sizes(expected.keySet()));
    assertThat(names.error()).isEmpty();
    assertThat(names.entries()).containsExactlyInAnyOrderEntriesOf(expected);
    assertThat(List.copyOf(names.entries().keySet())).containsExactlyElementsOf(expected.keySet());
  }

  private void compareStream(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    Matcher model = Pattern.compile("for (\\S+\\.gguf)").matcher(lines.getFirst());
    assertThat(model.find()).isTrue();
    Path path = Shared.require("data/engines/gguf/" + model.group(1));
    List<String> expected = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (String line : lines) {
      String[] columns = line.split("\t", -1);
      if (columns[0].equals("#skipped-gguf-tensor")) {
        skipped.add(columns[1]);
      } else if (!line.startsWith("#")) {
        expected.add(columns[0]);
      }
    }
    EngineProfile profile = profile(file);
    try (Gguf gguf = Gguf.open(path)) {
      List<Tensor> tensors = gguf.tensors();
      Set<String> known = new LinkedHashSet<>();
      tensors.stream().filter(t -> !t.name().contains(".nextn.")).forEach(t -> known.add(t.name()));
      long mtp = tensors.stream().filter(t -> t.name().contains(".nextn.")).count();
      EngineNames.Sizes all = sizes(known);
      EngineNames.Sizes sizes =
          new EngineNames.Sizes(
              all.layers() - (mtp > 0 ? 1 : 0), all.denseLayers(), all.experts(), all.queryLora());
      EngineNames names =
          map(
              file,
              profile,
              EngineNames.Libraries.of(profile.words("environments").getLast()),
              sizes);
      assertThat(EngineStream.names(profile, names, tensors)).containsExactlyElementsOf(expected);
      assertThat(tensors.stream().map(Tensor::name).filter(n -> !names.entries().containsKey(n)))
          .containsExactlyInAnyOrderElementsOf(skipped);
    }
  }

  private EngineNames map(
      Path file, EngineProfile profile, EngineNames.Libraries libraries, EngineNames.Sizes sizes) {
    Matcher name = NAME.matcher(name(file));
    assertThat(name.matches()).isTrue();
    String type = name.group(3).equals("llama") ? "llama" : name.group(3);
    return EngineNames.of(profile, libraries, type, sizes).orElseThrow();
  }

  private EngineProfile profile(Path file) throws IOException {
    Matcher name = NAME.matcher(name(file));
    assertThat(name.matches()).isTrue();
    String engine = name.group(1).equals("plugin") ? "vllm-plugin" : name.group(1);
    EngineProfile released = EngineProfiles.of(engine, name.group(2));
    if (!name(file).contains("patched-")) {
      return released;
    }
    Path text = folder.resolve("patched.profile");
    Files.writeString(
        text,
        """
        profile patched
        engine vllm
        versions patched
        extends %s
        alias.glm_moe_dsa = glm-dsa experts exp_probs_b
        unmapped = tolerated
        """
            .formatted(released.id()));
    return EngineProfile.read(text);
  }

  private static EngineNames.Libraries libraries(List<String> remarks) {
    Map<String, String> found = new TreeMap<>();
    for (String remark : remarks) {
      Matcher matcher = LIBRARY.matcher(remark);
      while (matcher.find()) {
        found.put(matcher.group(1), matcher.group(2));
      }
    }
    return new EngineNames.Libraries(found.get("transformers"), found.get("gguf"));
  }

  /// What the small configuration behind a map was, told by the map itself.
  private static EngineNames.Sizes sizes(Set<String> tensors) {
    int layers = 0;
    int dense = 0;
    int experts = 0;
    boolean lora = tensors.contains("blk.0.attn_q_a.weight");
    for (String tensor : tensors) {
      layers = Math.max(layers, Tensor.layer(tensor).orElse(-1) + 1);
      dense += tensor.endsWith(".ffn_gate.weight") ? 1 : 0;
      experts = tensor.contains("_exps.") || tensor.startsWith("None.") ? 4 : experts;
    }
    return new EngineNames.Sizes(layers, experts == 0 ? 0 : dense, experts, lora);
  }

  /// The configurations behind the table are not told, but each model type has one and the same in
  /// every row: some number of layers must explain all of its counts.
  @Test
  void everyOutcomeIsTheEngines() throws IOException {
    Path file = Shared.require("data/engines/name-map-outcomes.tsv");
    Map<String, List<String[]>> byType = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] columns = line.split("\t", -1);
      if (columns[0].startsWith("#") || columns[0].equals("engine")) {
        continue;
      }
      byType.computeIfAbsent(columns[4], type -> new ArrayList<>()).add(columns);
    }
    assertThat(byType).isNotEmpty();
    byType.forEach((type, rows) -> {
      List<String> closest = null;
      for (int layers = 1; layers <= 6; layers++) {
        for (int dense = 0; dense < layers; dense++) {
          List<String> wrong = differences(rows, type, layers, dense);
          closest = closest == null || wrong.size() < closest.size() ? wrong : closest;
        }
      }
      assertThat(closest).as(type).isEmpty();
    });
  }

  private static List<String> differences(List<String[]> rows, String type, int layers, int dense) {
    List<String> wrong = new ArrayList<>();
    boolean lora = !type.endsWith("_lite");
    EngineNames.Sizes sizes = new EngineNames.Sizes(layers, dense, 4, lora);
    for (String[] row : rows) {
      if (row[5].equals("no-config")) {
        String since = EngineProfiles.named("transformers").value("since." + type);
        if (since == null || Version.compare(row[2], since) >= 0) {
          wrong.add(String.join(" ", row) + " but " + since);
        }
        continue;
      }
      String engine = row[0].equals("plugin") ? "vllm-plugin" : row[0];
      EngineProfile profile = EngineProfiles.of(engine, row[1]);
      EngineNames names =
          EngineNames.of(
                  profile,
                  new EngineNames.Libraries(row[2], row[3]),
                  lora ? type : type.replace("_lite", ""),
                  sizes)
              .orElseThrow();
      String result =
          names.error().isPresent() ? names.error().get() : names.entries().size() + " entries";
      String told = row[6].length() > 40 ? row[6].substring(0, row[6].length() - 20) : row[6];
      if (!result.startsWith(told)) {
        wrong.add(row[0] + " " + row[1] + " " + row[2] + ": " + told + " but " + result);
      }
    }
    return wrong;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }
}
