package dev.gguf.mapping.compare;

import dev.gguf.GgufException;
import dev.gguf.mapping.ErrorStatistics;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.ParameterValues;
import dev.gguf.mapping.Tolerance;
import dev.gguf.mapping.Transform;
import dev.gguf.mapping.checkpoint.CheckpointParameter;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Finds out in which way a parameter's values are not the checkpoint's, by asking of each known
/// mistake what it would have put where.
final class ParameterDiagnosis {
  /// How many parameters are looked for in the rest of the checkpoint, so that a wrong checkpoint
  /// does not make this quadratic.
  private static final int SEARCHES = 40;

  /// How many tensors of one parameter are looked at on their own.
  private static final int SOURCES = 16;

  /// Rows and columns that are looked at to find rows in another order.
  private static final int ROWS = 40_000;

  private static final int COLUMNS = 64;

  private final Values values;
  private final MappedTensors entry;
  private final int parameter;
  private final long expert;
  private final ParameterValues fed;
  private final CheckpointParameter wanted;
  private final Tolerance tolerance;
  private final List<Sample.Range> probes;

  private ParameterDiagnosis(
      Values values,
      MappedTensors entry,
      int parameter,
      long expert,
      ParameterValues fed,
      CheckpointParameter wanted,
      Tolerance tolerance) {
    this.values = values;
    this.entry = entry;
    this.parameter = parameter;
    this.expert = expert;
    this.fed = fed;
    this.wanted = wanted;
    // A few values are a smaller sample than the tolerance is made for.
    this.tolerance = tolerance.times(1.5);
    this.probes = Sample.probes(fed.elements(), fed.rowLength());
  }

  /// Returns what is wrong in words, or null where no known mistake gives these values.
  static @Nullable String of(
      Values values, MappedTensors entry, int parameter, long expert, Tolerance tolerance)
      throws GgufException {
    ParameterValues fed = values.fed(entry, parameter, expert);
    CheckpointParameter wanted = values.wanted(fed.name());
    if (wanted == null) {
      return null;
    }
    if (entry.transforms().contains(Transform.JOIN_KV_B)) {
      return projection(values, entry);
    }
    ParameterDiagnosis diagnosis =
        new ParameterDiagnosis(values, entry, parameter, expert, fed, wanted, tolerance);
    String found = diagnosis.arithmetic();
    found = found == null ? diagnosis.transposed() : found;
    found = found == null ? diagnosis.order() : found;
    return found == null ? diagnosis.elsewhere() : found;
  }

  private static @Nullable String projection(Values values, MappedTensors entry) {
    OptionalInt layer = entry.layer();
    List<KvBLayer> layers =
        KvBCheck.check(values.gguf(), values.checkpoint(), layer, (_, _) -> {}).layers();
    return layers.isEmpty() ? null : layers.getFirst().diagnosis();
  }

  /// A mistake that changes each value on its own.
  private interface Mistake {
    double of(double reference);
  }

  private @Nullable String arithmetic() throws GgufException {
    double products = 0;
    double squares = 0;
    boolean zero = true;
    for (Sample.Range range : probes) {
      float[] left = values.fed(fed, range);
      float[] right = values.wanted(wanted, range);
      for (int i = 0; i < left.length; i++) {
        zero &= left[i] == 0;
        products += (double) left[i] * right[i];
        squares += (double) right[i] * right[i];
      }
    }
    if (zero) {
      return "all values looked at are zero";
    }
    if (fits(r -> r + 1)) {
      return "off by one: the values are the checkpoint's plus 1";
    }
    if (fits(r -> r - 1)) {
      return "off by one: the values are the checkpoint's less 1";
    }
    if (fits(r -> Math.log(-r)) || fits(r -> -Math.exp(r))) {
      return "the values are a logarithm or an exponential of the checkpoint's";
    }
    double factor = squares == 0 ? 1 : products / squares;
    if (factor != 0 && Double.isFinite(factor) && fits(r -> r * factor)) {
      return factor < 0 && Math.abs(factor + 1) < 0.05
          ? "the signs are turned"
          : "the values are " + (float) factor + " times the checkpoint's";
    }
    return null;
  }

  private boolean fits(Mistake mistake) throws GgufException {
    ErrorStatistics errors = new ErrorStatistics();
    for (Sample.Range range : probes) {
      float[] left = values.fed(fed, range);
      float[] right = values.wanted(wanted, range);
      for (int i = 0; i < left.length; i++) {
        errors.add(left[i], (float) mistake.of(right[i]), tolerance);
      }
    }
    return errors.count() > 0 && errors.isWithin(tolerance);
  }

  /// The last two axes exchanged, whatever the shape says.
  private @Nullable String transposed() throws GgufException {
    long[] shape = fed.shape();
    if (shape.length < 2) {
      return null;
    }
    long rows = shape[shape.length - 2];
    long columns = shape[shape.length - 1];
    ErrorStatistics errors = new ErrorStatistics();
    float[] one = new float[1];
    for (Sample.Range range : probes) {
      if (range.to() > rows * columns) {
        break;
      }
      float[] left = values.fed(fed, range);
      for (int i = 0; i < left.length; i++) {
        long at = range.from() + i;
        values.checkpoint().read(wanted, at % rows * columns + at / rows, 1, one, 0);
        errors.add(left[i], one[0], tolerance);
      }
    }
    return errors.count() > 0 && errors.isWithin(tolerance)
        ? "transposed: rows and columns are exchanged"
        : null;
  }

