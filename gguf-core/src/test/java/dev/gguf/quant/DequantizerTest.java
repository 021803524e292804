package dev.gguf.quant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class DequantizerTest {
  private static float[] decode(TensorType type, ByteOrder order, String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    int blocks = bytes.length / type.blockBytes();
    float[] values = new float[blocks * type.blockElements()];
    Dequantizer dequantizer = Dequantizer.of(type, order).orElseThrow();
    dequantizer.decode(MemorySegment.ofArray(bytes), 0, blocks, values, 0);
    return values;
  }

  @Test
  void plainTypesInBothByteOrders() {
    ByteOrder little = ByteOrder.LITTLE_ENDIAN;
    ByteOrder big = ByteOrder.BIG_ENDIAN;
    assertThat(decode(TensorType.F32, little, "0000c03f 000020c1")).containsExactly(1.5f, -10);
    assertThat(decode(TensorType.F32, big, "3fc00000 c1200000")).containsExactly(1.5f, -10);
    assertThat(decode(TensorType.F16, little, "003e 0100")).containsExactly(1.5f, 0x1p-24f);
    assertThat(decode(TensorType.F16, big, "3e00 0001")).containsExactly(1.5f, 0x1p-24f);
    assertThat(decode(TensorType.BF16, little, "c03f 80ff"))
        .containsExactly(1.5f, Float.NEGATIVE_INFINITY);
    assertThat(decode(TensorType.BF16, big, "3fc0")).containsExactly(1.5f);
    assertThat(decode(TensorType.F64, little, "000000000000f83f")).containsExactly(1.5f);
    assertThat(decode(TensorType.I8, little, "ff 7f")).containsExactly(-1, 127);
    assertThat(decode(TensorType.I16, big, "ff00")).containsExactly(-256);
    assertThat(decode(TensorType.I32, little, "feffffff")).containsExactly(-2);
    assertThat(decode(TensorType.I64, big, "ffffffff00000000")).containsExactly(-0x1p32f);
  }

  @Test
  void onlyTheScaleOfBlockIsInTheFilesByteOrder() {
    String elements = "08 18 f8".concat("88".repeat(13));
    float[] values = decode(TensorType.Q4_0, ByteOrder.LITTLE_ENDIAN, "0040" + elements);
    assertThat(values).startsWith(0, 0, 0).hasSize(32);
    assertThat(values[16]).isEqualTo(-16);
    assertThat(values[17]).isEqualTo(-14);
    assertThat(values[18]).isEqualTo(14);
    assertThat(decode(TensorType.Q4_0, ByteOrder.BIG_ENDIAN, "4000" + elements)).isEqualTo(values);
  }

  @Test
  void decodesFromAnyOffsetToAnyOffset() {
    byte[] source = new byte[3 + 34];
    source[3 + 1] = 0x3C;
    for (int i = 0; i < 32; i++) {
      source[3 + 2 + i] = (byte) (i - 16);
    }
    Dequantizer dequantizer = Dequantizer.of(TensorType.Q8_0).orElseThrow();
    float[] target = new float[34];
    dequantizer.decode(MemorySegment.ofArray(source), 3, 1, target, 1);
    byte[] bytes = new byte[1 + 4 * 32];
    dequantizer.decode(MemorySegment.ofArray(source), 3, 1, MemorySegment.ofArray(bytes), 1);
    assertThat(target[0]).isZero();
    assertThat(target[33]).isZero();
    for (int i = 0; i < 32; i++) {
      assertThat(target[1 + i]).isEqualTo(i - 16);
      assertThat(MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_FLOAT_UNALIGNED, 1 + 4L * i))
          .isEqualTo(i - 16);
    }
  }

  @Test
  void boundsAreChecked() {
    Dequantizer dequantizer = Dequantizer.of(TensorType.Q8_0).orElseThrow();
    MemorySegment source = MemorySegment.ofArray(new byte[68]);
    float[] target = new float[64];
    assertThatThrownBy(() -> dequantizer.decode(source, 1, 2, target, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> dequantizer.decode(source, 0, 2, target, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> dequantizer.decode(source, 0, -1, target, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> dequantizer.decode(source, 0, 2, MemorySegment.ofArray(target), 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void typesOfOthersAreNotDecoded() {
    assertThat(Dequantizer.of(TensorType.of(4))).isEmpty();
    assertThat(Dequantizer.of(TensorType.of(139))).isEmpty();
    assertThat(Dequantizer.of(TensorType.of(99_999))).isEmpty();
  }

  @Test
  void isSafeToShareBetweenThreads() throws Exception {
    Dequantizer dequantizer = Dequantizer.of(TensorType.Q4_K).orElseThrow();
    int blocks = 64;
    byte[] bytes = new byte[2 * blocks * TensorType.Q4_K.blockBytes()];
    new Random(4).nextBytes(bytes);
    MemorySegment source = MemorySegment.ofArray(bytes);
    long half = bytes.length / 2;
    int[] first = bits(dequantizer, source, 0, blocks);
    int[] second = bits(dequantizer, source, half, blocks);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<?> other =
          threads.submit(() -> {
            for (int i = 0; i < 500; i++) {
              assertThat(bits(dequantizer, source, half, blocks)).isEqualTo(second);
            }
          });
      for (int i = 0; i < 500; i++) {
        assertThat(bits(dequantizer, source, 0, blocks)).isEqualTo(first);
      }
      other.get();
    }
  }

  private static int[] bits(Dequantizer dequantizer, MemorySegment source, long at, int blocks) {
    float[] values = new float[blocks * dequantizer.type().blockElements()];
    dequantizer.decode(source, at, blocks, values, 0);
    return MemorySegment.ofArray(values).toArray(ValueLayout.JAVA_INT_UNALIGNED);
  }
}
