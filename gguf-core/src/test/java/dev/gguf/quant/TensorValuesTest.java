package dev.gguf.quant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.FileRule;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFormatException;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorValuesTest {
  @TempDir Path folder;

  private Path file(TensorType type, TensorData data, long... ne) throws IOException {
    Path path = folder.resolve("model.gguf");
    GgufWriter.of(Metadata.builder().string("general.architecture", "llama").build())
        .tensor("a.weight", type, data, ne)
        .write(path);
    return path;
  }

  @Test
  void rowsAndBlocks() throws IOException {
    Path path = file(TensorType.F32, TensorData.floats(1, 2, 3, 4, 5, 6), 3, 2);
    try (Gguf gguf = Gguf.open(path)) {
      TensorValues values = TensorValues.of(gguf.tensors().getFirst());
      assertThat(values.rows()).isEqualTo(2);
      assertThat(values.rowElements()).isEqualTo(3);
      assertThat(values.blocks()).isEqualTo(6);
      float[] target = new float[4];
      values.rows(1, 2, target, 1);
      assertThat(target).containsExactly(0, 4, 5, 6);
      values.blocks(2, 4, target, 0);
      assertThat(target).containsExactly(3, 4, 5, 6);
      float[] whole = new float[6];
      values.rows(0, 2, MemorySegment.ofArray(whole), 0);
      assertThat(whole).containsExactly(1, 2, 3, 4, 5, 6);
      assertThatThrownBy(() -> values.rows(1, 3, whole, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> values.rows(0, 2, target, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> values.blocks(-1, 2, target, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void aTensorWithoutElementsHasNoRows() throws IOException {
    Path path = file(TensorType.Q8_0, TensorData.of(new byte[0]), 0, 4);
    try (Gguf gguf = Gguf.open(path)) {
      TensorValues values = TensorValues.of(gguf.tensors().getFirst());
      values.rows(0, 0, new float[0], 0);
      assertThat(values.blocks()).isZero();
    }
  }

  @Test
  void typesThatCannotBeDecodedSayWhy() throws IOException {
    Path path = file(TensorType.of(139), TensorData.of(new byte[144]), 256);
    try (Gguf gguf = Gguf.open(path)) {
      Tensor tensor = gguf.tensors().getFirst();
      assertThat(TensorValues.isDecodable(tensor)).isFalse();
      assertThatThrownBy(() -> TensorValues.of(tensor))
          .isInstanceOf(GgufException.class)
          .hasMessageContaining("a.weight cannot be decoded: IQ4_K is a type of ik_llama.cpp");
    }
  }

  @Test
  void aFileThatShrankIsAnErrorOfThisLibrary() throws IOException {
    Path path = file(TensorType.F32, TensorData.of(new byte[1 << 20]), 1 << 18);
    for (int size : new int[] {1 << 14, (1 << 20) - 5}) {
      file(TensorType.F32, TensorData.of(new byte[1 << 20]), 1 << 18);
      try (Gguf gguf = Gguf.open(path)) {
        TensorValues values = TensorValues.of(gguf.tensors().getFirst());
        float[] target = new float[1 << 18];
        values.rows(0, 1, target, 0);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
          channel.truncate(size);
        }
        assertThatThrownBy(() -> values.rows(0, 1, target, 0))
            .isInstanceOf(GgufFormatException.class)
            .extracting(e -> ((GgufFormatException) e).rule())
            .isEqualTo(FileRule.FILE_CHANGED);
      }
    }
  }

  @Test
  void aClosedModelIsClosed() throws IOException {
    Path path = file(TensorType.F32, TensorData.floats(1, 2), 2);
    Gguf gguf = Gguf.open(path);
    TensorValues values = TensorValues.of(gguf.tensors().getFirst());
    gguf.close();
    assertThatThrownBy(() -> values.rows(0, 1, new float[2], 0))
        .isInstanceOf(IllegalStateException.class);
  }
}
