package dev.gguf.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.fixture.GlmDsa;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptionTest {
  @TempDir Path folder;
  private Path first = Path.of("");
  private Path out = Path.of("");

  /// Merges so slowly that it can be stopped at every stage, and says each stage first.
  static final class SlowMerge {
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private SlowMerge() {}

    static void main(String[] args) throws IOException {
      try (Gguf set = Gguf.open(Path.of(args[0]))) {
        FileOutput.create()
            .overwrite(true)
            .verify(true)
            .progress((step, done, total) -> pause(step + " " + done))
            .write(Path.of(args[1]), Merge.of(set).file());
      }
      pause("end");
    }

    /// Says a stage and waits to be told to go on.
    private static void pause(String stage) {
      try {
        OUT.write((stage + "\n").getBytes(StandardCharsets.US_ASCII));
        if (System.in.read() < 0) {
          Thread.sleep(30_000);
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @BeforeEach
  void write() throws IOException {
    first = GlmDsa.mini().writeSplit(folder, "m", 3).getFirst();
    out = folder.resolve("out.gguf");
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /// Runs until so many stages have been said, then stops the program.
  ///
  /// @return whether it was stopped before it had come to its end
  private boolean stop(int stages, boolean forcibly) throws IOException, InterruptedException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath.replace(" ", File.pathSeparator),
                SlowMerge.class.getName(),
                first.toString(),
                out.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    boolean ended = false;
    try (var said = process.inputReader();
        var goOn = process.getOutputStream()) {
      for (int i = 0; i < stages && !ended; i++) {
        String line = said.readLine();
        ended = line == null || line.equals("end");
        if (ended || i < stages - 1) {
          goOn.write('\n');
          goOn.flush();
        }
      }
      if (forcibly) {
        process.destroyForcibly();
      } else {
        process.destroy();
      }
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    return !ended;
  }

  @Test
  void whatWasThereStaysUntilTheEnd() throws IOException, InterruptedException {
    List<byte[]> shards = new ArrayList<>();
    List<String> before = names();
    for (String name : before) {
      shards.add(Files.readAllBytes(folder.resolve(name)));
    }
    boolean stopped = true;
    for (int stages = 1; stopped; stages += 2) {
      Files.writeString(out, "precious");
      boolean forcibly = stages % 4 == 1;
      stopped = stop(stages, forcibly);
      List<String> left = new ArrayList<>(names());
      assertThat(left.remove("out.gguf")).isTrue();
      left.removeAll(before);
      if (stopped) {
        assertThat(out).hasContent("precious");
      }
      if (!forcibly) {
        assertThat(left).isEmpty();
      }
      assertThat(left).allMatch(name -> name.matches("out\\.gguf\\..*\\.unfinished"));
      for (Path unfinished : FileOutput.leftovers(out)) {
        Files.delete(unfinished);
      }
    }
    try (Gguf whole = Gguf.open(out)) {
      assertThat(whole.tensors()).hasSameSizeAs(GlmDsa.mini().tensors());
    }
    for (int i = 0; i < before.size(); i++) {
      assertThat(folder.resolve(before.get(i))).hasBinaryContent(shards.get(i));
    }
  }
}
