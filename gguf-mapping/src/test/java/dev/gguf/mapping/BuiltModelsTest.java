package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.gguf.mapping.compare.NameComparison;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Holds maps against small models that transformers built or the converter accepted, in both
/// directions.
final class BuiltModelsTest {
  @TestFactory
  Stream<DynamicTest> builtModelsAreMappedExactly() throws IOException {
    return BuiltModel.all().stream()
        .map(model -> dynamicTest(model.name(), () -> assertThat(differences(model)).isEmpty()));
  }

  /// A checkpoint that transformers saved names its parameters in one of the ways that are known.
  @TestFactory
  Stream<DynamicTest> savedCheckpointsAreTheSameModel() throws IOException {
    return BuiltModel.all().stream()
        .map(model ->
            dynamicTest(
                model.name(),
                () -> {
                  NameComparison names = compareNames(model);
                  assertThat(names.extra()).isEmpty();
                  assertThat(names.left())
                      .isSubsetOf(
                          names.mapping().shared().stream().map(SharedTensor::parameter).toList());
                  assertThat(names.shapes()).isEmpty();
                }));
  }

  private static NameComparison compareNames(BuiltModel model) {
    Map<String, long @Nullable []> saved = new LinkedHashMap<>();
    (model.parameters().isEmpty() ? model.modules() : model.parameters())
        .forEach((name, shape) -> saved.put(name, TensorTables.numbers(shape)));
    NameMap map = NameMap.forArchitecture(model.architecture()).orElseThrow();
    return NameComparison.of(map, model.metadata(), model.tensors(), saved);
  }

  private static List<String> differences(BuiltModel model) {
    NameMap map = NameMap.forArchitecture(model.architecture()).orElseThrow();
    List<String> differences =
        new ArrayList<>(new MapHarness(map).table(model.metadata(), model.tensors()));
    if (!model.parameters().isEmpty()) {
      compare(map, model, Target.HF, model.parameters(), differences);
    }
    if (model.kind().equals("built")) {
      compare(map, model, Target.TRANSFORMERS, model.modules(), differences);
    }
    return differences;
  }

  private static void compare(
      NameMap map,
      BuiltModel model,
      Target target,
      Map<String, String> list,
      List<String> differences) {
    Mapping mapping = map.map(model.metadata(), model.tensors(), target, MapOptions.WITH_MTP);
    Map<String, String> expected = new LinkedHashMap<>();
    Set<String> fed = new HashSet<>(mapping.parameterNames());
    mapping.shared().forEach(shared -> fed.add(shared.parameter()));
    list.forEach((name, shape) -> expected.put(spelled(map, fed, name), shape));
    mapping.shared().forEach(shared -> expected.remove(shared.parameter()));
    for (String difference : MapHarness.names(mapping, expected)) {
      differences.add(target.id() + ": " + difference);
    }
    mapping.unmapped().stream()
        .filter(unmapped -> unmapped.group() != Group.NO_COUNTERPART)
        .forEach(unmapped -> differences.add(target.id() + ": " + unmapped));
  }

  /// Returns a name of some checkpoints in the spelling of the map.
  private static String spelled(NameMap map, Set<String> fed, String name) {
    for (Spelling spelling : map.spellings()) {
      if (!fed.contains(name) && name.startsWith(spelling.other())) {
        String other = spelling.prefix() + name.substring(spelling.other().length());
        if (fed.contains(other)) {
          return other;
        }
      }
    }
    return name;
  }
}
