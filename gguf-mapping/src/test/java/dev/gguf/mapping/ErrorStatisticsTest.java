package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.TensorType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ErrorStatisticsTest {
  private static final Tolerance Q8 = Tolerance.of(TensorType.Q8_0);
  private static final Tolerance F16 = Tolerance.of(TensorType.F16);

  private static ErrorStatistics of(Tolerance tolerance, float[] values, float[] reference) {
    ErrorStatistics runs = new ErrorStatistics();
    runs.add(values, 0, reference, 0, values.length, tolerance);
    ErrorStatistics single = new ErrorStatistics();
    for (int i = 0; i < values.length; i++) {
      single.add(values[i], reference[i], tolerance);
    }
    assertThat(runs).hasToString(single.toString());
    assertThat(runs.isEqual()).isEqualTo(single.isEqual());
    assertThat(runs.isWithin(tolerance)).isEqualTo(single.isWithin(tolerance));
    assertThat(runs.count()).isEqualTo(values.length);
    return runs;
  }

  @Test
  void measuresDifferences() {
    ErrorStatistics errors = of(Q8, new float[] {3, 4, 1}, new float[] {3, 4, 0});

    assertThat(errors.maxError()).isEqualTo(1);
    assertThat(errors.meanError()).isEqualTo(1 / 3.0);
    assertThat(errors.relativeError()).isEqualTo(0.2);
    assertThat(errors.isEqual()).isFalse();
    assertThat(errors.isWithin(Q8)).isFalse();
    assertThat(errors.isWithin(new Tolerance(TensorType.Q4_K, 0.25, 0))).isTrue();
  }

  @Test
  void takesRoundingOfFloatTypesForEqual() {
    float third = 1 / 3f;
    float rounded = Float.float16ToFloat(Float.floatToFloat16(third));
    assertThat(of(F16, new float[] {rounded, 1}, new float[] {third, 1}).isEqual()).isTrue();
    assertThat(of(Q8, new float[] {rounded, 1}, new float[] {third, 1}).isEqual()).isFalse();
    // One wrong value among many right ones counts where every value is stored for itself.
    float[] values = new float[10_000];
    float[] reference = new float[10_000];
    Arrays.fill(values, 1);
    Arrays.fill(reference, 1);
    values[77] = 1.02f;
    assertThat(of(F16, values, reference).isWithin(F16)).isFalse();
    assertThat(of(Q8, values, reference).isWithin(Q8)).isTrue();
  }

  @Test
  void countsWhatIsNotFinite() {
    float nan = Float.NaN;
    float infinite = Float.POSITIVE_INFINITY;
    for (Tolerance tolerance : new Tolerance[] {Q8, F16, Tolerance.EXACT}) {
      assertThat(of(tolerance, new float[] {nan, infinite}, new float[] {nan, infinite}).isEqual())
          .isTrue();
      assertThat(of(tolerance, new float[] {nan, 1}, new float[] {1, 1}).maxError()).isInfinite();
      assertThat(of(tolerance, new float[] {1, 1}, new float[] {1, infinite}).isWithin(tolerance))
          .isFalse();
    }
  }

  @Test
  void isEmptyAtFirst() {
    ErrorStatistics none = new ErrorStatistics();
    assertThat(none.isEqual()).isTrue();
    assertThat(none.meanError()).isEqualTo(0);
    assertThat(none.relativeError()).isEqualTo(0);
    assertThat(of(Q8, new float[] {1}, new float[] {0}).relativeError()).isInfinite();
  }

  @Test
  void whatWasStoredNearOneMayBeOffByWhatIsRoundedThere() {
    float reference = 1e-6f;
    float stored = (float) Math.log(-(float) -Math.exp(reference));
    Tolerance plain = Tolerance.of(TensorType.F32);
    ErrorStatistics errors = new ErrorStatistics();
    errors.add(stored, reference, plain);
    assertThat(errors.isWithin(plain)).isFalse();
    ErrorStatistics allowed = new ErrorStatistics();
    allowed.add(stored, reference, plain.nearOne());
    assertThat(allowed.isWithin(plain.nearOne())).isTrue();
  }
}
