package dev.gguf.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardNameTest {
  @Test
  void aNameHasPrefixNumberAndCount() {
    assertThat(ShardName.of("GLM-5-00002-of-00010.gguf")).contains(new ShardName("GLM-5", 2, 10));
    assertThat(ShardName.of("-00001-of-00001.GGUF")).contains(new ShardName("", 1, 1));
    assertThat(ShardName.of("m-123456-of-123457.gguf"))
        .contains(new ShardName("m", 123_456, 123_457));
    assertThat(new ShardName("m", 2, 10).sibling(7)).isEqualTo("m-00007-of-00010.gguf");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model.gguf",
        "m-0001-of-0002.gguf",
        "m-00001-of-00002.bin",
        "m00001-of-00002.gguf",
        "00001-of-00002.gguf",
        "m-00001of-00002.gguf",
        "m-1234567890-of-1234567890.gguf",
        ".gguf",
        ""
      })
  void otherNamesAreNoShards(String name) {
    assertThat(ShardName.of(name)).isEmpty();
  }
}
