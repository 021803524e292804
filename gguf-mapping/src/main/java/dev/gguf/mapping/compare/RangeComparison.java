package dev.gguf.mapping.compare;

import dev.gguf.GgufException;
import dev.gguf.Tensor;
import dev.gguf.mapping.ErrorStatistics;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.Parameter;
import dev.gguf.mapping.ParameterValues;
import dev.gguf.mapping.Tolerance;
import dev.gguf.mapping.checkpoint.CheckpointParameter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Compares the values of a parameter, or of the range of one for each expert.
final class RangeComparison {
  /// Elements that are read at a time.
  private static final int PART = 1 << 18;

  /// Elements that are judged on their own, so that a wrong head among many right ones shows.
  private static final int SEGMENT = 4096;

  /// How much more than a whole parameter a segment may be off.
  private static final double LEEWAY = 2;

  private final Values values;
  private final MappedTensors entry;
  private final int index;
  private final double sample;
  private final ErrorStatistics all = new ErrorStatistics();
  private Tolerance tolerance = Tolerance.EXACT;
  private long wrongExpert = -1;
  private int wrongExperts;
  private long segments;
  private long wrongSegments;
  private long firstWrong = -1;
  private @Nullable String problem;
  private boolean unread;

  private RangeComparison(Values values, MappedTensors entry, int index, double sample) {
    this.values = values;
    this.entry = entry;
    this.index = index;
    this.sample = sample;
  }

  /// What came of a comparison.
  ///
  /// @param unread whether values could not be read, so that nothing is known about them
  record Outcome(ParameterComparison comparison, boolean unread) {}

  static Outcome of(Values values, MappedTensors entry, int index, double sample)
      throws GgufException {
    RangeComparison comparison = new RangeComparison(values, entry, index, sample);
    Parameter parameter = entry.parameters().get(index);
    for (long expert = 0; expert < parameter.count(); expert++) {
      comparison.compare(parameter, expert);
    }
    return new Outcome(comparison.result(parameter), comparison.unread);
  }

  private void compare(Parameter parameter, long expert) throws GgufException {
    String name = parameter.name(expert);
    CheckpointParameter wanted = values.wanted(name);
    if (wanted == null) {
      if (values.names().inCheckpoint(name).isPresent()) {
        problem = "the file of the checkpoint that holds it is not there";
        unread = true;
      }
      return;
    }
    ParameterValues fed;
    try {
      fed = values.fed(entry, index, expert);
    } catch (GgufException e) {
      problem = e.getMessage();
      unread = true;
      return;
    }
    boolean padded = NameComparison.isPadded(entry, fed.shape(), wanted.shape());
    if (!padded && !NameComparison.isSameShape(fed.shape(), wanted.shape())) {
      problem =
          "the tensors give the shape "
              + Arrays.toString(fed.shape())
              + ", the checkpoint has "
              + Arrays.toString(wanted.shape());
      return;
    }
    if (!wanted.dtype().isReadable()) {
      problem = "the checkpoint's values are " + wanted.dtypeName();
      unread = true;
      return;
    }
    tolerance = fed.tolerance();
    ErrorStatistics errors = new ErrorStatistics();
    long wrongBefore = wrongSegments;
    for (Sample.Range range : Sample.of(wanted.elements(), fed.rowLength(), sample)) {
      compare(fed, wanted, range, errors);
    }
    if (padded && !isZero(fed, wanted.elements())) {
      problem = "the rows that the checkpoint does not have are not zero";
    }
    all.add(errors);
    if (!errors.isWithin(tolerance) || wrongSegments > wrongBefore) {
      wrongExpert = wrongExperts == 0 ? expert : wrongExpert;
      wrongExperts++;
    }
  }

  private void compare(
      ParameterValues fed, CheckpointParameter wanted, Sample.Range range, ErrorStatistics errors)
      throws GgufException {
    float[] left = new float[(int) Math.min(PART, range.to() - range.from())];
    float[] right = new float[left.length];
    for (long at = range.from(); at < range.to(); at += left.length) {
      int now = (int) Math.min(left.length, range.to() - at);
      fed.read(at, now, left, 0);
      values.checkpoint().read(wanted, at, now, right, 0);
      for (int from = 0; from < now; from += SEGMENT) {
        int length = Math.min(SEGMENT, now - from);
        ErrorStatistics segment = new ErrorStatistics();
        segment.add(left, from, right, from, length, tolerance);
        segments++;
        if (length >= SEGMENT / 8 && !segment.isWithin(tolerance.times(LEEWAY))) {
          firstWrong = wrongSegments == 0 ? (at + from) / Math.max(1, fed.rowLength()) : firstWrong;
          wrongSegments++;
        }
        errors.add(segment);
      }
    }
  }

  private static boolean isZero(ParameterValues fed, long from) throws GgufException {
    float[] part = new float[(int) Math.min(PART, fed.elements() - from)];
    for (long at = from; at < fed.elements(); at += part.length) {
      int now = (int) Math.min(part.length, fed.elements() - at);
      fed.read(at, now, part, 0);
      for (int i = 0; i < now; i++) {
        if (part[i] != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private ParameterComparison result(Parameter parameter) throws GgufException {
    ParameterComparison.State state = ParameterComparison.State.DIFFERENT;
    String diagnosis = problem;
    if (problem == null && wrongExperts == 0) {
      state = all.isEqual() ? ParameterComparison.State.EQUAL : ParameterComparison.State.CLOSE;
    } else if (problem == null) {
      diagnosis = diagnose(parameter);
    }
    List<String> sources = entry.sources().stream().map(Tensor::name).toList();
    double allowed = tolerance.limit() == 0 ? 1 : tolerance.limit();
    return new ParameterComparison(
        parameter.name(),
        sources,
        entry.transform(),
        problem == null ? all.count() : 0,
        tolerance,
        all.maxError(),
        all.meanError(),
        all.isEqual() ? 0 : all.relativeError() / allowed,
        state,
        diagnosis);
  }

  private String diagnose(Parameter parameter) throws GgufException {
    String found = ParameterDiagnosis.of(values, entry, index, wrongExpert, tolerance);
    String who =
        parameter.isRange()
            ? wrongExperts
                + " of "
                + parameter.count()
                + " experts differ, first expert "
                + wrongExpert
                + ": "
            : "";
    if (found != null) {
      return who + found;
    }
    return who
        + (wrongSegments > 0 && wrongSegments < segments
            ? wrongSegments
                + " of "
                + segments
                + " parts of "
                + SEGMENT
                + " values differ, first in row "
                + firstWrong
            : "values differ in no known way");
  }
}
