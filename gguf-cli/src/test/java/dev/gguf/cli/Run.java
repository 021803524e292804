package dev.gguf.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A call of the command in this process, and what came of it.
final class Run {
  /// The committed models, as seen from where the tests run.
  static final String TESTDATA = "../testdata/";

  static final String MINI = TESTDATA + "glm-dsa-mini.gguf";

  private final int status;
  private final byte[] bytes;
  private final String err;

  private Run(int status, byte[] bytes, String err) {
    this.status = status;
    this.bytes = bytes;
    this.err = err;
  }

  static Run gguf(String... args) {
    return of(false, false, args);
  }

  static Run onTerminal(boolean mayColour, String... args) {
    return of(true, mayColour, args);
  }

  private static Run of(boolean terminal, boolean mayColour, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status = Main.run(args, new Environment(out, err, terminal, terminal, mayColour));
    return new Run(status, out.toByteArray(), err.toString(UTF_8));
  }

  int status() {
    return status;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  String err() {
    return err;
  }

  String out() {
    return new String(bytes, UTF_8);
  }

  /// Returns the answer as maps, lists and values; fails unless it is one JSON document.
  @SuppressWarnings("unchecked")
  Map<String, Object> json() {
    try (JsonParser parser = new JsonFactory().createParser(bytes)) {
      parser.nextToken();
      Object document = value(parser);
      if (parser.nextToken() != null) {
        throw new AssertionError("more than one document");
      }
      return (Map<String, Object>) document;
    } catch (IOException e) {
      throw new UncheckedIOException(out(), e);
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          if (fields.put(name, value(parser)) != null) {
            throw new AssertionError(name + " twice");
          }
        }
        yield fields;
      }
      case START_ARRAY -> {
        List<Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          values.add(value(parser));
        }
        yield values;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }
}
