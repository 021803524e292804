package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.Metadata;
import dev.gguf.MetadataArray;
import dev.gguf.MetadataException;
import dev.gguf.ValueType;
import dev.gguf.cli.render.Findings;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Table;
import dev.gguf.cli.render.TextWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// Shows the pairs of a file.
final class MetadataView {
  private static final int JSON_ELEMENTS = 32;
  private static final int TEXT_ELEMENTS = 8;
  private static final int TEXT_LENGTH = 100;
  private static final int DEEPEST = 16;

  private MetadataView() {}

  /// Writes all pairs as the fields of a document.
  ///
  /// @param path as it was given on the command line
  /// @param findings what stopped the reading
  /// @param full whether lists are written to their end
  static void json(
      JsonWriter json,
      Path path,
      List<Metadata.Entry> entries,
      List<Finding> findings,
      boolean full) {
    json.field("path", path.toString()).array("metadata");
    for (Metadata.Entry entry : entries) {
      json(json, entry, full ? Long.MAX_VALUE : JSON_ELEMENTS);
    }
    json.endArray().name("findings");
    Findings.write(json, findings);
  }

  private static void json(JsonWriter json, Metadata.Entry entry, long limit) {
    json.object();
    json.field("key", entry.key(), entry.isKeyUtf8() ? null : base64(entry.keyBytes()));
    json.field("type", entry.type().label());
    boolean cut = false;
    if (entry.type() == ValueType.ARRAY) {
      MetadataArray array = entry.array();
      json.field("elementType", array.elementType().label()).field("count", array.count());
      cut = isCut(array, limit, 0);
      json.name("value");
      elements(json, array, limit, 0);
      base64(json, array, limit);
    } else {
      json.name("elementType").nothing().name("count").nothing();
      cut = !scalar(json, entry);
    }
    json.field("truncated", cut);
    if (entry.offset() < 0) {
      json.name("offset").nothing();
    } else {
      json.field("offset", entry.offset());
    }
    json.endObject();
  }

  /// Writes a value that is no list; false if it is too long to be read.
  private static boolean scalar(JsonWriter json, Metadata.Entry entry) {
    switch (entry.type()) {
      case STRING -> {
        try {
          json.field("value", entry.string(), entry.base64());
        } catch (MetadataException e) {
          json.name("value").nothing();
          return false;
        }
      }
      case BOOL -> json.field("value", entry.bool());
      case FLOAT32 -> json.name("value").value((float) entry.number());
      case FLOAT64 -> json.field("value", entry.number());
      case UINT64 -> json.name("value").unsigned(entry.bits());
      default -> json.field("value", entry.bits());
    }
    return true;
  }

  private static void elements(JsonWriter json, MetadataArray array, long limit, int depth) {
    if (isUnreadable(array) || depth == DEEPEST) {
      json.nothing();
      return;
    }
    json.array();
    long shown = Math.min(limit, array.count());
    for (long i = 0; i < shown; i++) {
      switch (array.elementType()) {
        case STRING -> json.value(array.stringAt(i));
        case ARRAY -> elements(json, array.arrayAt(i), limit, depth + 1);
        case BOOL -> json.value(array.integerAt(i) != 0);
        case FLOAT32 -> json.value((float) array.numberAt(i));
        case FLOAT64 -> json.value(array.numberAt(i));
        case UINT64 -> json.unsigned(array.integerAt(i));
        default -> json.value(array.integerAt(i));
      }
    }
    json.endArray();
  }

  /// Writes the exact bytes of the strings shown, null for those that are UTF-8, if any is not.
  private static void base64(JsonWriter json, MetadataArray array, long limit) {
    if (array.elementType() != ValueType.STRING || isUnreadable(array)) {
      return;
    }
    long shown = Math.min(limit, array.count());
    boolean any = false;
    for (long i = 0; i < shown && !any; i++) {
      any = array.base64At(i) != null;
    }
    if (any) {
      json.array("valueBase64");
      for (long i = 0; i < shown; i++) {
        json.value(array.base64At(i));
      }
      json.endArray();
    }
  }

  private static String base64(byte[] bytes) {
    return java.util.Base64.getEncoder().encodeToString(bytes);
  }

  private static boolean isUnreadable(MetadataArray array) {
    return array.byteSize() > Integer.MAX_VALUE - 16;
  }

