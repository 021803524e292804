package dev.gguf.mapping.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.fixture.Shared;
import dev.gguf.mapping.check.CheckOptions;
import dev.gguf.mapping.check.ModelCheck;
import dev.gguf.mapping.check.ModelReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Predictions for llama.cpp against what it did with the same files.
class LoadingTest {
  @TestFactory
  Stream<DynamicTest> llamaCppDoesWhatIsPredicted() throws IOException {
    Path folder = Shared.require("data/converter");
    List<String> rows = Files.readAllLines(folder.resolve("loading.tsv"));
    return rows.stream()
        .skip(1)
        .map(row -> row.split("\t", -1))
        .map(row -> DynamicTest.dynamicTest(row[0], () -> compare(folder, row)));
  }

  private static void compare(Path folder, String[] row) throws IOException {
    try (Inspection inspection = Gguf.inspect(folder.resolve(row[0]))) {
      ModelReport report = ModelCheck.check(inspection, CheckOptions.DEFAULT);
      Candidate candidate = Candidate.of(row[0], inspection, report, Optional.empty());
      Prediction prediction = Preflight.predict(candidate, "llama.cpp", Launch.DEFAULT);
      Loads loads =
          row[1].equals("no") ? Loads.NO : row[2].equals("yes") ? Loads.YES : Loads.CONDITIONAL;
      assertThat(prediction.loads()).as(prediction.reasons().toString()).isEqualTo(loads);
    }
  }
}
