package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreflightCommandTest {
  @TempDir private Path folder;

  @SuppressWarnings("unchecked")
  private static Map<String, Object> model(Run run) {
    return ((List<Map<String, Object>>) run.json().get("models")).getFirst();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Map<String, Object> of, String name) {
    return (List<Map<String, Object>>) of.get(name);
  }

  @Test
  void anEngineThatRefusesMakesTheStatusOne() {
    Run run =
        Run.gguf(
            "preflight",
            Run.MINI,
            "--engine",
            "vllm",
            "--engine-version",
            "0.16.0",
            "--tensor-parallel",
            "2",
            "--dtype",
            "bfloat16",
            "--compute-capability",
            "12.0",
            "--gpu-memory",
            "96GB",
            "--format",
            "json");

    assertThat(run.status()).isEqualTo(1);
    Map<String, Object> model = model(run);
    assertThat(run.json().get("schema")).isEqualTo("gguf/preflight/1");
    Map<String, Object> engine = list(model, "engines").getFirst();
    assertThat(engine)
        .containsEntry("engine", "vllm")
        .containsEntry("version", "0.16.0")
        .containsEntry("loads", "no");
    assertThat(list(engine, "reasons").getFirst())
        .containsEntry("rule", "engine-probe")
        .containsKeys("message", "source", "versions", "hint");
    @SuppressWarnings("unchecked")
    Map<String, Object> memory = (Map<String, Object>) model.get("memory");
    assertThat(memory)
        .containsEntry("fits", true)
        .containsEntry("budget", 86_400_000_000L)
        .containsKeys("spare", "longestContext", "bytesPerToken", "notCounted");
    assertThat(list(memory, "perRank")).hasSize(2);
    assertThat(list(memory, "perRank").get(1))
        .containsEntry("rank", 1)
        .containsKeys("weights", "cache", "buffers", "total");
  }

  @Test
  void theEnginesOwnCommandLineIsRead() {
    Run run =
        Run.gguf(
            "preflight",
            Run.MINI,
            "--profile",
            "../docs/profiles/vllm-0.16-patched.profile",
            "--compute-capability",
            "12.0",
            "--quiet",
            "--",
            "vllm",
            "serve",
            "x.gguf",
            "--tensor-parallel-size",
            "1",
            "--dtype",
            "float16");

    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out()).endsWith("glm-dsa-mini.gguf  vllm: yes\n").hasLineCount(1);
  }

  @Test
  void textSaysWhyAndWhereThatIsKnownFrom() {
    Run run = Run.gguf("preflight", Run.MINI, "--engine", "transformers");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("transformers 5.20.0 - 5.24.0 loads it: no")
        .contains("ValueError: GGUF model with architecture glm-dsa is not supported yet.")
        .contains("source: transformers 4.57.6, 5.17.0, 5.24.0")
        .contains("holds for 4.44.2 - 5.24.0");
  }

  @Test
  void wrongUsageIsSaid() {
    assertThat(Run.gguf("preflight", Run.MINI).err()).contains("which engine?");
    assertThat(Run.gguf("preflight", Run.MINI, "--engine", "vlm").err())
        .contains("--engine vlm: expected one of llama.cpp");
    assertThat(Run.gguf("preflight", Run.MINI, "--engine", "vllm", "--dtype", "int4").status())
        .isEqualTo(2);
    assertThat(Run.gguf("preflight", Run.MINI, "--engine", "vllm", "--gpu-memory", "many").err())
        .contains("--gpu-memory many: expected a size");
    assertThat(Run.gguf("preflight", Run.MINI, "--engine", "vllm", "--engine-version", "0.1").err())
        .contains("the oldest known is 0.5.5");
    assertThat(Run.gguf("check", Run.MINI, "--profile", "nowhere.profile").status()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "b5000",
        "b1",
        "99",
        "garbage",
        "2026-13",
        "2026-00",
        "2025-02-30",
        "2026-05-",
        "0"
      })
  void aVersionOfLlamaCppIsADate(String version) {
    for (String engine : List.of("llama.cpp", "ik_llama.cpp")) {
      Run run = Run.gguf("preflight", Run.MINI, "--engine", engine, "--engine-version", version);
      assertThat(run.status()).as(engine).isEqualTo(2);
      assertThat(run.err()).contains("'" + version + "': expected a date such as 2026-05");
      if (version.startsWith("b")) {
        assertThat(run.err()).contains("builds are not known by number");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "vllm,garbage",
    "vllm,2026-05",
    "vllm,b5000",
    "vllm,0.16.x",
    "vllm-plugin,master",
    "sglang,99",
    "transformers,five",
    "candle,latest",
    "mistral.rs,v",
    "ollama,2026-05-01",
    "ktransformers,main"
  })
  void aVersionOfAnotherEngineIsARelease(String engine, String version) {
    Run run = Run.gguf("preflight", Run.MINI, "--engine", engine, "--engine-version", version);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("'" + version + "': expected a release such as 0.16.0");
  }

  @ParameterizedTest
  @CsvSource({
    "llama.cpp,2026-10", "llama.cpp,2026-05-17", "llama.cpp,2028-02-29", "vllm,0.16.0rc2.dev313",
    "vllm,0.16.0rc2.dev313+g1a2b3c", "vllm,0.23", "vllm-plugin,main", "vllm-plugin,0.0.5",
    "sglang,0.5.4.post1", "candle,0.9.1-alpha.1"
  })
  void versionsOfTheRightFormAreTaken(String engine, String version) {
    Run run = Run.gguf("preflight", Run.MINI, "--engine", engine, "--engine-version", version);
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isLessThan(2);
  }

  @Test
  void anEmptyVersionIsWrongUsage() {
    Run run = Run.gguf("preflight", Run.MINI, "--engine", "llama.cpp", "--engine-version", "");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--engine-version: is empty");
  }

  @Test
  void aCommandLineOfAnotherEngineIsWrongUsage() {
    Run other =
        Run.gguf("preflight", Run.MINI, "--engine", "llama.cpp", "--", "vllm", "serve", "x.gguf");
    assertThat(other.status()).isEqualTo(2);
    assertThat(other.err()).contains("is one of vllm, and the engine asked for is llama.cpp");
    for (String engine : List.of("llama.cpp", "vllm")) {
      Run unread =
          Run.gguf("preflight", Run.MINI, "--engine", engine, "--", "llama-server", "-m", "vllm");
      assertThat(unread.status()).isEqualTo(2);
      assertThat(unread.err()).contains("-- llama-server: only command lines of vllm and sglang");
    }
    Run plugin =
        Run.gguf("preflight", Run.MINI, "--engine", "vllm-plugin", "--", "vllm", "serve", "x.gguf");
    assertThat(plugin.err()).isEmpty();
  }

  @Test
  void checkAnswersForEnginesToo() {
    Run run = Run.gguf("check", Run.MINI, "--engine", "llama.cpp", "--format", "json");

    assertThat(run.status()).isEqualTo(0);
    assertThat(list(model(run), "engines").getFirst())
        .containsEntry("engine", "llama.cpp")
        .containsEntry("loads", "yes");
    assertThat(Run.gguf("check", Run.MINI, "--engine", "transformers").status()).isEqualTo(1);
  }

  @Test
  void explainNamesTheTensor() {
    Run run =
        Run.gguf(
            "explain",
            Run.MINI,
            "KeyError: 'model.layers.0.self_attn.indexer.qweight_types_proj.qweight_type'",
            "--format",
            "json");

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.json()).containsEntry("schema", "gguf/explain/1").containsEntry("first", 0);
    assertThat(list(run.json(), "matches").getFirst())
        .containsEntry("tensor", "blk.0.indexer.proj.weight")
        .containsEntry("parameter", "model.layers.0.self_attn.indexer.weights_proj.weight")
        .containsEntry("line", null)
        .containsEntry("rank", null)
        .containsKeys("text", "mechanism", "remedy", "source");
  }

  @Test
  void explainReadsALog() throws IOException {
    Path log = folder.resolve("launch.log");
    Files.writeString(
        log,
        """
        (APIServer pid=1) INFO 02-20 00:15:02 [utils.py:325] vLLM server version 0.16.0
        (Worker_TP3 pid=2) ERROR 02-20 00:22:00 [x.py:787] RuntimeError: Unknown gguf model_type: glm_moe_dsa
        (EngineCore_DP0 pid=3) RuntimeError: Engine core initialization failed. Failed core proc(s): {}
        """);
    Run run = Run.gguf("explain", Run.MINI, "--log", log.toString());

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out())
        .startsWith("line 2, rank 3\nRuntimeError: Unknown gguf model_type: glm_moe_dsa\n")
        .contains("no alias from glm_moe_dsa to glm-dsa");
    Files.writeString(log, "INFO all is well\n");
    Run healthy = Run.gguf("explain", Run.MINI, "--log", log.toString(), "--format", "json");
    assertThat(healthy.json()).containsEntry("first", null).containsEntry("matches", List.of());
    assertThat(healthy.status()).isEqualTo(0);
    Run unknown = Run.gguf("explain", Run.MINI, "RuntimeError: something new");
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.out()).contains("unknown");
    assertThat(Run.gguf("explain", Run.MINI).status()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE"})
  void explainReadsALogWithAByteOrderMark(String encoding) throws IOException {
    Path log = folder.resolve("launch.log");
    String mark = encoding.equals("UTF-16") ? "" : "\uFEFF";
    Files.writeString(
        log,
        mark + "RuntimeError: Unknown gguf model_type: glm_moe_dsa\r\n",
        Charset.forName(encoding));
    Run run = Run.gguf("explain", Run.MINI, "--log", log.toString());
    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out())
        .startsWith("line 1\nRuntimeError: Unknown gguf model_type: glm_moe_dsa\n");
  }

  @Test
  void explainSaysWhatIsNoLog() throws IOException {
    Path log = folder.resolve("launch.log");
    Files.writeString(log, "\n \n");
    noLog(log, "is no log: it is empty");
    Files.writeString(log, "");
    noLog(log, "is no log: it is empty");
    Files.writeString(log, "INFO all is well\n\0\0");
    noLog(log, "is no log: it is binary");
    try (RandomAccessFile sparse = new RandomAccessFile(log.toFile(), "rw")) {
      sparse.setLength(0);
      sparse.setLength(1L << 36);
    }
    noLog(log, "is no log: it is binary");
    Files.writeString(log, "x".repeat(LogFile.LONGEST + 1));
    noLog(log, "a line is longer than");
    Files.writeString(log, "It rained all day.\nnote: buy milk\n");
    Run prose = Run.gguf("explain", Run.MINI, "--log", log.toString());
    assertThat(prose.status()).isEqualTo(1);
    assertThat(prose.out()).contains("no line that a rule knows");
    Run json = Run.gguf("explain", Run.MINI, "--log", log.toString(), "--format", "json");
    assertThat(json.status()).isEqualTo(1);
    assertThat(json.json()).containsEntry("first", null);
  }

  private static void noLog(Path log, String why) {
    Run run = Run.gguf("explain", Run.MINI, "--log", log.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(why);
  }

  @Test
  void aProfileIsAFileOfAtMostOneMebibyte() throws IOException {
    Path profile = folder.resolve("own.profile");
    try (RandomAccessFile sparse = new RandomAccessFile(profile.toFile(), "rw")) {
      sparse.setLength(1L << 36);
    }
    Run large = Run.gguf("preflight", Run.MINI, "--profile", profile.toString());
    assertThat(large.status()).isEqualTo(2);
    assertThat(large.err()).contains("larger than 1048576 bytes");
    Run endless = Run.gguf("check", Run.MINI, "--profile", folder.toString());
    assertThat(endless.status()).isEqualTo(2);
    assertThat(endless.err()).contains("no regular file");
  }
}
