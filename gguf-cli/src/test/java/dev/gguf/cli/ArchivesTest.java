package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorOutputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchivesTest {
  private static final List<String> SHARDS =
      List.of(
          "glm-dsa-mini-split-00001-of-00003.gguf",
          "glm-dsa-mini-split-00002-of-00003.gguf",
          "glm-dsa-mini-split-00003-of-00003.gguf");

  @TempDir private Path folder;

  private static OutputStream packed(Path path) throws IOException {
    OutputStream out = new BufferedOutputStream(Files.newOutputStream(path));
    String name = path.toString();
    if (name.endsWith("gz")) {
      return new GZIPOutputStream(out);
    }
    if (name.endsWith("zst")) {
      return ZstdCompressorOutputStream.builder().setOutputStream(out).get();
    }
    return name.endsWith("xz")
        ? XZCompressorOutputStream.builder().setOutputStream(out).get()
        : out;
  }

  private Path archive(String name, List<String> entries) throws IOException {
    Path path = folder.resolve(name);
    if (name.endsWith(".zip")) {
      try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(path)) {
        for (String entry : entries) {
          zip.putArchiveEntry(new ZipArchiveEntry("models/" + entry));
          zip.write(content(entry));
          zip.closeArchiveEntry();
        }
      }
    } else if (name.contains(".t")) {
      try (TarArchiveOutputStream tar = new TarArchiveOutputStream(packed(path))) {
        for (String entry : entries) {
          byte[] content = content(entry);
          TarArchiveEntry header = new TarArchiveEntry("models/" + entry);
          header.setSize(content.length);
          tar.putArchiveEntry(header);
          tar.write(content);
          tar.closeArchiveEntry();
        }
      }
    } else {
      try (OutputStream out = packed(path)) {
        out.write(content(entries.getFirst()));
      }
    }
    return path;
  }

  private static byte[] content(String entry) throws IOException {
    return entry.endsWith(".gguf")
        ? Files.readAllBytes(Path.of(Run.TESTDATA + entry))
        : entry.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "m.gguf.gz",
        "m.gguf.zst",
        "m.gguf.xz",
        "m.tar",
        "m.tar.gz",
        "m.tar.zst",
        "m.tar.xz",
        "m.tgz",
        "m.zip"
      })
  void theHeaderIsReadAsThatOfTheFile(String name) throws IOException {
    List<String> entries =
        name.startsWith("m.gguf")
            ? List.of("glm-dsa-mini.gguf")
            : List.of("README.md", "glm-dsa-mini.gguf", "LICENSE");
    String path = archive(name, entries).toString();

    for (String command : new String[] {"info", "metadata", "tensors", "map", "check"}) {
      Run packed = Run.gguf(command, path);
      Run plain = Run.gguf(command, Run.MINI);
      if (command.equals("check")) {
        assertThat(packed.err()).contains("whether the data is complete is not judged");
      } else {
        assertThat(packed.err()).as(command).isEmpty();
      }
      assertThat(packed.status()).as(command).isZero();
      assertThat(withoutPlaces(packed.out()).replace(path, Run.MINI))
          .as(command)
          .isEqualTo(withoutPlaces(plain.out()));
    }
  }

  /// A finding names the file inside, which is not the path of the command line.
  private static String withoutPlaces(String answer) {
    return answer.replaceAll("(?m)^ {9}(\\S+!/\\S+)?(, )?(at byte \\d+)?\n", "");
  }

  @Test
  void whatNeedsTheDataSaysSo() throws IOException {
    Path path = archive("m.gguf.zst", List.of("glm-dsa-mini.gguf"));
    String[][] calls = {
      {"diff", path.toString(), Run.MINI, "--data"},
      {"split", path.toString(), folder.resolve("s").toString(), "--max-tensors", "50"},
      {"edit", path.toString(), folder.resolve("e.gguf").toString(), "--remove", "general.name"},
    };
    for (String[] call : calls) {
      Run run = Run.gguf(call);
      assertThat(run.status()).as(call[0]).isEqualTo(1);
      assertThat(run.err()).as(call[0]).contains("only its header can be read; unpack it first");
    }
    assertThat(folder.toFile().list()).containsExactly("m.gguf.zst");
  }

  @ParameterizedTest
  @ValueSource(strings = {"m.tar", "m.zip"})
  void aSetIsOneModel(String name) throws IOException {
    String path = archive(name, List.of(SHARDS.get(2), SHARDS.get(0), SHARDS.get(1))).toString();
    Run run = Run.gguf("check", path);
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("94 tensors").contains("in 3 files");
    assertThat(Run.gguf("check", path + "!" + SHARDS.get(1)).out()).contains("in 3 files");
  }

  @Test
  void shardsThatAreCompressedOneByOneAreASet() throws IOException {
    for (String shard : SHARDS) {
      archive(shard + ".gz", List.of(shard));
    }
    Run run = Run.gguf("check", folder.resolve(SHARDS.get(1) + ".gz").toString());
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("94 tensors").contains("in 3 files");
  }

  @Test
  void aShardInACompressedTarIsReadAloneAndSaysSo() throws IOException {
    Run run = Run.gguf("check", archive("m.tar.zst", SHARDS).toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("[shard-missing]").contains("2 of 3 shards");
    assertThat(run.err()).contains("other shards may lie behind this one");
  }

  @Test
  void ofSeveralModelsOneIsNamed() throws IOException {
    List<String> two = List.of("glm-dsa-mini-shared-indexer.gguf", "glm-dsa-mini.gguf");
    for (String name : new String[] {"m.zip", "m.tar"}) {
      String path = archive(name, two).toString();
      Run run = Run.gguf("info", path);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .isEqualTo(
              "gguf: "
                  + path
                  + " holds 2 models; name one as "
                  + path
                  + "!ENTRY: models/glm-dsa-mini-shared-indexer.gguf, models/glm-dsa-mini.gguf\n");
      assertThat(Run.gguf("info", path + "!models/glm-dsa-mini.gguf").out())
          .contains("GLM DSA miniature");
      assertThat(Run.gguf("info", path + "!nothing.gguf").err())
          .contains("has no entry nothing.gguf; name one as");
    }
    String tar = archive("m.tar.gz", two).toString();
    assertThat(Run.gguf("tensors", tar + "!glm-dsa-mini.gguf").out())
        .isEqualTo(Run.gguf("tensors", Run.MINI).out());
  }

  @Test
  void anArchiveWithoutAModelSaysSo() throws IOException {
    for (String name : new String[] {"m.zip", "m.tar", "m.tar.xz"}) {
      Run run = Run.gguf("check", archive(name, List.of("README.md")).toString());
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains("no entry ends in .gguf");
    }
  }

  @Test
  void whatIsNoArchiveInSpiteOfItsNameSaysSo() throws IOException {
    for (String name : new String[] {"m.zip", "m.tar", "m.tar.xz", "m.gguf.zst", "m.gguf.gz"}) {
      Path path = Files.writeString(folder.resolve(name), "something else ".repeat(100));
      Run run = Run.gguf("check", path.toString());
      assertThat(run.status()).as(name).isEqualTo(1);
      assertThat(run.out() + run.err()).as(name).contains(name);
      assertThat(run.err()).as(name).doesNotContain("internal error");
    }
  }

  @Test
  void aCompressedFileThatIsCutShowsWhatCameBeforeIt() throws IOException {
    Path whole = archive("m.gguf.zst", List.of("glm-dsa-mini.gguf"));
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = folder.resolve("cut.gguf.zst");
    Files.write(cut, Arrays.copyOf(bytes, 2500));
    Run run = Run.gguf("check", cut.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("[header-cut]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"bomb.gguf.gz", "bomb.gguf.zst", "bomb.gguf.xz", "bomb.tar.zst", "bomb.zip"})
  void aBombEndsSoon(String name) throws IOException {
    Path path = folder.resolve(name);
    // A header that promises a string of 2^40 bytes, and zeros as long as anyone unpacks them.
    ByteBuffer start = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    start.put("GGUF".getBytes(StandardCharsets.US_ASCII)).putInt(3).putLong(0).putLong(1);
    start.putLong(1).put((byte) 'k').putInt(8).putLong(1L << 40);
    byte[] zeros = new byte[1 << 20];
    int pieces = name.endsWith("zst") ? 1000 : 64;
    OutputStream out;
    if (name.endsWith(".zip")) {
      ZipArchiveOutputStream zip = new ZipArchiveOutputStream(path);
      zip.putArchiveEntry(new ZipArchiveEntry("bomb.gguf"));
      out = zip;
    } else if (name.contains(".tar")) {
      TarArchiveOutputStream tar = new TarArchiveOutputStream(packed(path));
      tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
      TarArchiveEntry entry = new TarArchiveEntry("bomb.gguf");
      entry.setSize(start.capacity() + (long) pieces * zeros.length);
      tar.putArchiveEntry(entry);
      out = tar;
    } else {
      out = packed(path);
    }
    out.write(start.array());
    for (int i = 0; i < pieces; i++) {
      out.write(zeros);
    }
    if (out instanceof ZipArchiveOutputStream zip) {
      zip.closeArchiveEntry();
    } else if (out instanceof TarArchiveOutputStream tar) {
      tar.closeArchiveEntry();
    }
    out.close();

    long began = System.nanoTime();
    Run run = Run.gguf("check", path.toString());
    Duration took = Duration.ofNanos(System.nanoTime() - began);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).containsAnyOf("made to fill memory and disks", "[string-exceeds-file]");
    assertThat(took).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void aHeaderThatPromisesMoreThanThereIsIsCut() throws IOException {
    ByteBuffer start = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    start.put("GGUF".getBytes(StandardCharsets.US_ASCII)).putInt(3).putLong(0).putLong(1);
    start.putLong(1).put((byte) 'k').putInt(8).putLong(1L << 40);
    Path path = folder.resolve("short.gguf.gz");
    try (OutputStream out = packed(path)) {
      out.write(start.array());
    }
    Run run = Run.gguf("check", path.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("the file ends after 100 bytes").contains("[header-cut]");
  }

  @Test
  void nothingIsUnpackedBeyondTheHeader() throws IOException {
    long[] read = new long[1];
    InputStream endless =
        new InputStream() {
          private final InputStream header = Files.newInputStream(Path.of(Run.MINI));

          @Override
          public int read() throws IOException {
            read[0]++;
            int one = header.read();
            return one < 0 ? 0 : one;
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            int n = header.read(bytes, offset, length);
            read[0] += n < 0 ? length : n;
            return n < 0 ? length : n;
          }

          @Override
          public void close() throws IOException {
            header.close();
          }
        };
    try (var inspection =
        dev.gguf.Gguf.inspect(
            Path.of("m.gguf"),
            name -> new dev.gguf.HeaderSource.Stream(endless, java.util.OptionalLong.empty()))) {
      assertThat(inspection.findings()).isEmpty();
      var file = inspection.gguf().orElseThrow().files().getFirst();
      assertThat(file.isHeaderOnly()).isTrue();
      assertThat(file.size()).isEqualTo(Files.size(Path.of(Run.MINI)));
      assertThat(read[0]).isLessThanOrEqualTo(file.headerEnd() + (1 << 17));
    }
  }
}
