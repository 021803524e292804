package dev.gguf.mapping.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class EngineCommandTest {
  private static EngineCommand parse(String line) {
    return EngineCommand.parse(List.of(line.split(" ")), Launch.DEFAULT);
  }

  @Test
  void vllmsOwnOptionsAreRead() {
    EngineCommand command =
        parse(
            "CUDA_VISIBLE_DEVICES=0,1 /opt/env/bin/vllm serve /models/GLM-5.gguf"
                + " --tensor-parallel-size 8 --dtype=half --max_model_len 128K"
                + " --gpu-memory-utilization 0.92 --hf-config-path /models/glm5 --tokenizer /models/glm5"
                + " --kv-cache-dtype fp8 --served-model-name glm --enforce-eager"
                + " --enable-expert-parallel --port 8000");
    assertThat(command.engine()).isEqualTo("vllm");
    Launch launch = command.launch();
    assertThat(launch.tensorParallel()).isEqualTo(8);
    assertThat(launch.dtype()).isEqualTo("float16");
    assertThat(launch.maxModelLen()).isEqualTo(131_072);
    assertThat(launch.utilization()).isEqualTo(0.92);
    assertThat(launch.configPath()).isTrue();
    assertThat(launch.tokenizer()).isTrue();
    assertThat(launch.expertParallel()).isTrue();
    assertThat(launch.kvCacheDtype()).isEqualTo("fp8");
    assertThat(launch.model()).isEqualTo("/models/GLM-5.gguf");
    assertThat(launch.ignored())
        .containsExactly("--served-model-name", "--enforce-eager", "--port");
  }

  @Test
  void modulesOfPythonAndSglangAreKnown() {
    EngineCommand vllm =
        parse("python -m vllm.entrypoints.openai.api_server --model a/b:Q4_K_M -tp 4");
    assertThat(vllm.engine()).isEqualTo("vllm");
    assertThat(vllm.launch().model()).isEqualTo("a/b:Q4_K_M");
    assertThat(vllm.launch().tensorParallel()).isEqualTo(4);
    EngineCommand sglang =
        parse("python3 -m sglang.launch_server --model-path x.gguf --tp 2 --context-length 4k");
    assertThat(sglang.engine()).isEqualTo("sglang");
    assertThat(sglang.launch().maxModelLen()).isEqualTo(4000);
  }

  @Test
  void anotherProgramIsNoEngineWhateverItsArguments() {
    assertThat(parse("llama-server -m /models/vllm --port 1").engine()).isNull();
    assertThat(parse("/usr/bin/ollama run sglang").engine()).isNull();
    assertThat(parse("docker run --gpus all vllm/vllm-openai:latest --model x -tp 2").engine())
        .isEqualTo("vllm");
  }

  @Test
  void whatTheCommandLineSaysWinsOverWhatWasSet() {
    Launch before = Launch.builder().tensorParallel(2).dtype("bfloat16").capability("12.0").build();
    Launch after =
        EngineCommand.parse(List.of("vllm", "serve", "x.gguf", "-tp", "8"), before).launch();
    assertThat(after.tensorParallel()).isEqualTo(8);
    assertThat(after.dtype()).isEqualTo("bfloat16");
    assertThat(after.capability()).isEqualTo("12.0");
    assertThat(EngineCommand.parse(List.of(), before).launch()).isEqualTo(before);
  }

  @Test
  void wrongValuesAreSaid() {
    assertThatThrownBy(() -> parse("vllm serve x -tp eight"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-tp eight is no whole number");
    assertThatThrownBy(() -> parse("vllm serve x --dtype"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no value");
    assertThatThrownBy(() -> parse("vllm serve x --dtype int4"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("int4");
  }
}
