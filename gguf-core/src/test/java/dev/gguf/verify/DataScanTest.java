package dev.gguf.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Rule;
import dev.gguf.Severity;
import dev.gguf.TensorType;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataScanTest {
  private static final Metadata KEYS =
      Metadata.builder().string("general.architecture", "llama").build();

  @TempDir Path folder;

  private static GgufWriter writer() {
    return GgufWriter.of(KEYS);
  }

  private Path file(GgufWriter writer) throws IOException {
    Path path = folder.resolve("model.gguf");
    writer.write(path);
    return path;
  }

  private DataReport scan(GgufWriter writer, ScanOptions options) throws IOException {
    try (Gguf gguf = Gguf.open(file(writer))) {
      return DataScan.scan(gguf, options);
    }
  }

  private static byte[] ones(TensorType type, int blocks) {
    byte[] bytes = new byte[blocks * type.blockBytes()];
    Arrays.fill(bytes, (byte) 0x11);
    return bytes;
  }

  private static List<Rule> rules(DataReport report) {
    return report.findings().stream().map(f -> f.finding().rule()).toList();
  }

  @Test
  void aSoundModelHasNoFindings() throws IOException {
    DataReport report =
        scan(
            writer()
                .tensor("a.weight", TensorType.Q8_0, TensorData.of(ones(TensorType.Q8_0, 8)), 64, 4)
                .tensor("a_norm.weight", TensorType.F32, TensorData.floats(1, 0, 2, -3), 4),
            ScanOptions.DEFAULT);
    assertThat(report.findings()).isEmpty();
    assertThat(report.isComplete()).isTrue();
    assertThat(report.dataBytes()).isEqualTo(8 * 34 + 16);
    assertThat(report.readBytes()).isEqualTo(report.dataBytes());
  }

  @Test
  void placesOfStackedExpertsAreTold() throws IOException {
    byte[] bytes = ones(TensorType.Q4_K, 2 * 3 * 4);
    int bad = 2 * (3 * 3 + 1) + 1;
    bytes[bad * 144 + 2] = 1;
    bytes[bad * 144 + 3] = 0x7E;
    GgufWriter writer =
        writer()
            .tensor("blk.0.ffn_up_exps.weight", TensorType.Q4_K, TensorData.of(bytes), 512, 3, 4);
    DataReport report = scan(writer, ScanOptions.DEFAULT);
    assertThat(report.findings()).hasSize(1);
    DataFinding found = report.findings().getFirst();
    assertThat(found.finding().message())
        .isEqualTo(
            "blk.0.ffn_up_exps.weight (Q4_K): 1 of 24 blocks with a scale that is NaN, first block"
                + " 21 (expert 3, row 10, block 1 of the row)");
    assertThat(found.refusedByGgml()).isTrue();
    DataFinding.Place place = found.place();
    assertThat(place).isNotNull();
    assertThat(place.expert()).isEqualTo(3);
    assertThat(place.row()).isEqualTo(10);
    assertThat(place.block()).isEqualTo(21);
    assertThat(place.blockOfRow()).isEqualTo(1);
    try (Gguf gguf = Gguf.open(folder.resolve("model.gguf"))) {
      assertThat(place.offset()).isEqualTo(gguf.tensors().getFirst().fileOffset() + 21 * 144);
    }
  }

  @Test
  void valuesThatAreNotFinite() throws IOException {
    float[] values = new float[1000];
    Arrays.fill(values, 1);
    values[7] = Float.NaN;
    values[998] = Float.NEGATIVE_INFINITY;
    values[999] = Float.NaN;
    DataReport report =
        scan(
            writer().tensor("a.weight", TensorType.F32, TensorData.floats(values), 1000),
            ScanOptions.DEFAULT);
    assertThat(rules(report)).containsExactly(DataRule.VALUE_NAN, DataRule.VALUE_INF);
    assertThat(report.findings().get(0).count()).isEqualTo(2);
    assertThat(report.findings().get(0).finding().message())
        .isEqualTo("a.weight (F32): 2 of 1000 values NaN, first element 7");
    assertThat(report.findings().get(1).finding().message())
        .isEqualTo("a.weight (F32): 1 of 1000 values Inf (infinite), first element 998");
  }

  @Test
  void bothByteOrdersAreJudged() throws IOException {
    byte[] half = {0x3C, 0, 0x7C, 0, 0x7E, 1, 0x3C, 0, 0x7C, 0x7C};
    byte[] block = ones(TensorType.Q8_0, 1);
    block[0] = 0x7C;
    block[1] = 0;
    byte[] other = ones(TensorType.Q8_0, 1);
    other[0] = 0;
    other[1] = 0x7C;
    DataReport report =
        scan(
            writer()
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .tensor("a.weight", TensorType.F16, TensorData.of(half), 5)
                .tensor("b.weight", TensorType.Q8_0, TensorData.of(block), 32)
                .tensor("c.weight", TensorType.Q8_0, TensorData.of(other), 32)
                .tensor("d.weight", TensorType.Q5_K, TensorData.of(ones(TensorType.Q5_K, 1)), 256),
            ScanOptions.DEFAULT);
    assertThat(report.findings())
        .extracting(f -> f.finding().rule().id() + " " + f.finding().subject().name())
        .containsExactly(
            "value-nan a.weight",
            "value-inf a.weight",
            "value-inf b.weight",
            "type-not-judged d.weight");
    assertThat(report.findings().getFirst().count()).isEqualTo(2);
  }

  @Test
  void doublesBeyondFloatAreInformationAndRefusedByGgml() throws IOException {
    byte[] bytes = new byte[16];
    java.nio.ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putDouble(1).putDouble(1e300);
    GgufWriter writer = writer().tensor("a.weight", TensorType.F64, TensorData.of(bytes), 2);
    DataReport report = scan(writer, ScanOptions.DEFAULT);
    assertThat(report.findings()).hasSize(1);
    assertThat(report.findings().getFirst().finding().severity()).isEqualTo(Severity.INFO);
    assertThat(report.findings().getFirst().refusedByGgml()).isTrue();
    DataReport ggml = scan(writer, ScanOptions.DEFAULT.withAsGgml(true));
    assertThat(ggml.findings().getFirst().finding().severity()).isEqualTo(Severity.ERROR);
  }

  @Test
  void stricterThanGgml() throws IOException {
    byte[] nvfp4 = ones(TensorType.NVFP4, 3);
    nvfp4[2 * 36 + 3] = (byte) 0xFF;
    byte[] q81 = ones(TensorType.Q8_1, 1);
    q81[3] = 0x7C;
    GgufWriter writer =
        writer()
            .tensor("a.weight", TensorType.NVFP4, TensorData.of(nvfp4), 192)
            .tensor("b.weight", TensorType.Q8_1, TensorData.of(q81), 32);
    DataReport report = scan(writer, ScanOptions.DEFAULT);
    assertThat(rules(report))
        .containsExactly(
            DataRule.SCALE_INVALID_STRICT, DataRule.SCALE_INVALID_STRICT, DataRule.TYPE_REFUSED);
    assertThat(report.findings())
        .extracting(DataFinding::refusedByGgml)
        .containsExactly(false, false, true);
    DataReport ggml = scan(writer, ScanOptions.DEFAULT.withAsGgml(true));
    assertThat(rules(ggml)).containsExactly(DataRule.TYPE_REFUSED);
    assertThat(ggml.findings().getFirst().finding().severity()).isEqualTo(Severity.ERROR);
  }

  @Test
  void zerosByWhatTheTensorIs() throws IOException {
    byte[] run = ones(TensorType.Q8_0, 34 * 32);
    Arrays.fill(run, 5000, 5000 + 3 * 4096, (byte) 0);
    float[] plain = new float[4096];
    plain[0] = 1;
    DataReport report =
        scan(
            writer()
                .tensor("token_types.weight", TensorType.F32, TensorData.floats(0, 0), 2)
                .tensor("blk.0.attn_q.bias", TensorType.F32, TensorData.floats(0, 0), 2)
                .tensor("blk.0.attn_q.weight", TensorType.F32, TensorData.floats(0, 0), 2)
                .tensor("blk.0.attn_k.weight", TensorType.Q8_0, TensorData.of(run), 32, 34 * 32)
                .tensor("blk.0.attn_v.weight", TensorType.F32, TensorData.floats(plain), 4096)
                .tensor("blk.0.attn_norm.weight", TensorType.F32, TensorData.floats(plain), 4096),
            ScanOptions.DEFAULT);
    assertThat(report.findings())
        .extracting(f ->
            f.finding().rule().id()
                + " "
                + f.finding().severity().label()
                + " "
                + f.finding().subject().name())
        .containsExactly(
            "zero-tensor info token_types.weight",
            "zero-tensor info blk.0.attn_q.bias",
            "zero-tensor warning blk.0.attn_q.weight",
            "zero-run warning blk.0.attn_k.weight",
            "zero-run warning blk.0.attn_norm.weight");
    DataFinding found = report.findings().get(3);
    assertThat(found.count()).isEqualTo(2 * 4096);
    assertThat(found.finding().byteOffset().orElseThrow() % 4096).isZero();
  }

  @Test
  void normsOfTheOtherByteOrderAreDoubtful() throws IOException {
    float swapped = Float.intBitsToFloat(Integer.reverseBytes(Float.floatToIntBits(1)));
    DataReport report =
        scan(
            writer()
                .tensor("output_norm.weight", TensorType.F32, TensorData.floats(1, swapped), 2)
                .tensor("output.weight", TensorType.F32, TensorData.floats(1, swapped), 2),
            ScanOptions.DEFAULT);
    assertThat(rules(report)).containsExactly(DataRule.VALUE_IMPLAUSIBLE);
    assertThat(report.findings().getFirst().finding().message())
        .contains("output_norm.weight (F32): 1 of 2 values below 1e-30", "first element 1");
  }

  @Test
  void equalLayersAreTold() throws IOException {
    byte[] same = ones(TensorType.Q8_0, 32);
    byte[] middle = same.clone();
    middle[500] = 1;
    GgufWriter writer = writer();
    writer.tensor("blk.0.a.weight", TensorType.Q8_0, TensorData.of(same), 32, 32);
    writer.tensor("blk.1.a.weight", TensorType.Q8_0, TensorData.of(middle), 32, 32);
    writer.tensor("blk.2.a.weight", TensorType.Q8_0, TensorData.of(same), 32, 32);
    writer.tensor("blk.2.b.weight", TensorType.Q8_0, TensorData.of(same), 32, 32);
    DataReport report = scan(writer, ScanOptions.DEFAULT);
    assertThat(rules(report)).containsExactly(DataRule.DATA_EQUAL);
    assertThat(report.findings().getFirst().finding().message())
        .isEqualTo(
            "2 tensors blk.*.a.weight have the same bytes as another of them, first blk.0.a.weight"
                + " and blk.2.a.weight");
  }

  @Test
  void typesOfOthersAreNotJudged() throws IOException {
    DataReport report =
        scan(
            writer()
                .tensor("a.weight", TensorType.of(139), TensorData.of(new byte[144 * 2]), 256, 2)
                .tensor("b.weight", TensorType.of(139), TensorData.of(new byte[144]), 256),
            ScanOptions.DEFAULT);
    assertThat(rules(report)).contains(DataRule.TYPE_NOT_JUDGED);
    assertThat(report.findings().getLast().finding().message())
        .startsWith("2 tensors of type IQ4_K (ik_llama.cpp 2026-08), 432 bytes, first a.weight");
  }

  @Test
  void theReportIsTheSameForAnyNumberOfThreads() throws IOException {
    Random random = new Random(7);
    GgufWriter writer = writer();
    for (int i = 0; i < 40; i++) {
      byte[] bytes = new byte[34 * 512];
      random.nextBytes(bytes);
      writer.tensor("blk." + i + ".a.weight", TensorType.Q8_0, TensorData.of(bytes), 32, 512);
    }
    DataReport one = scan(writer, ScanOptions.DEFAULT.withThreads(1));
    assertThat(one.findings()).hasSize(40);
    for (int threads : new int[] {2, 3, 8, 64}) {
      DataReport other = scan(writer, ScanOptions.DEFAULT.withThreads(threads));
      assertThat(other.plainFindings()).isEqualTo(one.plainFindings());
      assertThat(other.readBytes()).isEqualTo(one.readBytes());
    }
  }

  @Test
  void aSampleReadsLittleOfEveryTensor() throws IOException {
    byte[] bytes = ones(TensorType.Q8_0, 1 << 16);
    for (int block = 0; block < 1 << 16; block++) {
      bytes[34 * block + 1] = 0x7E;
    }
    GgufWriter writer =
        writer()
            .tensor("a.weight", TensorType.Q8_0, TensorData.of(bytes), 32, 1 << 16)
            .tensor("b.weight", TensorType.F32, TensorData.floats(Float.NaN), 1);
    DataReport report = scan(writer, ScanOptions.DEFAULT.withSample(0.1));
    assertThat(rules(report)).containsExactly(DataRule.VALUE_NAN, DataRule.VALUE_NAN);
    assertThat(report.readBytes()).isBetween(200_000L, 300_000L);
    assertThat(report.findings().get(1).finding().subject().name()).isEqualTo("b.weight");
  }

  @Test
  void holesAreSkippedWhereTheFileSystemTellsThem() throws IOException {
    GgufWriter writer =
        writer()
            .tensor("a.weight", TensorType.Q8_0, TensorData.of(ones(TensorType.Q8_0, 1)), 32)
            .sparse("b.weight", TensorType.Q8_0, 1 << 20, 1 << 14);
    DataReport report = scan(writer, ScanOptions.DEFAULT);
    assumeTrue(report.holesKnown() && report.holeBytes() > 0, "the file system tells no holes");
    assertThat(rules(report)).contains(DataRule.HOLE);
    assertThat(report.readBytes()).isLessThan(1 << 20);
    assertThat(report.readBytes() + report.holeBytes())
        .isBetween(report.dataBytes(), report.dataBytes() + 34);
    DataFinding hole = report.findings().getLast();
    assertThat(hole.finding().message()).contains("1 tensor, first b.weight", "zero");
    assertThat(hole.count()).isEqualTo(report.holeBytes());
  }

  @Test
  void aFileThatShrinksDuringTheScanIsAFinding() throws IOException {
    byte[] bytes = ones(TensorType.Q8_0, 1 << 20);
    Path path =
        file(writer().tensor("a.weight", TensorType.Q8_0, TensorData.of(bytes), 32, 1 << 20));
    ScanProgress cutter =
        (tensor, done, total) -> {
          try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(1 << 20);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    for (double sample : new double[] {1, 0.5}) {
      try (Gguf gguf = Gguf.open(path)) {
        DataReport report =
            DataScan.scan(
                gguf, ScanOptions.DEFAULT.withThreads(1).withSample(sample).withProgress(cutter));
        assertThat(report.isComplete()).isFalse();
        assertThat(rules(report)).containsExactly(FileRule.FILE_CHANGED);
      }
      file(writer().tensor("a.weight", TensorType.Q8_0, TensorData.of(bytes), 32, 1 << 20));
    }
  }

  @Test
  void anInterruptionEndsWithWhatWasFound() throws IOException {
    byte[] bytes = ones(TensorType.Q8_0, 1 << 21);
    bytes[1] = 0x7E;
    Path path =
        file(writer().tensor("a.weight", TensorType.Q8_0, TensorData.of(bytes), 32, 1 << 21));
    Thread scanning = Thread.currentThread();
    ScanProgress interrupter =
        (tensor, done, total) -> {
          scanning.interrupt();
          // The scan is told by the thread that waits for it.
          while (scanning.isInterrupted()) {
            Thread.onSpinWait();
          }
        };
    try (Gguf gguf = Gguf.open(path)) {
      DataReport report =
          DataScan.scan(gguf, ScanOptions.DEFAULT.withThreads(1).withProgress(interrupter));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(report.isComplete()).isFalse();
      assertThat(report.readBytes()).isLessThan(report.dataBytes());
      assertThat(rules(report)).contains(DataRule.VALUE_NAN);
    }
  }

  @Test
  void theDigestBesideTheFileIsCompared() throws IOException, NoSuchAlgorithmException {
    GgufWriter writer = writer().tensor("a.weight", TensorType.F32, TensorData.floats(1, 2, 3), 3);
    byte[] bytes = Files.readAllBytes(file(writer));
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    Path beside = folder.resolve("model.gguf.sha256");
    Files.writeString(beside, "0".repeat(64) + "  other.gguf\n" + sha256 + " *model.gguf\n");
    DataFinding agrees = scan(writer, ScanOptions.DEFAULT).findings().getFirst();
    assertThat(agrees.finding().rule()).isEqualTo(DataRule.DIGEST);
    assertThat(agrees.finding().severity()).isEqualTo(Severity.INFO);
    Files.writeString(beside, "0".repeat(64) + "\n");
    DataFinding differs = scan(writer, ScanOptions.DEFAULT).findings().getFirst();
    assertThat(differs.finding().severity()).isEqualTo(Severity.ERROR);
    assertThat(differs.finding().message()).contains(sha256);
    Files.writeString(beside, sha256 + "  other.gguf\n");
    assertThat(scan(writer, ScanOptions.DEFAULT).findings()).isEmpty();
  }

  @Test
  void aManifestOfWholeFilesMustKnowTheFile() throws IOException, NoSuchAlgorithmException {
    GgufWriter writer = writer().tensor("a.weight", TensorType.F32, TensorData.floats(1, 2, 3), 3);
    byte[] bytes = Files.readAllBytes(file(writer));
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    Path manifest = folder.resolve("SUMS");
    ScanOptions options = ScanOptions.DEFAULT.withManifest(manifest);
    Files.writeString(manifest, sha256 + "  models/model.gguf\n");
    assertThat(scan(writer, options).findings().getFirst().finding().severity())
        .isEqualTo(Severity.INFO);
    Files.writeString(manifest, sha256 + "  other.gguf\n");
    Finding absent = scan(writer, options).findings().getFirst().finding();
    assertThat(absent.severity()).isEqualTo(Severity.ERROR);
    assertThat(absent.message()).endsWith("SUMS has no line about model.gguf");
  }

  @Test
  void aManifestOfTensorsIsComparedWithThem() throws IOException {
    GgufWriter writer = writer().tensor("a.weight", TensorType.F32, TensorData.floats(1, 2, 3), 3);
    Path manifest = folder.resolve("SUMS");
    ScanOptions options = ScanOptions.DEFAULT.withManifest(manifest);
    String hash;
    try (Gguf gguf = Gguf.open(file(writer))) {
      Map<HashAlgorithm, String> hashes =
          DataHash.hash(gguf.tensors().getFirst(), Set.of(HashAlgorithm.XXH64));
      hash = hashes.get(HashAlgorithm.XXH64);
    }
    Files.writeString(manifest, "xxh64     " + hash + "  model.gguf:a.weight\n");
    DataFinding agrees = scan(writer, options).findings().getFirst();
    assertThat(agrees.finding().rule()).isEqualTo(DataRule.DIGEST);
    assertThat(agrees.finding().severity()).isEqualTo(Severity.INFO);
    Files.writeString(manifest, "xxh64     0123456789abcdef  model.gguf:a.weight\n");
    DataFinding differs = scan(writer, options).findings().getFirst();
    assertThat(differs.finding().severity()).isEqualTo(Severity.ERROR);
    assertThat(differs.finding().message()).contains("a.weight", hash, "0123456789abcdef");
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(
            () -> ScanOptions.DEFAULT.withSample(0.5).withManifest(folder.resolve("SUMS")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ScanOptions.DEFAULT.withSample(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ScanOptions.DEFAULT.withSample(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ScanOptions.DEFAULT.withThreads(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