  /// Rows, or elements of a vector, in another order.
  private @Nullable String order() throws GgufException {
    boolean vector = fed.shape().length < 2;
    long rows = vector ? fed.elements() : fed.rows();
    if (rows < 2 || rows > ROWS || vector && tolerance.limit() > 0.01) {
      return null;
    }
    int length = vector ? 1 : (int) Math.min(COLUMNS, fed.rowLength());
    float[] right = starts((int) rows, length);
    boolean[] taken = new boolean[(int) rows];
    int moved = 0;
    int from = -1;
    int to = -1;
    int looked = (int) Math.min(rows, vector ? rows : 64);
    float[] left = new float[length];
    for (int i = 0; i < looked; i++) {
      int row = (int) (i * (rows - 1) / Math.max(1, looked - 1));
      fed.read(row * (vector ? 1 : fed.rowLength()), length, left, 0);
      int found = find(left, row, right, taken);
      if (found < 0) {
        return null;
      }
      taken[found] = true;
      if (found != row) {
        from = moved == 0 ? row : from;
        to = moved == 0 ? found : to;
        moved++;
      }
    }
    if (moved == 0) {
      return null;
    }
    String heads =
        entry.transforms().contains(Transform.UNPERMUTE_HEADS)
            ? "; the heads have not been permuted by the converter, or twice"
            : "";
    String what = vector ? "element" : "row";
    return what
        + "s stand in another order: "
        + what
        + " "
        + from
        + " is "
        + to
        + " of the checkpoint"
        + heads;
  }

  /// Reads the first elements of every row of the checkpoint's parameter.
  private float[] starts(int rows, int length) throws GgufException {
    float[] starts = new float[rows * length];
    long step = length == 1 ? 1 : fed.rowLength();
    if (step == length) {
      values.checkpoint().read(wanted, 0, starts.length, starts, 0);
    } else {
      for (int row = 0; row < rows; row++) {
        values.checkpoint().read(wanted, row * step, length, starts, row * length);
      }
    }
    return starts;
  }

  private int find(float[] left, int row, float[] right, boolean[] taken) {
    int rows = taken.length;
    for (int i = 0; i < rows; i++) {
      int other = (row + i) % rows;
      if (taken[other]) {
        continue;
      }
      ErrorStatistics errors = new ErrorStatistics();
      errors.add(left, 0, right, other * left.length, left.length, tolerance);
      if (errors.isWithin(tolerance)) {
        return other;
      }
    }
    return -1;
  }

  /// The values of another parameter of the checkpoint, or those of one of several tensors.
  private @Nullable String elsewhere() throws GgufException {
    if (values.searches().incrementAndGet() > SEARCHES) {
      return null;
    }
    int count = entry.sources().size();
    if (count == 1) {
      return elsewhere(Probe.of(fed));
    }
    for (int source = 0; source < Math.min(count, SOURCES); source++) {
      Probe probe = Probe.of(entry, parameter, expert, source, fed.shape());
      if (probe.isEmpty() || holds(wanted, probe, probe.read(fed::read))) {
        continue;
      }
      String found = elsewhere(probe);
      if (found != null) {
        return entry.sources().get(source).name() + ": " + found;
      }
    }
    return null;
  }

  private @Nullable String elsewhere(Probe probe) throws GgufException {
    float[] left = probe.read(fed::read);
    CheckpointParameter best = null;
    for (CheckpointParameter other : values.checkpoint().parameters()) {
      if (other.dtype().isReadable()
          && !other.name().equals(wanted.name())
          && Arrays.equals(other.shape(), wanted.shape())
          && (best == null || likeness(other.name()) > likeness(best.name()))
          && holds(other, probe, left)) {
        best = other;
      }
    }
    return best == null ? null : words(best.name());
  }

  private boolean holds(CheckpointParameter other, Probe probe, float[] left) throws GgufException {
    float[] right =
        probe.read(
            (from, count, into, at) -> values.checkpoint().read(other, from, count, into, at));
    ErrorStatistics errors = new ErrorStatistics();
    errors.add(left, 0, right, 0, right.length, tolerance);
    return errors.count() > 0 && errors.isWithin(tolerance);
  }

  /// Returns how much of a name is the wanted one's, from both ends: of several parameters with the
  /// same values the likeliest is named.
  private int likeness(String name) {
    String right = wanted.name();
    int start = 0;
    while (start < Math.min(name.length(), right.length())
        && name.charAt(start) == right.charAt(start)) {
      start++;
    }
    int end = 0;
    while (end < Math.min(name.length(), right.length()) - start
        && name.charAt(name.length() - 1 - end) == right.charAt(right.length() - 1 - end)) {
      end++;
    }
    return start + end;
  }

  private String words(String name) {
    String there = layer(name);
    String here = layer(wanted.name());
    String expertThere = number(name, "experts.");
    String expertHere = number(wanted.name(), "experts.");
    String holds = "; it holds " + name;
    if (!there.equals(here)) {
      return "tensor of another layer: " + there + " instead of " + here + holds;
    }
    if (!expertThere.equals(expertHere)) {
      return "experts exchanged: expert " + expertThere + " instead of " + expertHere + holds;
    }
    return "another tensor of the same layer" + holds;
  }

  private static String layer(String name) {
    String number = number(name, "layers.");
    number = number.isEmpty() ? number(name, "h.") : number;
    return number.isEmpty() ? "no layer" : "layer " + number;
  }

  /// Returns the digits after a name's component, or an empty string.
  private static String number(String name, String component) {
    int at = name.indexOf(component);
    while (at >= 0) {
      int from = at + component.length();
      int to = from;
      while (to < name.length() && Character.isDigit(name.charAt(to))) {
        to++;
      }
      if (to > from && (at == 0 || name.charAt(at - 1) == '.')) {
        return name.substring(from, to);
      }
      at = name.indexOf(component, from);
    }
    return "";
  }

  /// Returns the tensors by name, for messages.
  @Override
  public String toString() {
    return Probe.names(entry.sources()) + " -> " + fed.name();
  }
}
