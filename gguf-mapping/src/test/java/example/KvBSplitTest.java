package example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.TensorType;
import dev.gguf.mapping.KvBComparison;
import dev.gguf.mapping.KvBFault;
import dev.gguf.mapping.KvBProjection;
import dev.gguf.mapping.Tolerance;
import dev.gguf.mapping.testing.TestModel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KvBSplitTest {
  private final KvBProjection sizes = KvBProjection.of(4, 32, 64, 32); // heads, nope, value, rank

  /// The code under test: your own split, here one that forgets to transpose the keys.
  private void forgetfulSplit(float[] matrix, float[] kB, float[] vB) {
    int key = sizes.nope() * sizes.rank();
    int value = sizes.value() * sizes.rank();
    for (int head = 0; head < sizes.heads(); head++) {
      System.arraycopy(matrix, head * (key + value), kB, head * key, key);
      System.arraycopy(matrix, head * (key + value) + key, vB, head * value, value);
    }
  }

  @Test
  void saysWhatIsWrongWithASplit() {
    float[] matrix = matrix();
    float[] kB = new float[sizes.heads() * sizes.nope() * sizes.rank()];
    float[] vB = new float[sizes.heads() * sizes.value() * sizes.rank()];

    sizes.split(matrix, kB, vB);
    assertThat(sizes.check(kB, vB, matrix).isEqual()).isTrue();

    forgetfulSplit(matrix, kB, vB);
    KvBComparison wrong = sizes.check(kB, vB, matrix);
    assertThat(wrong.fault()).contains(KvBFault.NOT_TRANSPOSED);
  }

  @Test
  void rebuildsTheMatrixFromAQuantisedFile(@TempDir Path folder) throws Exception {
    Path file = TestModel.of("glm-dsa").kvB(sizes, 0, TensorType.Q8_0, matrix()).write(folder);
    try (Gguf gguf = Gguf.open(file)) {
      KvBProjection fromKeys = KvBProjection.from(gguf.metadata());
      float[] joined = new float[fromKeys.elements(0, fromKeys.heads())];
      fromKeys.join(
          gguf.find("blk.0.attn_k_b.weight").orElseThrow(),
          gguf.find("blk.0.attn_v_b.weight").orElseThrow(),
          0,
          fromKeys.heads(),
          joined);

      float[] kB = new float[sizes.heads() * sizes.nope() * sizes.rank()];
      float[] vB = new float[sizes.heads() * sizes.value() * sizes.rank()];
      fromKeys.split(joined, kB, vB);
      Tolerance q8 = Tolerance.of(TensorType.Q8_0);
      KvBComparison close = fromKeys.check(kB, vB, matrix(), q8, q8);
      assertThat(close.isRight()).isTrue();
      assertThat(close.maxError()).isLessThan(0.005);
    }
  }

  /// Every element different, so that no wrong order goes unseen.
  private float[] matrix() {
    float[] matrix = new float[sizes.rows() * sizes.rank()];
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = (float) Math.sin(i);
    }
    return matrix;
  }
}
