package dev.gguf.cli.render;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Writes one JSON document, safe for a terminal: C0, C1 and bidirectional controls are escaped.
///
/// Fields are written in the order of the calls. A value that cannot be known is a null, never left
/// out. Entries of the outermost lists stand on lines of their own.
public final class JsonWriter {
  private final JsonGenerator json;

  JsonWriter(OutputStream out, String schema) {
    try {
      JsonFactory factory = JsonFactory.builder().build();
      json = factory.createGenerator(out, JsonEncoding.UTF8);
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
      json.setCharacterEscapes(new TerminalEscapes());
      json.setPrettyPrinter(new JsonLines());
      json.writeStartObject();
      json.writeStringField("schema", schema);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Escapes what [Safe] escapes, in JSON's own way, so that the value stays what it is.
  private static final class TerminalEscapes extends CharacterEscapes {
    private static final long serialVersionUID = 1L;

    private final int[] ascii = standardAsciiEscapesForJSON();

    TerminalEscapes() {
      ascii[0x7f] = ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return ascii;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int c) {
      return Safe.isUnsafe(c) ? new SerializedString(Safe.unicodeEscape(c)) : null;
    }
  }

  @FunctionalInterface
  private interface Step {
    void write() throws IOException;
  }

  private JsonWriter step(Step step) {
    try {
      step.write();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Starts an object as the next value.
  public JsonWriter object() {
    return step(json::writeStartObject);
  }

  /// Starts an object as a field's value.
  public JsonWriter object(String name) {
    return name(name).object();
  }

  /// Ends the object.
  public JsonWriter endObject() {
    return step(json::writeEndObject);
  }

  /// Starts a list as the next value.
  public JsonWriter array() {
    return step(json::writeStartArray);
  }

  /// Starts a list as a field's value.
  public JsonWriter array(String name) {
    return name(name).array();
  }

  /// Ends the list.
  public JsonWriter endArray() {
    return step(json::writeEndArray);
  }

  /// Writes the name of a field; its value comes next.
  public JsonWriter name(String name) {
    return step(() -> json.writeFieldName(name));
  }

  /// Writes a string or null as the next value. Halves of surrogate pairs become U+FFFD.
  public JsonWriter value(@Nullable String text) {
    return step(() -> {
      if (text == null) {
        json.writeNull();
      } else {
        json.writeString(paired(text));
      }
    });
  }

  /// Writes an integer as the next value.
  public JsonWriter value(long number) {
    return step(() -> json.writeNumber(number));
  }

  /// Writes an integer of unsigned 64 bits as the next value.
  public JsonWriter unsigned(long bits) {
    return step(() -> {
      if (bits >= 0) {
        json.writeNumber(bits);
      } else {
        json.writeNumber(new BigInteger(Long.toUnsignedString(bits)));
      }
    });
  }

  /// Writes a number as the next value; NaN and the infinities as the strings `NaN`, `Infinity` and
  /// `-Infinity`.
  public JsonWriter value(double number) {
    return step(() -> {
      if (Double.isFinite(number)) {
        json.writeNumber(number);
      } else {
        json.writeString(Double.toString(number));
      }
    });
  }

  /// Writes a number of single precision as the next value, with the digits that single precision
  /// has; NaN and the infinities as strings.
  public JsonWriter value(float number) {
    return step(() -> {
      if (Float.isFinite(number)) {
        json.writeNumber(number);
      } else {
        json.writeString(Float.toString(number));
      }
    });
  }

  /// Writes true or false as the next value.
  public JsonWriter value(boolean truth) {
    return step(() -> json.writeBoolean(truth));
  }

  /// Writes null as the next value.
  public JsonWriter nothing() {
    return step(json::writeNull);
  }

  /// Writes a field with a string or null.
  public JsonWriter field(String name, @Nullable String text) {
    return name(name).value(text);
  }

  /// Writes a field with an integer.
  public JsonWriter field(String name, long number) {
    return name(name).value(number);
  }

  /// Writes a field with an integer, or null where there is none.
  public JsonWriter field(String name, OptionalLong number) {
    return number.isPresent() ? field(name, number.getAsLong()) : name(name).nothing();
  }

  /// Writes a field with an integer, or null where there is none.
  public JsonWriter field(String name, OptionalInt number) {
    return number.isPresent() ? field(name, number.getAsInt()) : name(name).nothing();
  }

  /// Writes a field with a number; NaN and the infinities as strings.
  public JsonWriter field(String name, double number) {
    return name(name).value(number);
  }

  /// Writes a field with true or false.
  public JsonWriter field(String name, boolean truth) {
    return name(name).value(truth);
  }

  /// Writes a field with a list of integers.
  public JsonWriter field(String name, long[] numbers) {
    array(name);
    for (long number : numbers) {
      value(number);
    }
    return endArray();
  }

  /// Writes a field with a list of strings.
  public JsonWriter field(String name, Iterable<String> texts) {
    array(name);
    for (String text : texts) {
      value(text);
    }
    return endArray();
  }

  /// Writes a field with text from a file and, where its bytes are not UTF-8, a field `…Base64`
  /// with the exact bytes.
  ///
  /// @param base64 the bytes in base64, or null where the text is all there is
  public JsonWriter field(String name, String text, @Nullable String base64) {
    field(name, text);
    return base64 == null ? this : field(name + "Base64", base64);
  }

  void finish() throws IOException {
    json.writeEndObject();
    json.writeRaw('\n');
    json.flush();
  }

  private static String paired(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return new String(
            text.getBytes(java.nio.charset.StandardCharsets.UTF_16BE),
            java.nio.charset.StandardCharsets.UTF_16BE);
      }
    }
    return text;
  }
}