  private static boolean isCut(MetadataArray array, long limit, int depth) {
    if (array.count() > limit || isUnreadable(array) || depth == DEEPEST) {
      return true;
    }
    if (array.elementType() == ValueType.ARRAY) {
      for (long i = 0; i < array.count(); i++) {
        if (isCut(array.arrayAt(i), limit, depth + 1)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Writes all pairs as a table for people.
  ///
  /// @param path as it was given on the command line
  /// @param findings what stopped the reading
  /// @param full whether long values are written to their end
  static void text(
      TextWriter text,
      Path path,
      List<Metadata.Entry> entries,
      List<Finding> findings,
      boolean full) {
    if (!entries.isEmpty()) {
      Table table = new Table("key", "type", "value");
      for (Metadata.Entry entry : entries) {
        table.row(entry.key(), type(entry), value(entry, full));
      }
      table.write(text, 0);
    }
    if (!findings.isEmpty()) {
      text.newline();
      Findings.write(text, findings, path);
    }
  }

  private static String type(Metadata.Entry entry) {
    return entry.type() == ValueType.ARRAY
        ? entry.array().elementType().label() + "[" + entry.array().count() + "]"
        : entry.type().label();
  }

  /// Returns a value in one line for people.
  ///
  /// @param full whether a long one is written to its end
  static String value(Metadata.Entry entry, boolean full) {
    if (entry.type() == ValueType.ARRAY) {
      StringBuilder list = new StringBuilder();
      list(list, entry.array(), full ? Long.MAX_VALUE : TEXT_ELEMENTS, 0);
      return list.toString();
    }
    if (entry.type() != ValueType.STRING) {
      return scalar(entry);
    }
    String text = string(entry);
    return full ? text : cut(text);
  }

  private static String cut(String text) {
    if (text.length() <= TEXT_LENGTH) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(TEXT_LENGTH - 1)) ? 1 : 0;
    return text.substring(0, TEXT_LENGTH - end) + "… (" + text.length() + " characters)";
  }

  private static String string(Metadata.Entry entry) {
    try {
      return entry.string();
    } catch (MetadataException e) {
      return "(" + entry.stringLength() + " bytes)";
    }
  }

  private static String scalar(Metadata.Entry entry) {
    return switch (entry.type()) {
      case BOOL -> Boolean.toString(entry.bool());
      case FLOAT32 -> Float.toString((float) entry.number());
      case FLOAT64 -> Double.toString(entry.number());
      default -> integer(entry.bits(), entry.type());
    };
  }

  private static void list(StringBuilder into, MetadataArray array, long limit, int depth) {
    if (isUnreadable(array) || depth == DEEPEST) {
      into.append("[…]");
      return;
    }
    into.append('[');
    long shown = Math.min(limit, array.count());
    for (long i = 0; i < shown; i++) {
      into.append(i == 0 ? "" : ", ");
      if (array.elementType() == ValueType.ARRAY) {
        list(into, array.arrayAt(i), limit, depth + 1);
      } else if (array.elementType() == ValueType.STRING) {
        into.append('"')
            .append(limit == Long.MAX_VALUE ? array.stringAt(i) : cut(array.stringAt(i)));
        into.append('"');
      } else {
        into.append(element(array, i));
      }
    }
    into.append(shown < array.count() ? ", …]" : "]");
  }

  private static String element(MetadataArray array, long index) {
    return switch (array.elementType()) {
      case BOOL -> Boolean.toString(array.integerAt(index) != 0);
      case FLOAT32 -> Float.toString((float) array.numberAt(index));
      case FLOAT64 -> Double.toString(array.numberAt(index));
      default -> integer(array.integerAt(index), array.elementType());
    };
  }

  private static String integer(long bits, ValueType type) {
    return type == ValueType.UINT64 ? Long.toUnsignedString(bits) : Long.toString(bits);
  }

  /// Writes one value in full for a terminal: the lines of a string as lines, the elements of a
  /// list one a line.
  static void whole(TextWriter text, Metadata.Entry entry) {
    if (entry.type() == ValueType.STRING) {
      for (String line : string(entry).split("\n", -1)) {
        text.line(line);
      }
    } else if (isFlat(entry)) {
      MetadataArray array = entry.array();
      for (long i = 0; i < array.count(); i++) {
        text.line(array.elementType() == ValueType.STRING ? array.stringAt(i) : element(array, i));
      }
    } else {
      text.line(value(entry, true));
    }
  }

  /// Writes one value alone for another program: a string byte for byte, without a line feed; the
  /// elements of a list one a line; a number or a bool as a line.
  static void raw(OutputStream out, Metadata.Entry entry) throws IOException {
    if (entry.type() == ValueType.STRING) {
      out.write(entry.bytes());
    } else if (isFlat(entry) && entry.array().elementType() == ValueType.STRING) {
      MetadataArray array = entry.array();
      for (long i = 0; i < array.count(); i++) {
        out.write(array.bytesAt(i));
        out.write('\n');
      }
    } else if (isFlat(entry)) {
      MetadataArray array = entry.array();
      StringBuilder lines = new StringBuilder();
      for (long i = 0; i < array.count(); i++) {
        lines.append(element(array, i)).append('\n');
      }
      out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
    } else {
      out.write((value(entry, true) + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private static boolean isFlat(Metadata.Entry entry) {
    return entry.type() == ValueType.ARRAY
        && entry.array().elementType() != ValueType.ARRAY
        && !isUnreadable(entry.array());
  }
}
