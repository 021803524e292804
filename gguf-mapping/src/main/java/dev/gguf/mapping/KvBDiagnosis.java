package dev.gguf.mapping;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds out in which way two halves fail to make a reference, by asking of each known mistake what
/// it would have put where. A few rows of a few heads answer that.
final class KvBDiagnosis {
  private static final int HEADS = 4;
  private static final int ROWS = 6;

  private final KvBProjection projection;
  private final float[] kB;
  private final float[] vB;
  private final float[] reference;
  private final Tolerance keyTolerance;
  private final Tolerance valueTolerance;

  /// What was found, and a sentence about it.
  record Result(KvBFault fault, String text) {}

  /// How rows could be laid out.
  private enum Layout {
    HEAD_BY_HEAD,
    KEYS_THEN_VALUES,
    VALUES_THEN_KEYS,
    VALUE_BEFORE_KEY
  }

  private KvBDiagnosis(
      KvBProjection projection,
      float[] kB,
      float[] vB,
      float[] reference,
      Tolerance keyTolerance,
      Tolerance valueTolerance) {
    this.projection = projection;
    this.kB = kB;
    this.vB = vB;
    this.reference = reference;
    this.keyTolerance = keyTolerance;
    this.valueTolerance = valueTolerance;
  }

  static Result of(
      KvBProjection projection,
      float[] kB,
      float[] vB,
      float[] reference,
      Tolerance keyTolerance,
      Tolerance valueTolerance,
      List<Integer> wrongKeys,
      List<Integer> wrongValues,
      Map<Integer, KvBFingerprint> otherLayers) {
    KvBDiagnosis diagnosis =
        new KvBDiagnosis(projection, kB, vB, reference, keyTolerance, valueTolerance);
    Result known = diagnosis.layout(wrongValues.isEmpty());
    known = known == null ? diagnosis.headCount() : known;
    known = known == null ? diagnosis.order() : known;
    known = known == null ? diagnosis.layer(wrongKeys, wrongValues, otherLayers) : known;
    return known == null ? diagnosis.unknown(wrongKeys, wrongValues) : known;
  }

  private @Nullable Result layout(boolean valuesRight) {
    for (boolean transposed : new boolean[] {true, false}) {
      for (Layout layout : Layout.values()) {
        if (transposed && layout == Layout.HEAD_BY_HEAD) {
          continue;
        }
        boolean known = layout == Layout.HEAD_BY_HEAD && valuesRight;
        int heads = projection.heads();
        if (keysFit(layout, heads, transposed) && (known || valuesFit(layout, heads))) {
          return layout(layout, transposed);
        }
      }
    }
    // The values may be wrong for a reason of their own.
    return keysFit(Layout.HEAD_BY_HEAD, projection.heads(), false)
        ? layout(Layout.HEAD_BY_HEAD, false)
        : null;
  }

  private static Result layout(Layout layout, boolean transposed) {
    String and = transposed ? "" : "; attn_k_b is not transposed either";
    return switch (layout) {
      case HEAD_BY_HEAD ->
          new Result(
              KvBFault.NOT_TRANSPOSED,
              "attn_k_b is not transposed: it holds the key rows of each head as they are");
      case KEYS_THEN_VALUES ->
          new Result(
              KvBFault.GROUPED_BY_KIND,
              "rows are grouped by kind: all key rows of all heads, then all value rows, instead"
                  + " of head by head"
                  + and);
      case VALUES_THEN_KEYS ->
          new Result(
              KvBFault.GROUPED_BY_KIND,
              "rows are grouped by kind: all value rows of all heads, then all key rows, instead"
                  + " of head by head"
                  + and);
      case VALUE_BEFORE_KEY ->
          new Result(
              KvBFault.VALUE_BEFORE_NOPE,
              "value before nope: within each head the value rows come before the key rows" + and);
    };
  }

  /// Returns whether the keys are where they would be with this layout and this number of heads.
  private boolean keysFit(Layout layout, int heads, boolean transposed) {
    int nope = projection.heads() * projection.nope() / heads;
    int value = projection.heads() * projection.value() / heads;
    int rank = projection.rank();
    ErrorStatistics errors = new ErrorStatistics();
    for (int head : KvBFingerprint.spread(heads, HEADS)) {
      for (int n : KvBFingerprint.spread(nope, ROWS)) {
        int row =
            switch (layout) {
              case HEAD_BY_HEAD -> head * (nope + value) + n;
              case KEYS_THEN_VALUES -> head * nope + n;
              case VALUES_THEN_KEYS -> heads * value + head * nope + n;
              case VALUE_BEFORE_KEY -> head * (nope + value) + value + n;
            };
        for (int r = 0; r < rank; r++) {
          int in = transposed ? n + nope * (r + rank * head) : r + rank * (n + nope * head);
          errors.add(kB[in], reference[row * rank + r], keyTolerance);
        }
      }
    }
    return errors.isWithin(keyTolerance);
  }

