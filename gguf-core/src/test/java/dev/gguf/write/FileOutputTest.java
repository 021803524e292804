package dev.gguf.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Metadata;
import dev.gguf.TensorType;
import dev.gguf.fixture.GlmDsa;
import dev.gguf.internal.Extents;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileOutputTest {
  private static final long GIB = 1L << 30;

  @TempDir Path folder;

  private static GgufWriter small(TensorData data) {
    return GgufWriter.of(Metadata.builder().string("general.architecture", "llama").build())
        .tensor("a.weight", TensorType.F32, TensorData.floats(1, 2), 2)
        .tensor("b.weight", TensorType.I8, data, data.size());
  }

  /// Fails as a disk without space does, after some bytes.
  private static TensorData failing() {
    return new TensorData() {
      @Override
      public long size() {
        return 1 << 20;
      }

      @Override
      public void write(FileChannel channel, long position) throws IOException {
        channel.write(java.nio.ByteBuffer.allocate(1000), position);
        throw new IOException("No space left on device");
      }
    };
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /// Something that happens while data is written.
  private interface Event {
    void happen() throws IOException;
  }

  private static TensorData meanwhile(Event event) {
    return new TensorData() {
      @Override
      public long size() {
        return 4;
      }

      @Override
      public void write(FileChannel channel, long position) throws IOException {
        event.happen();
      }
    };
  }

  @Test
  void aFullDiskLeavesNothing() throws IOException {
    Path out = folder.resolve("out.gguf");
    assertThatThrownBy(() -> FileOutput.create().write(out, small(failing())))
        .isInstanceOf(GgufException.class)
        .hasMessage(out + ": cannot be written: No space left on device");
    assertThat(names()).isEmpty();
  }

  @Test
  void aFullDiskKeepsTheFileThatWasToBeReplaced() throws IOException {
    Path out = Files.writeString(folder.resolve("out.gguf"), "precious");
    FileOutput output = FileOutput.create().overwrite(true);
    assertThatThrownBy(() -> output.write(out, small(failing())))
        .hasMessageContaining("No space left on device");
    assertThat(out).hasContent("precious");
    assertThat(names()).containsExactly("out.gguf");
  }

  @Test
  void aFailureInALaterFileLeavesNoneOfThem() throws IOException {
    SequencedMap<Path, GgufWriter> files = new LinkedHashMap<>();
    files.put(folder.resolve("one.gguf"), small(TensorData.of(new byte[5])));
    files.put(folder.resolve("two.gguf"), small(failing()));
    assertThatThrownBy(() -> FileOutput.create().write(files))
        .hasMessageContaining("two.gguf: cannot be written");
    assertThat(names()).isEmpty();
  }

  @Test
  void anExistingFileStaysUnlessTold() throws IOException {
    Path out = Files.writeString(folder.resolve("out.gguf"), "precious");
    GgufWriter file = small(TensorData.of(new byte[5]));
    assertThatThrownBy(() -> FileOutput.create().write(out, file))
        .hasMessage(
            out + ": is there already and stays as it is; name another file, or give --force");
    assertThat(out).hasContent("precious");
    FileOutput.create().overwrite(true).write(out, file);
    try (Gguf model = Gguf.open(out)) {
      assertThat(model.tensors()).hasSize(2);
    }
    assertThat(names()).containsExactly("out.gguf");
  }

  @Test
  void aFileThatAppearsMeanwhileStays() throws IOException {
    Path out = folder.resolve("out.gguf");
    TensorData slow = meanwhile(() -> Files.writeString(out, "precious"));
    assertThatThrownBy(() -> FileOutput.create().write(out, small(slow)))
        .hasMessageContaining("is there already");
    assertThat(out).hasContent("precious");
    assertThat(names()).containsExactly("out.gguf");
  }

  @Test
  void aSourceIsNeverReplaced() throws IOException {
    Path source = folder.resolve("source.gguf");
    GlmDsa.mini().write(source);
    Path link = Files.createSymbolicLink(folder.resolve("link.gguf"), source);
    try (Gguf model = Gguf.open(source)) {
      GgufWriter copy = Edit.copy(model, model.metadata());
      for (Path path : List.of(source, link)) {
        assertThatThrownBy(() -> FileOutput.create().overwrite(true).write(path, copy))
            .hasMessage(path + ": is one of the files that are read; name another file to write");
      }
    }
  }

  @Test
  void linksAndPipesStay() throws IOException, InterruptedException {
    GgufWriter file = small(TensorData.of(new byte[5]));
    FileOutput output = FileOutput.create().overwrite(true);
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("nowhere"));
    assertThatThrownBy(() -> output.write(link, file))
        .hasMessage(
            link
                + ": is a link to "
                + folder.resolve("nowhere")
                + "; name "
                + folder.resolve("nowhere"));
    Path pipe = folder.resolve("pipe");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
    assertThatThrownBy(() -> output.write(pipe, file))
        .hasMessage(pipe + ": is a pipe or a device; name a file to write");
    assertThatThrownBy(() -> output.writeCompressed(pipe, file)).hasMessageContaining("is a pipe");
    assertThat(names()).containsExactly("link", "pipe");
  }

  @Test
  void aLinkThatAppearsMeanwhileStays() throws IOException {
    Path out = folder.resolve("out.gguf");
    TensorData slow = meanwhile(() -> Files.createSymbolicLink(out, Path.of("nowhere")));
    assertThatThrownBy(() -> FileOutput.create().overwrite(true).write(out, small(slow)))
        .hasMessageContaining("is a link to");
    assertThat(out).isSymbolicLink();
    assertThat(names()).containsExactly("out.gguf");
  }

  @Test
  void foldersAreRefusedAndAsked() {
    GgufWriter file = small(TensorData.of(new byte[5]));
    assertThatThrownBy(() -> FileOutput.create().overwrite(true).write(folder, file))
        .hasMessage(folder + ": is a folder; name the file to write");
    Path nowhere = folder.resolve("none/out.gguf");
    assertThatThrownBy(() -> FileOutput.create().write(nowhere, file))
        .hasMessage(
            nowhere + ": there is no folder " + folder.resolve("none") + "; create it first");
  }

  @Test
  void spaceIsAskedForBeforeAnythingIsWritten() throws IOException {
    TensorData huge =
        new TensorData() {
          @Override
          public long size() {
            return 1L << 55;
          }

          @Override
          public void write(FileChannel channel, long position) {
            throw new AssertionError("written");
          }
        };
    Path out = folder.resolve("out.gguf");
    assertThatThrownBy(() -> FileOutput.create().write(out, small(huge)))
        .hasMessageStartingWith(out + ": 360287970189")
        .hasMessageContaining(" bytes of disk space are needed, ")
        .hasMessageEndingWith("; nothing was written");
    assertThat(names()).isEmpty();
  }

  @Test
  void aSourceThatChangesMakesTheCopyWorthless() throws IOException {
    Path source = folder.resolve("source.gguf");
    small(TensorData.of(new byte[5])).write(source);
    Path out = folder.resolve("out.gguf");
    try (Gguf model = Gguf.open(source)) {
      FileOutput output =
          FileOutput.create()
              .progress((step, done, total) -> {
                if (done == total) {
                  touch(source);
                }
              });
      assertThatThrownBy(() -> output.write(out, Edit.copy(model, model.metadata())))
          .hasMessage(source + ": was changed while it was copied; nothing was written");
    }
    assertThat(names()).containsExactly("source.gguf");
  }

  private static void touch(Path file) {
    try {
      Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(12345));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aSourceThatShrinksIsSaid() throws IOException {
    Path source = folder.resolve("source.gguf");
    small(TensorData.of(new byte[100_000])).write(source);
    try (Gguf model = Gguf.open(source)) {
      GgufWriter copy = Edit.copy(model, model.metadata());
      try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
        file.setLength(50_000);
      }
      assertThatThrownBy(() -> FileOutput.create().write(folder.resolve("out.gguf"), copy))
          .hasMessageContaining("source.gguf")
          .hasMessageContaining("shrank while it was read: it had 100192 bytes");
    }
    assertThat(names()).containsExactly("source.gguf");
  }

  @Test
  void whatIsUnfinishedIsNoGgufFileAndHasNoSuchName() throws IOException {
    Path out = folder.resolve("out.gguf");
    TensorData looking =
        new TensorData() {
          @Override
          public long size() {
            return 4;
          }

          @Override
          public void write(FileChannel channel, long position) throws IOException {
            assertThat(names()).singleElement().asString().matches("out\\.gguf\\..*\\.unfinished");
            Path unfinished = folder.resolve(names().getFirst());
            assertThat(FileOutput.leftovers(out)).containsExactly(unfinished);
            assertThatThrownBy(() -> Gguf.open(unfinished)).hasMessageContaining("not a GGUF file");
          }
        };
    FileOutput.create().write(out, small(looking));
    assertThat(FileOutput.leftovers(out)).isEmpty();
    assertThat(names()).containsExactly("out.gguf");
  }

  @Test
  void holesStayHoles() throws IOException {
    Path source = folder.resolve("source.gguf");
    GgufWriter.of(Metadata.builder().string("general.architecture", "llama").build())
        .sparse("a.weight", TensorType.I8, 3 * GIB)
        .tensor("b.weight", TensorType.F32, TensorData.floats(1, 2, 3), 3)
        .sparse("c.weight", TensorType.I8, 5 * GIB + 1)
        .write(source);
    Path out = folder.resolve("out.gguf");
    try (Gguf model = Gguf.open(source);
        Extents before = Extents.of(source)) {
      assumeTrue(before.dataBytes(0, GIB) < GIB, "no sparse files here");
      Metadata longer =
          model.metadata().toBuilder().string("general.name", "x".repeat(777)).build();
      GgufWriter copy = Edit.copy(model, longer);
      assertThat(copy.diskBytes()).isLessThan(20_000);
      FileOutput.create().verify(true).write(out, copy);
    }
    try (Gguf model = Gguf.open(out);
        Extents after = Extents.of(out)) {
      assertThat(after.size()).isGreaterThan(8 * GIB);
      assertThat(after.dataBytes(0, after.size())).isLessThan(20_000);
      assertThat(
              model
                  .find("b.weight")
                  .orElseThrow()
                  .data()
                  .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
          .hasSize(12)
          .startsWith(0, 0, 0x80, 0x3f);
    }
  }

  @Test
  void readingBackFindsADiskThatForgets() throws IOException {
    Path source = folder.resolve("source.gguf");
    small(TensorData.of(new byte[100_000])).write(source);
    Path out = folder.resolve("out.gguf");
    try (Gguf model = Gguf.open(source)) {
      FileOutput output =
          FileOutput.create()
              .verify(true)
              .progress((step, done, total) -> {
                if (step == Progress.Step.VERIFY && done == 0) {
                  damage();
                }
              });
      assertThatThrownBy(() -> output.write(out, Edit.copy(model, model.metadata())))
          .hasMessageStartingWith(
              out + ": the byte at 50000 differs from that at 50000 of " + source);
    }
    assertThat(names()).containsExactly("source.gguf");
  }

  private void damage() {
    try {
      Path unfinished = FileOutput.leftovers(folder.resolve("out.gguf")).getFirst();
      try (RandomAccessFile file = new RandomAccessFile(unfinished.toFile(), "rw")) {
        file.seek(50_000);
        file.write(1);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
