package dev.gguf.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Severity;
import dev.gguf.TensorType;
import dev.gguf.fixture.Shared;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Single blocks are judged as ggml's own data check judges them.
class ValidityTest {
  @TempDir Path folder;

  @Test
  void asGgmlDoes() throws IOException {
    Path rows = Shared.require("data/quant-vectors/validity.tsv");
    GgufWriter writer =
        GgufWriter.of(Metadata.builder().string("general.architecture", "llama").build());
    List<String> expected = new ArrayList<>();
    List<String> lines = Files.readAllLines(rows);
    Map<String, String> refusedTypes = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] field = line.split("\t", -1);
      TensorType type = TensorType.named(field[0]).orElseThrow();
      byte[] block = HexFormat.of().parseHex(field[2]);
      String name = "t" + expected.size();
      long elements = (long) block.length / type.blockBytes() * type.blockElements();
      writer.tensor(name, type, TensorData.of(block), elements);
      expected.add(field[3].equals("1") ? "" : name);
      if (type.equals(TensorType.Q8_1)) {
        refusedTypes.put(name, field[3]);
      }
    }
    assertThat(expected).hasSizeGreaterThan(400);
    Path path = folder.resolve("blocks.gguf");
    writer.write(path);
    List<String> refused = new ArrayList<>();
    try (Gguf gguf = Gguf.open(path)) {
      DataReport report = DataScan.scan(gguf, ScanOptions.DEFAULT.withAsGgml(true));
      for (DataFinding finding : report.findings()) {
        assertThat(finding.refusedByGgml()).isTrue();
        assertThat(finding.finding().severity()).isEqualTo(Severity.ERROR);
        if (finding.finding().rule() != DataRule.TYPE_REFUSED && finding.tensor() != null) {
          refused.add(finding.tensor().name());
        }
      }
      assertThat(report.findings()).anyMatch(f -> f.finding().rule() == DataRule.TYPE_REFUSED);
    }
    assertThat(refusedTypes.values()).containsOnly("0");
    List<String> wanted = expected.stream().filter(n -> !n.isEmpty()).toList();
    List<String> ofBlocks = wanted.stream().filter(n -> !refusedTypes.containsKey(n)).toList();
    assertThat(refused.stream().distinct().toList()).isEqualTo(ofBlocks);
  }
}
