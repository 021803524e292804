package dev.gguf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TensorTest {
  @ParameterizedTest
  @CsvSource({
    "blk.0.attn_norm.weight,0",
    "blk.78.nextn.enorm.weight,78",
    "blk.123456789.x,123456789"
  })
  void theLayerIsTheNumberAfterBlk(String name, int layer) {
    assertThat(Tensor.layer(name)).hasValue(layer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "output.weight",
        "blk.x.y",
        "blk..y",
        "blk.01.y",
        "blk.1",
        "v.blk.3.y",
        "blk.9999999999.y",
        "blk.-1.y"
      })
  void everythingElseHasNoLayer(String name) {
    assertThat(Tensor.layer(name)).isEqualTo(OptionalInt.empty());
  }

  @Test
  void sizesFollowFromTypeAndDimensions() {
    assertThat(Tensor.of("t", TensorType.Q8_0, 64, 3).bytes()).isEqualTo(3 * 68);
    assertThat(Tensor.of("t", TensorType.F16).elements()).isEqualTo(1);
    assertThat(Tensor.of("t", TensorType.F16).bytes()).isEqualTo(2);
    assertThat(Tensor.of("t", TensorType.F32, 0, 5).bytes()).isZero();
    assertThat(Tensor.of("t", TensorType.F32, 0, Long.MAX_VALUE, Long.MAX_VALUE).elements())
        .isZero();
    assertThat(Tensor.of("t", TensorType.Q8_0, 33, 2).hasExactSize()).isFalse();
    assertThat(Tensor.of("t", TensorType.F32, 8, 4, 2).rows()).isEqualTo(8);
    assertThatThrownBy(() -> Tensor.of("t", TensorType.F32, Long.MAX_VALUE, 2))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> Tensor.of("t", TensorType.F32, 1, 1, 1, 1, 1))
        .hasMessageContaining("5 dimensions");
  }

  @Test
  void aTensorOfATableIsInNoFile() {
    Tensor tensor = Tensor.of("t", TensorType.F32, 8);
    assertThat(tensor.isInFile()).isFalse();
    assertThatThrownBy(tensor::data)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("t is in no file");
  }
}
