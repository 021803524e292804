package dev.gguf.mapping.compare;

import java.util.ArrayList;
import java.util.List;

/// Which elements of a parameter are looked at: runs of whole rows, spread over all of it.
final class Sample {
  private static final int RUNS = 8;
  private static final long SMALL = 4096;

  /// Consecutive elements.
  record Range(long from, long to) {}

  private Sample() {}

  /// Returns the ranges for a share of a parameter.
  ///
  /// @param share of the rows, above 0 and at most 1; small parameters are taken whole
  static List<Range> of(long elements, long rowLength, double share) {
    if (share >= 1 || elements <= SMALL || rowLength == 0) {
      return List.of(new Range(0, elements));
    }
    long rows = elements / rowLength;
    long wanted = Math.max(1, (long) Math.ceil(rows * share));
    long runs = Math.min(RUNS, wanted);
    long length = wanted / runs;
    List<Range> ranges = new ArrayList<>();
    long end = 0;
    for (long run = 0; run < runs; run++) {
      long row = runs == 1 ? 0 : (rows - length) * run / (runs - 1);
      if (row < end) {
        row = end;
      }
      end = Math.min(rows, row + length);
      if (end > row) {
        ranges.add(new Range(row * rowLength, end * rowLength));
      }
    }
    return ranges;
  }

  /// Returns a few short ranges by which a parameter is recognised.
  static List<Range> probes(long elements, long rowLength) {
    int length = (int) Math.min(256, rowLength);
    long rows = rowLength == 0 ? 0 : elements / rowLength;
    List<Range> ranges = new ArrayList<>();
    long last = -1;
    for (int i = 0; i < 4 && rows > 0; i++) {
      long row = (rows - 1) * i / 3;
      if (row > last) {
        long from = row * rowLength + (rowLength - length) * (i % 2);
        ranges.add(new Range(from, from + length));
        last = row;
      }
    }
    return ranges;
  }
}