  private boolean valuesFit(Layout layout, int heads) {
    int nope = projection.heads() * projection.nope() / heads;
    int value = projection.heads() * projection.value() / heads;
    int rank = projection.rank();
    ErrorStatistics errors = new ErrorStatistics();
    for (int head : KvBFingerprint.spread(heads, HEADS)) {
      for (int v : KvBFingerprint.spread(value, ROWS)) {
        int row =
            switch (layout) {
              case HEAD_BY_HEAD -> head * (nope + value) + nope + v;
              case KEYS_THEN_VALUES -> heads * nope + head * value + v;
              case VALUES_THEN_KEYS -> head * value + v;
              case VALUE_BEFORE_KEY -> head * (nope + value) + v;
            };
        errors.add(vB, rank * (v + value * head), reference, row * rank, rank, valueTolerance);
      }
    }
    return errors.isWithin(valueTolerance);
  }

  private @Nullable Result headCount() {
    int keyRows = projection.heads() * projection.nope();
    int valueRows = projection.heads() * projection.value();
    for (int heads = 1; heads <= Math.min(keyRows, valueRows); heads++) {
      if (heads != projection.heads()
          && keyRows % heads == 0
          && valueRows % heads == 0
          && keysFit(Layout.HEAD_BY_HEAD, heads, true)
          && valuesFit(Layout.HEAD_BY_HEAD, heads)) {
        return new Result(
            KvBFault.WRONG_HEAD_COUNT,
            "wrong head count: the rows are divided into "
                + heads
                + " heads, the metadata say "
                + projection.heads());
      }
    }
    return null;
  }

  private @Nullable Result order() {
    int heads = projection.heads();
    int[] from = new int[heads];
    for (int head = 0; head < heads; head++) {
      from[head] = headAt(head);
      if (from[head] < 0) {
        return null;
      }
    }
    int first = 0;
    while (first < heads && from[first] == first) {
      first++;
    }
    return first == heads
        ? null
        : new Result(
            KvBFault.HEADS_REORDERED,
            "the heads stand in another order: head "
                + first
                + " is head "
                + from[first]
                + " of the reference"
                + (heads <= 16 ? " (" + Arrays.toString(from) + ")" : ""));
  }

  /// Returns which head of the reference a head is, or -1.
  private int headAt(int head) {
    for (int i = 0; i < projection.heads(); i++) {
      int other = (head + i) % projection.heads();
      if (headFits(head, other)) {
        return other;
      }
    }
    return -1;
  }

  private boolean headFits(int head, int other) {
    int nope = projection.nope();
    int rank = projection.rank();
    int start = other * (nope + projection.value());
    ErrorStatistics keys = new ErrorStatistics();
    for (int n : KvBFingerprint.spread(nope, ROWS)) {
      for (int r = 0; r < rank; r++) {
        float reference = this.reference[(start + n) * rank + r];
        keys.add(kB[n + nope * (r + rank * head)], reference, keyTolerance);
      }
    }
    if (!keys.isWithin(keyTolerance)) {
      return false;
    }
    ErrorStatistics values = new ErrorStatistics();
    for (int v : KvBFingerprint.spread(projection.value(), ROWS)) {
      int at = rank * (v + projection.value() * head);
      values.add(vB, at, reference, (start + nope + v) * rank, rank, valueTolerance);
    }
    return values.isWithin(valueTolerance);
  }

  private @Nullable Result layer(
      List<Integer> wrongKeys,
      List<Integer> wrongValues,
      Map<Integer, KvBFingerprint> otherLayers) {
    int keyLayer = -1;
    int valueLayer = -1;
    for (Map.Entry<Integer, KvBFingerprint> other : otherLayers.entrySet()) {
      if (keyLayer < 0 && !wrongKeys.isEmpty() && other.getValue().matchesKeys(kB, keyTolerance)) {
        keyLayer = other.getKey();
      }
      if (valueLayer < 0
          && !wrongValues.isEmpty()
          && other.getValue().matchesValues(vB, valueTolerance)) {
        valueLayer = other.getKey();
      }
    }
    if (keyLayer < 0 && valueLayer < 0) {
      return null;
    }
    if (keyLayer == valueLayer) {
      return new Result(
          KvBFault.WRONG_LAYER, "wrong layer: both halves are those of layer " + keyLayer);
    }
    String key = half("attn_k_b", keyLayer, wrongKeys);
    String value = half("attn_v_b", valueLayer, wrongValues);
    return new Result(KvBFault.WRONG_LAYER, "wrong layer: " + key + ", " + value);
  }

  private static String half(String name, int layer, List<Integer> wrong) {
    if (wrong.isEmpty()) {
      return name + " is right";
    }
    return name + (layer < 0 ? " differs in no known way" : " is that of layer " + layer);
  }

  private Result unknown(List<Integer> wrongKeys, List<Integer> wrongValues) {
    if (wrongValues.isEmpty() && wrongKeys.size() == projection.heads()) {
      return new Result(KvBFault.KEYS_DIFFER, "attn_k_b differs; attn_v_b is right");
    }
    if (wrongKeys.isEmpty() && wrongValues.size() == projection.heads()) {
      return new Result(KvBFault.VALUES_DIFFER, "attn_v_b differs; attn_k_b is right");
    }
    int wrong = 0;
    int first = -1;
    for (int head = 0; head < projection.heads(); head++) {
      if (wrongKeys.contains(head) || wrongValues.contains(head)) {
        wrong++;
        first = first < 0 ? head : first;
      }
    }
    if (wrong < projection.heads()) {
      return new Result(
          KvBFault.HEADS_DIFFER,
          wrong + " of " + projection.heads() + " heads differ, first head " + first);
    }
    return new Result(KvBFault.DIFFERENT, "both halves differ from the reference in no known way");
  }
}
