package dev.gguf.mapping;

import dev.gguf.GgufException;
import dev.gguf.quant.TensorValues;
import java.util.List;
import java.util.Objects;

/// Gives the elements of something, numbered in the order of its data. Implementations hold no
/// scratch memory between calls, so that threads may share them.
interface ValueSource {
  /// Reads elements.
  ///
  /// @param from first element
  /// @param count how many
  /// @param into receives them, from index `at` on
  void read(long from, int count, float[] into, int at) throws GgufException;

  /// The elements of one tensor.
  record OfTensor(TensorValues values) implements ValueSource {
    @Override
    public void read(long from, int count, float[] into, int at) throws GgufException {
      int block = values.tensor().type().blockElements();
      long end = from + count;
      if (from % block == 0 && end % block == 0) {
        values.blocks(from / block, end / block, into, at);
        return;
      }
      float[] edge = new float[block];
      long position = from;
      while (position < end) {
        long index = position / block;
        int skip = (int) (position % block);
        long whole = (end - position) / block;
        int now;
        if (skip == 0 && whole > 0) {
          values.blocks(index, index + whole, into, at + (int) (position - from));
          now = (int) (whole * block);
        } else {
          values.blocks(index, index + 1, edge, 0);
          now = (int) Math.min(block - skip, end - position);
          System.arraycopy(edge, skip, into, at + (int) (position - from), now);
        }
        position += now;
      }
    }
  }

  /// Rows of tensors in an order.
  ///
  /// @param length elements of a row
  record OfRows(RowOrder order, List<ValueSource> sources, long length) implements ValueSource {
    @Override
    public void read(long from, int count, float[] into, int at) throws GgufException {
      int done = 0;
      while (done < count) {
        long row = (from + done) / length;
        long column = (from + done) % length;
        int source = order.source(row);
        long start = order.sourceRow(row);
        // Rows that follow each other in their tensor are read at once.
        long rows = 1;
        long wanted = (column + count - done + length - 1) / length;
        while (rows < wanted
            && order.source(row + rows) == source
            && order.sourceRow(row + rows) == start + rows) {
          rows++;
        }
        int now = (int) Math.min(count - done, rows * length - column);
        sources.get(source).read(start * length + column, now, into, at + done);
        done += now;
      }
    }
  }

  /// Rows whose columns stand in an order.
  ///
  /// @param width columns of a row
  record OfColumns(RowOrder order, int width, ValueSource source) implements ValueSource {
    @Override
    public void read(long from, int count, float[] into, int at) throws GgufException {
      float[] row = new float[width];
      for (int done = 0; done < count; ) {
        long index = (from + done) / width;
        int column = (int) ((from + done) % width);
        source.read(index * width, width, row, 0);
        int now = Math.min(count - done, width - column);
        for (int i = 0; i < now; i++) {
          into[at + done + i] = row[(int) order.sourceRow(column + i)];
        }
        done += now;
      }
    }
  }

  /// Matrices with their axes exchanged.
  ///
  /// @param rows rows of a matrix of the result: columns of the source's
  /// @param columns columns of a matrix of the result: rows of the source's
  record Transposed(ValueSource source, long rows, long columns) implements ValueSource {
    /// Elements that are decoded at a time.
    private static final int BAND = 1 << 16;

    @Override
    public void read(long from, int count, float[] into, int at) throws GgufException {
      int done = 0;
      while (done < count) {
        long row = (from + done) / columns;
        long column = (from + done) % columns;
        long matrix = row / rows;
        long first = row % rows;
        if (column != 0 || count - done < columns) {
          int now = (int) Math.min(count - done, columns - column);
          band(matrix, first, 1, column, now, into, at + done);
          done += now;
        } else {
          int whole = (int) Math.min((count - done) / columns, rows - first);
          band(matrix, first, whole, 0, (int) columns, into, at + done);
          done += whole * (int) columns;
        }
      }
    }

    /// Reads columns of consecutive rows: rows of the source, of each of which a run is taken.
    private void band(
        long matrix, long row, int taken, long column, int wanted, float[] into, int at)
        throws GgufException {
      int step = Math.clamp(BAND / rows, 1, wanted);
      boolean whole = taken == rows;
      float[] part = new float[(whole ? step : 1) * taken];
      for (int done = 0; done < wanted; ) {
        int now = whole ? Math.min(step, wanted - done) : 1;
        long start = (matrix * columns + column + done) * rows + row;
        source.read(start, now * taken, part, 0);
        for (int i = 0; i < now; i++) {
          for (int j = 0; j < taken; j++) {
            into[at + j * wanted + done + i] = part[i * taken + j];
          }
        }
        done += now;
      }
    }
  }

  /// Values less one, in 32 bits.
  record MinusOne(ValueSource source) implements ValueSource {
    @Override
    public void read(long from, int count, float[] into, int at) throws GgufException {
      source.read(from, count, into, at);
      for (int i = at; i < at + count; i++) {
        into[i] -= 1;
      }
    }
  }

  /// The logarithm of the negated values, in 64 bits, rounded.
  record LogNegative(ValueSource source) implements ValueSource {
    @Override
    public void read(long from, int count, float[] into, int at) throws GgufException {
      source.read(from, count, into, at);
      for (int i = at; i < at + count; i++) {
        into[i] = (float) Math.log(-(double) into[i]);
      }
    }
  }

  /// The rows of `kv_b_proj` from its halves.
  record Joined(KvBProjection sizes, ValueSource keys, ValueSource values) implements ValueSource {
    @Override
    public void read(long from, int count, float[] into, int at) throws GgufException {
      int keyHead = sizes.nope() * sizes.rank();
      int valueHead = sizes.value() * sizes.rank();
      int whole = keyHead + valueHead;
      float[] decoded = new float[keyHead];
      float[] turned = new float[keyHead];
      for (int done = 0; done < count; ) {
        long head = (from + done) / whole;
        int inHead = (int) ((from + done) % whole);
        int now;
        if (inHead < keyHead) {
          keys.read(head * keyHead, keyHead, decoded, 0);
          KvBProjection.transpose(decoded, 0, sizes.rank(), sizes.nope(), turned, 0);
          now = Math.min(count - done, keyHead - inHead);
          System.arraycopy(turned, inHead, into, at + done, now);
        } else {
          now = Math.min(count - done, whole - inHead);
          values.read(head * valueHead + inHead - keyHead, now, into, at + done);
        }
        done += now;
      }
    }
  }

  /// A source with its bounds checked.
  record Checked(ValueSource source, long elements) implements ValueSource {
    @Override
    public void read(long from, int count, float[] into, int at) throws GgufException {
      Objects.checkFromIndexSize(from, count, elements);
      Objects.checkFromIndexSize(at, count, into.length);
      source.read(from, count, into, at);
    }
  }
}
