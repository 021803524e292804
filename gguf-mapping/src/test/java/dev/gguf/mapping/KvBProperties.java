package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.GgufException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class KvBProperties {
  @Provide
  Arbitrary<KvBProjection> projections() {
    Arbitrary<Integer> size = Arbitraries.integers().between(1, 40);
    Arbitrary<KvBProjection> any =
        Combinators.combine(Arbitraries.integers().between(1, 6), size, size, size)
            .as((heads, nope, value, rank) -> KvBProjection.of(heads, nope, value, rank));
    Arbitrary<KvBProjection> square =
        Combinators.combine(Arbitraries.integers().between(1, 6), size, size)
            .as((heads, both, rank) -> KvBProjection.of(heads, both, both, rank));
    return Arbitraries.oneOf(any, square);
  }

  /// Sizes with which every mistake gives something else.
  @Provide
  Arbitrary<KvBProjection> telling() {
    Arbitrary<Integer> size = Arbitraries.integers().between(4, 20);
    return Combinators.combine(Arbitraries.integers().between(2, 5), size, size, size)
        .as((heads, nope, value, rank) -> KvBProjection.of(heads, nope, value, rank));
  }

  private static float[] matrix(KvBProjection projection, long seed) {
    Random random = new Random(seed);
    float[] matrix = new float[projection.rows() * projection.rank()];
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = (float) random.nextGaussian();
    }
    return matrix;
  }

  private static float[] keys(KvBProjection p) {
    return new float[p.heads() * p.nope() * p.rank()];
  }

  private static float[] values(KvBProjection p) {
    return new float[p.heads() * p.value() * p.rank()];
  }

  @Property
  void joiningWhatWasDividedGivesEveryBitBack(
      @ForAll("projections") KvBProjection p, @ForAll int seed) {
    Random random = new Random(seed);
    float[] bits = new float[p.rows() * p.rank()];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.intBitsToFloat(random.nextInt());
    }
    float[] kB = keys(p);
    float[] vB = values(p);
    p.split(bits, kB, vB);
    float[] again = new float[bits.length];
    p.join(kB, vB, again);
    assertThat(raw(again)).isEqualTo(raw(bits));

    int from = random.nextInt(p.heads());
    int to = from + 1 + random.nextInt(p.heads() - from);
    float[] part = new float[p.elements(from, to)];
    p.join(kB, vB, from, to, part);
    int start = p.elements(0, from);
    assertThat(raw(part))
        .isEqualTo(IntStream.of(raw(bits)).skip(start).limit(part.length).toArray());
  }

  private static int[] raw(float[] values) {
    return IntStream.range(0, values.length).map(i -> Float.floatToRawIntBits(values[i])).toArray();
  }

  @Property(tries = 60)
  void everyMistakeIsNamed(@ForAll("telling") KvBProjection p, @ForAll long seed) {
    float[] right = matrix(p, seed);
    float[] kB = keys(p);
    float[] vB = values(p);
    p.split(right, kB, vB);
    assertThat(p.check(kB, vB, right).isEqual()).isTrue();

    assertThat(fault(p, untransposed(p, kB), vB, right)).isEqualTo(KvBFault.NOT_TRANSPOSED);
    assertThat(fault(p, kB, vB, joined(p, kB, vB, false, true)))
        .isEqualTo(KvBFault.GROUPED_BY_KIND);
    assertThat(fault(p, kB, vB, joined(p, kB, vB, false, false)))
        .isEqualTo(KvBFault.GROUPED_BY_KIND);
    assertThat(fault(p, kB, vB, joined(p, kB, vB, true, false)))
        .isEqualTo(KvBFault.VALUE_BEFORE_NOPE);
    assertThat(fault(p, untransposed(p, kB), vB, joined(p, kB, vB, true, false)))
        .isEqualTo(KvBFault.VALUE_BEFORE_NOPE);
    KvBProjection one =
        KvBProjection.of(1, (long) p.heads() * p.nope(), (long) p.heads() * p.value(), p.rank());
    float[] oneK = keys(p);
    one.split(right, oneK, values(p));
    float[] oneV = values(p);
    one.split(right, keys(p), oneV);
    // One head of all rows is the same as rows grouped by kind, but for the transposition.
    assertThat(fault(p, oneK, oneV, right)).isEqualTo(KvBFault.WRONG_HEAD_COUNT);

    float[] other = matrix(p, seed + 1);
    float[] otherK = keys(p);
    float[] otherV = values(p);
    p.split(other, otherK, otherV);
    assertThat(fault(p, otherK, vB, right)).isEqualTo(KvBFault.KEYS_DIFFER);
    assertThat(fault(p, kB, otherV, right)).isEqualTo(KvBFault.VALUES_DIFFER);
    assertThat(fault(p, otherK, otherV, right)).isEqualTo(KvBFault.DIFFERENT);
    Map<Integer, KvBFingerprint> layers = new LinkedHashMap<>();
    layers.put(4, print(p, matrix(p, seed + 2)));
    layers.put(7, print(p, other));
    KvBComparison halves = p.check(otherK, vB, right, Tolerance.EXACT, Tolerance.EXACT, layers);
    assertThat(halves.fault()).contains(KvBFault.WRONG_LAYER);
    assertThat(halves.diagnosis())
        .isEqualTo("wrong layer: attn_k_b is that of layer 7, attn_v_b is right");
    assertThat(p.check(otherK, otherV, right, Tolerance.EXACT, Tolerance.EXACT, layers).diagnosis())
        .isEqualTo("wrong layer: both halves are those of layer 7");

    float[] swapped = right.clone();
    int head = p.elements(0, 1);
    System.arraycopy(right, 0, swapped, head, head);
    System.arraycopy(right, head, swapped, 0, head);
    assertThat(fault(p, kB, vB, swapped)).isEqualTo(KvBFault.HEADS_REORDERED);
    float[] damaged = right.clone();
    damaged[1] += 1;
    KvBComparison comparison = p.check(kB, vB, damaged);
    assertThat(comparison.fault()).contains(KvBFault.HEADS_DIFFER);
    assertThat(comparison.heads().get(0).isEqual()).isFalse();
    assertThat(comparison.heads().get(1).isEqual()).isTrue();
    assertThat(comparison.maxError()).isBetween(0.99, 1.01);
  }

  private static KvBFault fault(KvBProjection p, float[] kB, float[] vB, float[] reference) {
    return p.check(kB, vB, reference).fault().orElseThrow();
  }

  private static KvBFingerprint print(KvBProjection p, float[] matrix) {
    try {
      return KvBFingerprint.of(
          p, (row, into, at) -> System.arraycopy(matrix, row * p.rank(), into, at, p.rank()));
    } catch (GgufException e) {
      throw new AssertionError(e);
    }
  }

  private static float[] untransposed(KvBProjection p, float[] kB) {
    float[] rows = new float[kB.length];
    int head = p.nope() * p.rank();
    for (int i = 0; i < kB.length; i++) {
      int at = i % head;
      rows[i / head * head + at % p.nope() * p.rank() + at / p.nope()] = kB[i];
    }
    return rows;
  }

  /// Puts rows together as a mistaken loader does.
  private static float[] joined(
      KvBProjection p, float[] kB, float[] vB, boolean byHead, boolean keysFirst) {
    float[] k = untransposed(p, kB);
    float[] matrix = new float[p.rows() * p.rank()];
    int groups = byHead ? p.heads() : 1;
    int key = k.length / groups;
    int value = vB.length / groups;
    for (int group = 0; group < groups; group++) {
      int at = group * (key + value);
      System.arraycopy(k, group * key, matrix, at + (keysFirst ? 0 : value), key);
      System.arraycopy(vB, group * value, matrix, at + (keysFirst ? key : 0), value);
    }
    return matrix;
  }
}
