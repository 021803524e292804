package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    assertThat(run.out()).endsWith("glm-dsa-mini.gguf\n").hasLineCount(1);
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
        .contains("the oldest known is vllm-0.5");
    assertThat(Run.gguf("check", Run.MINI, "--profile", "nowhere.profile").status()).isEqualTo(2);
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
}
