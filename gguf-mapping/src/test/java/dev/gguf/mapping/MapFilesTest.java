package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Holds every map file of the module against all data there is about its architecture.
final class MapFilesTest {
  private static final Path MAPS =
      Shared.root().resolve("gguf-mapping/src/main/resources/dev/gguf/mapping/maps");

  static List<String> architectures() throws IOException {
    try (Stream<Path> files = Files.list(MAPS)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".map") && !name.startsWith("_"))
          .map(name -> name.substring(0, name.length() - ".map".length()))
          .sorted()
          .toList();
    }
  }

  @TestFactory
  Stream<DynamicTest> noTwoRulesClaimTheSame() throws IOException {
    return architectures().stream()
        .map(name ->
            dynamicTest(
                name,
                () ->
                    assertThat(MapOverlap.find(NameMap.forArchitecture(name).orElseThrow()))
                        .isEmpty()));
  }

  @TestFactory
  Stream<DynamicTest> mapsNameTheirModelsAndChecks() throws IOException {
    return architectures().stream()
        .map(name ->
            dynamicTest(
                name,
                () -> {
                  NameMap map = NameMap.forArchitecture(name).orElseThrow();
                  assertThat(map.modelTypes()).isNotEmpty();
                  assertThat(map.checks())
                      .allMatch(check ->
                          check.matches(
                              "(table|converter|names|module-names|built|accepted) [A-Za-z0-9._-]+"));
                }));
  }

  /// `docs/architectures.md` tells users what a map was held against, so its lines say all of that
  /// and nothing else.
  @TestFactory
  Stream<DynamicTest> mapsClaimWhatIsChecked() throws IOException {
    Map<String, Set<String>> checked = new TreeMap<>();
    for (TensorTables.Model model : TensorTables.models(Shared.require("data/tensor-tables"))) {
      checked(checked, model.architecture()).add("table " + model.name());
    }
    for (ExpectedNames names : expectedNames()) {
      checked(checked, names.architecture()).add("names " + names.list());
    }
    checked(checked, "glm-dsa").add("module-names glm_moe_dsa");
    for (BuiltModel model : BuiltModel.all()) {
      checked(checked, model.architecture()).add(model.kind() + " " + model.name());
    }
    Path folder = Shared.require("data/converter");
    for (Path file : tables(folder)) {
      String name = file.getFileName().toString().replace(".tensors.tsv", "");
      try (Gguf model = Gguf.open(file.resolveSibling(name + ".gguf"))) {
        checked(checked, model.architecture().orElseThrow())
            .add("converter " + folder.relativize(file).getName(0));
      }
    }
    return architectures().stream()
        .map(name ->
            dynamicTest(
                name,
                () ->
                    assertThat(NameMap.forArchitecture(name).orElseThrow().checks())
                        .containsExactlyInAnyOrderElementsOf(
                            checked.getOrDefault(name, Set.of()))));
  }

  private static Set<String> checked(Map<String, Set<String>> all, String architecture) {
    return all.computeIfAbsent(architecture, _ -> new TreeSet<>());
  }

  @TestFactory
  Stream<DynamicTest> realTensorTablesAreComplete() throws IOException {
    return TensorTables.models(Shared.require("data/tensor-tables")).stream()
        .filter(model -> NameMap.forArchitecture(model.architecture()).isPresent())
        .map(model ->
            dynamicTest(
                model.name(),
                () -> {
                  NameMap map = NameMap.forArchitecture(model.architecture()).orElseThrow();
                  assertThat(new MapHarness(map).table(model.metadata(), model.tensors()))
                      .isEmpty();
                }));
  }

  @TestFactory
  Stream<DynamicTest> convertedFilesComeFromTheParametersThatTheyAreMappedTo() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Path folder = Shared.require("data/converter");
    for (Path file : tables(folder)) {
      String name = file.getFileName().toString().replace(".tensors.tsv", "");
      Path gguf = file.resolveSibling(name + ".gguf");
      Optional<NameMap> map = mapOf(gguf);
      if (map.isPresent()) {
        MapHarness harness = new MapHarness(map.get());
        tests.add(dynamicTest(name, () -> assertThat(harness.converted(gguf, file)).isEmpty()));
        Path parameters = file.resolveSibling(name + ".parameters.tsv");
        if (Files.exists(parameters)) {
          tests.add(
              dynamicTest(
                  name + " feeds its parameters",
                  () -> assertThat(harness.feeds(gguf, parameters)).isEmpty()));
        }
      }
    }
    return tests.stream();
  }

  private static List<Path> tables(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".tensors.tsv")).sorted().toList();
    }
  }

  private static Optional<NameMap> mapOf(Path gguf) throws IOException {
    if (!Files.exists(gguf)) {
      return Optional.empty();
    }
    try (Gguf model = Gguf.open(gguf)) {
      return NameMap.forArchitecture(model.architecture().orElse(""));
    }
  }

  @TestFactory
  Stream<DynamicTest> listsOfParametersAreProducedExactly() throws IOException {
    Shared.require("data/hf-names");
    return expectedNames().stream()
        .filter(names -> NameMap.forArchitecture(names.architecture()).isPresent())
        .map(names ->
            dynamicTest(
                names.list() + " of " + names.architecture(),
                () -> assertThat(names.differences()).isEmpty()));
  }

  /// A line of `names.tsv`: a list of parameters and the model that has them.
  record ExpectedNames(
      String list, String architecture, String target, String keys, Set<String> present) {
    List<String> differences() throws IOException {
      NameMap map = NameMap.forArchitecture(architecture).orElseThrow();
      Metadata metadata = SyntheticTable.metadata(architecture, keys);
      List<Tensor> tensors = SyntheticTable.of(map, metadata, present);
      Mapping mapping =
          map.map(metadata, tensors, Target.of(target).orElseThrow(), MapOptions.DEFAULT);
      List<String> differences =
          MapHarness.names(
              mapping, MapHarness.names(Shared.require("data/hf-names/" + list + ".tsv")));
      mapping.missing().forEach(missing -> differences.add(missing.toString()));
      mapping.unmapped().forEach(unmapped -> differences.add(unmapped.toString()));
      return differences;
    }
  }

  private static List<ExpectedNames> expectedNames() throws IOException {
    List<ExpectedNames> all = new ArrayList<>();
    Path file = Shared.root().resolve("gguf-mapping/src/test/resources/dev/gguf/mapping/names.tsv");
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("#")) {
        String[] columns = line.split("\t", -1);
        all.add(
            new ExpectedNames(
                columns[0], columns[1], columns[2], columns[3], Set.of(columns[4].split(" ", -1))));
      }
    }
    return all;
  }

  @TestFactory
  Stream<DynamicTest> splitSetsAreMappedLikeTheWhole() throws IOException {
    Path folder = Shared.require("data/converter/glm_moe_dsa");
    Set<String> whole = new HashSet<>(parameters(folder.resolve("glm_moe_dsa.q8_0.gguf")));
    List<Path> shards;
    try (Stream<Path> files = Files.walk(folder)) {
      shards = files.filter(file -> file.toString().matches(".*-of-\\d+\\.gguf")).sorted().toList();
    }
    return shards.stream()
        .map(shard ->
            dynamicTest(
                folder.relativize(shard).toString(),
                () -> assertThat(parameters(shard)).hasSameElementsAs(whole)));
  }

  private static List<String> parameters(Path gguf) throws IOException {
    try (Gguf model = Gguf.open(gguf)) {
      return NameMap.forArchitecture(model.architecture().orElseThrow())
          .orElseThrow()
          .map(model.metadata(), model.tensors(), Target.HF, MapOptions.WITH_MTP)
          .parameterNames();
    }
  }
}
