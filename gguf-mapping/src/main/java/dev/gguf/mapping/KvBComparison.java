package dev.gguf.mapping;

import dev.gguf.GgufException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How far two halves are from the `kv_b_proj` that they should make, head by head, and what is
/// wrong with them if they are not right. Immutable.
public final class KvBComparison {
  private final ErrorStatistics keys;
  private final ErrorStatistics values;
  private final List<ErrorStatistics> heads;
  private final @Nullable KvBFault fault;
  private final String diagnosis;

  private KvBComparison(Halves halves, @Nullable KvBFault fault, String diagnosis) {
    this.keys = halves.keys;
    this.values = halves.values;
    this.heads = halves.heads;
    this.fault = fault;
    this.diagnosis = diagnosis;
  }

  static KvBComparison of(
      KvBProjection projection,
      KvBProjection.Heads kB,
      KvBProjection.Heads vB,
      KvBProjection.Heads reference,
      Tolerance keyTolerance,
      Tolerance valueTolerance,
      Map<Integer, KvBFingerprint> otherLayers)
      throws GgufException {
    Halves halves = new Halves();
    halves.compare(projection, kB, vB, reference, keyTolerance, valueTolerance);
    if (halves.wrongKeys.isEmpty() && halves.wrongValues.isEmpty()) {
      return new KvBComparison(halves, null, "");
    }
    KvBDiagnosis.Result result =
        KvBDiagnosis.of(
            projection,
            whole(projection, kB, projection.nope()),
            whole(projection, vB, projection.value()),
            whole(projection, reference, projection.nope() + projection.value()),
            keyTolerance,
            valueTolerance,
            halves.wrongKeys,
            halves.wrongValues,
            otherLayers);
    return new KvBComparison(halves, result.fault(), result.text());
  }

  private static float[] whole(KvBProjection projection, KvBProjection.Heads heads, int rows)
      throws GgufException {
    float[] all = new float[projection.heads() * rows * projection.rank()];
    for (int head = 0; head < projection.heads(); head++) {
      heads.read(head, all, head * rows * projection.rank());
    }
    return all;
  }

  /// The element-wise comparison, before any diagnosis.
  private static final class Halves {
    final ErrorStatistics keys = new ErrorStatistics();
    final ErrorStatistics values = new ErrorStatistics();
    final List<ErrorStatistics> heads = new ArrayList<>();
    final List<Integer> wrongKeys = new ArrayList<>();
    final List<Integer> wrongValues = new ArrayList<>();

    void compare(
        KvBProjection projection,
        KvBProjection.Heads kB,
        KvBProjection.Heads vB,
        KvBProjection.Heads reference,
        Tolerance keyTolerance,
        Tolerance valueTolerance)
        throws GgufException {
      int rank = projection.rank();
      int keyHead = projection.nope() * rank;
      int valueHead = projection.value() * rank;
      float[] half = new float[Math.max(keyHead, valueHead)];
      float[] turned = new float[keyHead];
      float[] wanted = new float[keyHead + valueHead];
      for (int head = 0; head < projection.heads(); head++) {
        reference.read(head, wanted, 0);
        kB.read(head, half, 0);
        KvBProjection.transpose(half, 0, rank, projection.nope(), turned, 0);
        ErrorStatistics key = new ErrorStatistics();
        key.add(turned, 0, wanted, 0, keyHead, keyTolerance);
        vB.read(head, half, 0);
        ErrorStatistics value = new ErrorStatistics();
        value.add(half, 0, wanted, keyHead, valueHead, valueTolerance);
        if (!key.isWithin(keyTolerance)) {
          wrongKeys.add(head);
        }
        if (!value.isWithin(valueTolerance)) {
          wrongValues.add(head);
        }
        keys.add(key);
        values.add(value);
        key.add(value);
        heads.add(key);
      }
    }
  }

  /// Returns whether both halves are right: equal, or as near as the tolerances allow.
  public boolean isRight() {
    return fault == null;
  }

  /// Returns whether every element equals the reference, or the reference rounded to the float type
  /// it is stored in.
  public boolean isEqual() {
    return keys.isEqual() && values.isEqual();
  }

  /// Returns in which way the halves are wrong, or empty if they are right.
  public Optional<KvBFault> fault() {
    return Optional.ofNullable(fault);
  }

  /// Returns what is wrong in words; empty if nothing is.
  public String diagnosis() {
    return diagnosis;
  }

  /// Returns the errors of `attn_k_b`.
  public ErrorStatistics keys() {
    return keys;
  }

  /// Returns the errors of `attn_v_b`.
  public ErrorStatistics values() {
    return values;
  }

  /// Returns the errors of each head, keys and values together.
  public List<ErrorStatistics> heads() {
    return Collections.unmodifiableList(heads);
  }

  /// Returns the largest absolute error of both halves.
  public double maxError() {
    return Math.max(keys.maxError(), values.maxError());
  }

  /// Returns the mean absolute error of both halves.
  public double meanError() {
    ErrorStatistics all = new ErrorStatistics();
    all.add(keys);
    all.add(values);
    return all.meanError();
  }

  @Override
  public String toString() {
    return (isEqual() ? "equal" : isRight() ? "close" : diagnosis) + ", max error " + maxError();
  }
}
