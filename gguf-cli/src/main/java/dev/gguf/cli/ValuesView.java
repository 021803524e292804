package dev.gguf.cli;

import dev.gguf.GgufException;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Output;
import dev.gguf.cli.render.TextWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Writes values in the form that was asked for, in pieces: memory does not grow with their number.
final class ValuesView {
  private static final int PIECE = 1 << 16;
  private static final int SHOWN = 8;

  private final ValueSource source;
  private final float[] piece;

  ValuesView(ValueSource source) {
    this.source = source;
    this.piece = new float[(int) Math.min(PIECE, source.count())];
  }

  /// Takes values in their order.
  private interface Sink {
    void take(float[] values, int count) throws IOException;
  }

  private void each(Sink sink) throws IOException {
    for (long from = 0; from < source.count(); from += PIECE) {
      int count = (int) Math.min(PIECE, source.count() - from);
      source.read(from, count, piece);
      sink.take(piece, count);
    }
  }

  void write(Output output) throws IOException {
    switch (output.format()) {
      case JSON -> json(output);
      case CSV -> csv(output.text());
      case NPY -> {
        OutputStream bytes = binary(output);
        bytes.write(npyHeader(source.shape()));
        raw(bytes);
      }
      case RAW -> raw(binary(output));
      default -> text(output.text());
    }
  }

  private static OutputStream binary(Output output) {
    if (output.isTerminal()) {
      throw CommandException.usage(
          "--format "
              + output.format().label()
              + ": these are bytes for another program; send them into a file with > FILE");
    }
    return output.bytes();
  }

  private void raw(OutputStream out) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 * piece.length).order(ByteOrder.LITTLE_ENDIAN);
    each((values, count) -> {
      bytes.clear().asFloatBuffer().put(values, 0, count);
      out.write(bytes.array(), 0, 4 * count);
    });
  }

  /// Returns the head of a file of numpy's format, version 1.0: a marker, the length of what
  /// follows, and a dictionary, filled up with spaces to a multiple of 64 bytes.
  static byte[] npyHeader(long[] shape) {
    StringBuilder text = new StringBuilder("{'descr': '<f4', 'fortran_order': False, 'shape': (");
    for (long size : shape) {
      text.append(size).append(',').append(' ');
    }
    if (shape.length > 1) {
      text.setLength(text.length() - 2);
    } else if (shape.length == 1) {
      text.setLength(text.length() - 1);
    }
    text.append("), }");
    int head = 10;
    while ((head + text.length() + 1) % 64 != 0) {
      text.append(' ');
    }
    text.append('\n');
    ByteBuffer bytes = ByteBuffer.allocate(head + text.length()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    bytes.put((byte) 1).put((byte) 0).putShort((short) text.length());
    bytes.put(text.toString().getBytes(StandardCharsets.US_ASCII));
    return bytes.array();
  }

  /// One line a row.
  private void csv(TextWriter text) throws IOException {
    long[] shape = source.shape();
    long length = shape.length == 0 ? 1 : shape[shape.length - 1];
    long[] column = new long[1];
    each((values, count) -> {
      for (int i = 0; i < count; i++) {
        text.text(Float.toString(values[i]));
        column[0]++;
        if (column[0] == length) {
          text.newline();
          column[0] = 0;
        } else {
          text.text(",");
        }
      }
    });
  }

  /// What is shown of many values.
  private static final class Summary {
    final ValueStatistics statistics = new ValueStatistics();
    float[] first = {};
    float[] last = {};
  }

  private Summary summary() throws IOException {
    Summary summary = new Summary();
    each(summary.statistics::add);
    int shown = (int) Math.min(SHOWN, source.count());
    summary.first = at(0, shown);
    summary.last = at(source.count() - shown, shown);
    return summary;
  }

  private float[] at(long from, int count) throws GgufException {
    // A block cannot be read in parts.
    long start = from - from % PIECE;
    float[] shown = new float[count];
    for (int done = 0; done < count; ) {
      int size = (int) Math.min(PIECE, source.count() - start);
      source.read(start, size, piece);
      int offset = (int) (from + done - start);
      int now = Math.min(count - done, size - offset);
      System.arraycopy(piece, offset, shown, done, now);
      done += now;
      start += PIECE;
    }
    return shown;
  }

  private void text(TextWriter text) throws IOException {
    Summary summary = summary();
    ValueStatistics of = summary.statistics;
    text.fact(source.label(), source.name());
    if (!source.sources().equals(List.of(source.name()))) {
      text.fact("from", String.join(" + ", source.sources()) + " (" + source.transform() + ")");
    }
    text.fact("type", source.type());
    text.fact("shape", dimensions(source.shape()) + " (row last)");
    text.fact("values", Long.toString(source.count()));
    if (source.count() == 0) {
      return;
    }
    text.fact("first", list(summary.first));
    text.fact("last", list(summary.last));
    text.fact("minimum", Float.toString(of.least()));
    text.fact("maximum", Float.toString(of.most()));
    text.fact("mean", Double.toString(of.mean()));
    text.fact("zeros", Long.toString(of.zeros()));
    if (of.nan() + of.infinite() > 0) {
      text.fact("NaN", Long.toString(of.nan()));
      text.fact("infinite", Long.toString(of.infinite()));
    }
  }

  private static String dimensions(long[] shape) {
    if (shape.length == 0) {
      return "one value";
    }
    StringBuilder text = new StringBuilder();
    for (long size : shape) {
      text.append(text.isEmpty() ? "" : " x ").append(size);
    }
    return text.toString();
  }

  private static String list(float[] values) {
    String text = Arrays.toString(values);
    return text.substring(1, text.length() - 1).replace(",", "");
  }

  private void json(Output output) throws IOException {
    Summary summary = summary();
    ValueStatistics of = summary.statistics;
    JsonWriter json = output.json("values");
    json.field("tensor", source.name()).field("type", source.type());
    json.field("shape", source.shape()).field("count", source.count());
    number(json, "min", of.least(), of);
    number(json, "max", of.most(), of);
    if (Double.isNaN(of.mean())) {
      json.name("mean").nothing();
    } else {
      json.field("mean", of.mean());
    }
    json.field("zeros", of.zeros()).field("nan", of.nan()).field("inf", of.infinite());
    list(json, "first", summary.first);
    list(json, "last", summary.last);
    json.field("sources", source.sources()).field("transform", source.transform());
  }

  /// Without a value that is a number there is no smallest and no largest.
  private static void number(JsonWriter json, String name, float number, ValueStatistics of) {
    if (Float.isNaN(of.least())) {
      json.name(name).nothing();
    } else {
      json.name(name).value(number);
    }
  }

  private static void list(JsonWriter json, String name, float[] values) {
    json.array(name);
    for (float value : values) {
      json.value(value);
    }
    json.endArray();
  }
}
