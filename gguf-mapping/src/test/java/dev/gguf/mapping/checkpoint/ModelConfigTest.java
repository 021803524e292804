package dev.gguf.mapping.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ModelConfigTest {
  private static ModelConfig parse(String json) throws CheckpointException {
    return ModelConfig.parse("config.json", json);
  }

  @Test
  void readsWhatTheLanguageModelSays() throws CheckpointException {
    ModelConfig config =
        parse(
            """
            {"model_type": "kimi_k25", "architectures": ["KimiK25"], "hidden_size": 5,
             "vision_config": {"hidden_size": 7},
             "text_config": {"model_type": "kimi_k2", "hidden_size": 64, "n_group": null}}
            """);

    assertThat(config.modelType()).contains("kimi_k25");
    assertThat(config.textModelType()).contains("kimi_k2");
    assertThat(config.architectures()).containsExactly("KimiK25");
    assertThat(config.integer("hidden_size")).isEqualTo(64);
    assertThat(config.has("n_group")).isFalse();
    assertThat(config.isNested()).isTrue();
  }

  @Test
  void findsTheRopeBaseWhereverItStands() throws CheckpointException {
    assertThat(parse("{\"rope_theta\": 1e6}").ropeTheta()).hasValue(1e6);
    assertThat(parse("{\"rope_parameters\": {\"rope_theta\": 8000000}}").ropeTheta()).hasValue(8e6);
    assertThat(
            parse(
                    """
                    {"rope_parameters": {"sliding_attention": {"rope_theta": 1e4},
                                         "full_attention": {"rope_theta": 1e6}}}
                    """)
                .ropeTheta())
        .hasValue(1e6);
    assertThat(parse("{\"text_config\": {\"rope_theta\": 2}, \"rope_theta\": 3}").ropeTheta())
        .hasValue(2);
    assertThat(parse("{\"rope_parameters\": [1]}").ropeTheta()).isEmpty();
  }

  @Test
  void namesKeyAndTypesWhenAskedForAnotherType() throws CheckpointException {
    ModelConfig config =
        parse("{\"a\": \"x\", \"b\": 1.5, \"c\": [1, 2.0], \"d\": [1, true], \"e\": Infinity}");

    assertThatThrownBy(() -> config.integer("a"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("config.json: a is the string \"x\"; a whole number is expected");
    assertThatThrownBy(() -> config.integer("b"))
        .hasMessage("config.json: b is the number 1.5; a whole number is expected");
    assertThatThrownBy(() -> config.integer("none"))
        .hasMessage("config.json: none is absent; a whole number is expected");
    assertThatThrownBy(() -> config.integers("d"))
        .hasMessage("config.json: d is a list of 2 elements; a list of whole numbers is expected");
    assertThat(config.integers("c")).containsExactly(1, 2);
    assertThat(config.number("e")).isInfinite();
    assertThat(config.findInteger("none")).isEmpty();
  }

  @Test
  void refusesWhatIsNoConfig() {
    assertThatThrownBy(() -> parse("[1]")).isInstanceOf(CheckpointException.class);
    assertThatThrownBy(() -> parse("")).isInstanceOf(CheckpointException.class);
    assertThatThrownBy(() -> parse("{\"a\": 1} x")).isInstanceOf(CheckpointException.class);
    assertThatThrownBy(() -> parse("{\"a\": " + "[".repeat(100_000)))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("config.json: is not readable JSON")
        .hasMessageNotContaining("\n");
    assertThatThrownBy(() -> parse("{\"a\": [" + "1,".repeat(2_000_001) + "1]}"))
        .hasMessageContaining("more than 2000000 values");
    assertThatThrownBy(() -> ModelConfig.read(Path.of("absent", "config.json")))
        .hasMessageContaining("there is no such file");
  }
}
