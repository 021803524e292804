package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The library works as modules too, where files beside classes are hidden from other modules.
class ModulePathTest {
  private static final Pattern MODULES =
      Pattern.compile(
          ".*[/\\\\]classes|.*gguf-core-[^/]*[^s].jar|.*(jackson-core|guava|failureaccess|fastutil)-.*jar");

  @TempDir private Path folder;

  @Test
  void findsItsDataFiles() throws IOException, InterruptedException {
    Path program = folder.resolve("Program.java");
    Files.writeString(
        program,
        """
        import dev.gguf.mapping.NameMap;
        import dev.gguf.mapping.check.CheckOptions;
        import dev.gguf.mapping.check.ModelCheck;
        import dev.gguf.mapping.engine.EngineProfiles;

        class Program {
          public static void main(String[] args) throws Exception {
            System.out.println(NameMap.forArchitecture("glm-dsa").isPresent());
            System.out.println(EngineProfiles.class.getModule());
            System.out.println(EngineProfiles.of("vllm", "0.16.0").id());
            ModelCheck.check(java.nio.file.Path.of(args[0]), CheckOptions.DEFAULT);
            System.out.println("checked");
          }
        }
        """);
    List<String> modules = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (MODULES.matcher(entry).matches()) {
        modules.add(entry);
      }
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=dev.gguf",
                "-p",
                String.join(File.pathSeparator, modules),
                "--add-modules",
                "dev.gguf.mapping",
                program.toString(),
                "../testdata/glm-dsa-mini.gguf")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).startsWith("true\nmodule dev.gguf.mapping").endsWith("checked\n");
    assertThat(process.waitFor()).isZero();
  }
}
