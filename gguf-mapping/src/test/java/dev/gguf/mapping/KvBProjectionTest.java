package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.Metadata;
import dev.gguf.MetadataException;
import org.junit.jupiter.api.Test;

class KvBProjectionTest {
  private static final KvBProjection SMALL = KvBProjection.of(2, 2, 3, 4);
  private static final float[] K = {0, 10, 1, 11, 2, 12, 3, 13, 50, 60, 51, 61, 52, 62, 53, 63};
  private static final float[] V = {
    20, 21, 22, 23, 30, 31, 32, 33, 40, 41, 42, 43, 70, 71, 72, 73, 80, 81, 82, 83, 90, 91, 92, 93
  };

  /// Element 10 * row + column everywhere, so that an element tells where it comes from.
  private static float[] matrix() {
    float[] kvB = new float[40];
    for (int i = 0; i < 40; i++) {
      kvB[i] = 10 * (i / 4) + i % 4;
    }
    return kvB;
  }

  @Test
  void dividesTheWorkedExample() {
    float[] kB = new float[16];
    float[] vB = new float[24];

    SMALL.split(matrix(), kB, vB);

    assertThat(kB).containsExactly(K);
    assertThat(vB).containsExactly(V);
  }

  @Test
  void joinsTheWorkedExample() {
    float[] kvB = new float[40];

    SMALL.join(K, V, kvB);

    assertThat(kvB).containsExactly(matrix());
  }

  @Test
  void takesTheHeadsOfARange() {
    float[] second = new float[20];
    SMALL.join(K, V, 1, 2, second);
    assertThat(second).startsWith(50, 51, 52, 53, 60).endsWith(90, 91, 92, 93);

    float[] kB = new float[8];
    float[] vB = new float[12];
    SMALL.split(matrix(), 1, 2, kB, vB);
    assertThat(kB).containsExactly(50, 60, 51, 61, 52, 62, 53, 63);
    assertThat(vB).startsWith(70, 71).endsWith(92, 93);
  }

  @Test
  void saysWhatIsTooShort() {
    assertThatThrownBy(() -> SMALL.join(new float[15], V, new float[40]))
        .hasMessage("attn_k_b has 15 elements; 16 are needed");
    assertThatThrownBy(() -> SMALL.join(K, V, new float[39]))
        .hasMessage("the target has 39 elements; 40 are needed");
    assertThatThrownBy(() -> SMALL.join(K, V, 1, 3, new float[40]))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> KvBProjection.of(64, 192, 256, 1L << 40))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KvBProjection.of(Long.MAX_VALUE, Long.MAX_VALUE, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Metadata.Builder glm5() {
    return Metadata.builder()
        .string("general.architecture", "glm-dsa")
        .uint32("glm-dsa.attention.head_count", 64)
        .uint32("glm-dsa.attention.head_count_kv", 1)
        .uint32("glm-dsa.attention.key_length", 576)
        .uint32("glm-dsa.attention.value_length", 512)
        .uint32("glm-dsa.attention.kv_lora_rank", 512)
        .uint32("glm-dsa.rope.dimension_count", 64);
  }

  @Test
  void takesTheSizesOfHeadsFromTheirOwnKeys() {
    KvBProjection projection =
        KvBProjection.from(
            glm5()
                .uint32("glm-dsa.attention.key_length_mla", 256)
                .uint32("glm-dsa.attention.value_length_mla", 256)
                .build());

    assertThat(projection).hasToString("64 heads of 192 + 256 rows, rank 512");
    assertThat(projection.shape()).containsExactly(28672, 512);
    assertThat(projection.keyNe()).containsExactly(192, 512, 64);
    assertThat(projection.valueNe()).containsExactly(512, 256, 64);
  }

  @Test
  void doesNotTakeTheWidthOfTheCacheForAHead() {
    assertThatThrownBy(() -> KvBProjection.from(glm5().build()))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("key_length 576 is the width of the cache");
  }

  @Test
  void readsTheKeysOfFilesFromBeforeTheDivision() {
    KvBProjection projection =
        KvBProjection.from(
            Metadata.builder()
                .string("general.architecture", "deepseek2")
                .uint32("deepseek2.attention.head_count", 128)
                .uint32("deepseek2.attention.head_count_kv", 128)
                .uint32("deepseek2.attention.key_length", 192)
                .uint32("deepseek2.attention.value_length", 128)
                .uint32("deepseek2.attention.kv_lora_rank", 512)
                .uint32("deepseek2.rope.dimension_count", 64)
                .build());

    assertThat(projection).hasToString("128 heads of 128 + 128 rows, rank 512");
  }

  @Test
  void knowsModelsWithoutTheProjection() {
    assertThat(KvBProjection.isIn(glm5().build())).isTrue();
    assertThat(
            KvBProjection.isIn(Metadata.builder().string("general.architecture", "llama").build()))
        .isFalse();
    assertThat(KvBProjection.isIn(Metadata.EMPTY)).isFalse();
    assertThatThrownBy(() -> KvBProjection.from(Metadata.EMPTY))
        .isInstanceOf(MetadataException.class);
  }
}
