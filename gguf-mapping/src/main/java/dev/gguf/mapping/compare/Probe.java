package dev.gguf.mapping.compare;

import dev.gguf.GgufException;
import dev.gguf.Tensor;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.ParameterValues;
import dev.gguf.mapping.RowOrder;
import dev.gguf.mapping.Transform;
import java.util.ArrayList;
import java.util.List;

/// Places in a parameter by which it is recognised: of a parameter with several tensors those that
/// one of them fills.
///
/// @param runs consecutive elements
record Probe(List<Sample.Range> runs) {
  private static final int ROWS = 6;
  private static final int COLUMNS = 64;
  private static final int LOOKED = 8192;

  /// What reads elements of one side.
  interface Reader {
    void read(long from, int count, float[] into, int at) throws GgufException;
  }

  /// Returns places all over a parameter.
  static Probe of(ParameterValues values) {
    return new Probe(Sample.probes(values.elements(), values.rowLength()));
  }

  /// Returns places that one of several tensors fills; empty where that is not known.
  static Probe of(MappedTensors entry, int parameter, long expert, int source, long[] shape) {
    RowOrder order = entry.rows(parameter, expert).orElse(null);
    List<Sample.Range> runs = new ArrayList<>();
    if (order == null || order.isColumns() || order.count() == 0) {
      return new Probe(runs);
    }
    long elements = 1;
    for (long n : shape) {
      elements *= n;
    }
    long length = elements / order.count();
    boolean turned = entry.transforms().contains(Transform.TRANSPOSE);
    long step = Math.max(1, order.count() / LOOKED);
    List<Long> rows = new ArrayList<>();
    for (long row = 0; row < order.count(); row += step) {
      if (order.source(row) == source) {
        rows.add(row);
      }
    }
    int taken = Math.min(rows.size(), length == 1 ? ROWS * COLUMNS : ROWS);
    for (int i = 0; i < taken; i++) {
      long row = rows.get((int) ((long) i * (rows.size() - 1) / Math.max(1, taken - 1)));
      if (!turned) {
        runs.add(new Sample.Range(row * length, row * length + Math.min(length, COLUMNS)));
        continue;
      }
      // Row of the tensors, column of the parameter.
      long columns = shape[shape.length - 1];
      for (long column = 0; column < Math.min(length, COLUMNS); column++) {
        long at = (row / columns * length + column) * columns + row % columns;
        runs.add(new Sample.Range(at, at + 1));
      }
    }
    return new Probe(runs);
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  /// Reads the elements, run by run.
  float[] read(Reader reader) throws GgufException {
    int length = 0;
    for (Sample.Range run : runs) {
      length += (int) (run.to() - run.from());
    }
    float[] values = new float[length];
    int at = 0;
    for (Sample.Range run : runs) {
      int count = (int) (run.to() - run.from());
      reader.read(run.from(), count, values, at);
      at += count;
    }
    return values;
  }

  /// Returns the names of tensors, for messages.
  static String names(List<Tensor> tensors) {
    return String.join(" + ", tensors.stream().map(Tensor::name).toList());
  }
}
