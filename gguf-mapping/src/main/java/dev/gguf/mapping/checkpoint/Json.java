package dev.gguf.mapping.checkpoint;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// JSON files within limits: size, depth, and the number of values that a tree may have.
///
/// Python writes `NaN` and `Infinity` into its JSON, and checkpoints have them; both are read.
final class Json {
  private static final int MAX_DEPTH = 64;
  private static final int MAX_VALUES = 2_000_000;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(400)
                  .maxNameLength(64 << 10)
                  .maxStringLength(16 << 20)
                  .build())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private Json() {}

  /// What reads one document from a parser that stands before its first token.
  interface Reader<T> {
    T read(JsonParser parser) throws IOException;
  }

  /// Reads a file.
  ///
  /// @param limit the largest size in bytes
  static <T> T read(Path path, long limit, Reader<T> reader) throws CheckpointException {
    try {
      long size = Files.size(path);
      if (size > limit) {
        throw new CheckpointException(
            path, "has " + size + " bytes; a file of this kind may have at most " + limit);
      }
      try (InputStream in = Files.newInputStream(path)) {
        return read(path, 0, in, reader);
      }
    } catch (CheckpointException e) {
      throw e;
    } catch (NoSuchFileException e) {
      throw new CheckpointException(path, "there is no such file", e);
    } catch (IOException e) {
      throw new CheckpointException(path, "cannot be read: " + e.getMessage(), e);
    }
  }

  /// Reads a stream.
  ///
  /// @param start the offset in the file of the stream's first byte
  static <T> T read(Path path, long start, InputStream in, Reader<T> reader)
      throws CheckpointException {
    try (JsonParser parser = FACTORY.createParser(in)) {
      try {
        T result = reader.read(parser);
        if (parser.nextToken() != null) {
          throw new IOException("something follows the document");
        }
        return result;
      } catch (JacksonException e) {
        throw notJson(path, start, e);
      } catch (IOException e) {
        if (e instanceof CheckpointException known) {
          throw known;
        }
        long offset = parser.currentLocation().getByteOffset();
        throw notJson(path, start, offset, e.getMessage(), e);
      }
    } catch (CheckpointException e) {
      throw e;
    } catch (IOException e) {
      throw new CheckpointException(path, "cannot be read: " + e.getMessage(), e);
    }
  }

  /// Says where it is no JSON, without the words of the parser, which are about its own options.
  private static CheckpointException notJson(Path path, long start, JacksonException cause) {
    JsonLocation at = cause.getLocation();
    String what =
        cause instanceof JsonParseException
            ? "is no JSON"
            : "is not readable JSON: it nests too deep, or a number or name is too large";
    // Of a document inside a binary file lines say nothing.
    String where =
        at == null
            ? ""
            : start == 0
                ? " (at line " + at.getLineNr() + ")"
                : " (at byte " + (start + at.getByteOffset()) + ")";
    return new CheckpointException(path, what + where, cause);
  }

  private static CheckpointException notJson(
      Path path, long start, long offset, @Nullable String reason, IOException cause) {
    String line = reason == null ? "it ends too early" : reason.lines().findFirst().orElse("");
    String where = offset < 0 ? "" : " (at byte " + (start + offset) + ")";
    return new CheckpointException(path, "is not readable JSON: " + line + where, cause);
  }

  /// Reads a whole document: maps, lists, strings, booleans, longs, doubles and nulls. A key that
  /// comes twice has its last value, as Python reads it.
  static @Nullable Object tree(JsonParser parser) throws IOException {
    ArrayDeque<Object> open = new ArrayDeque<>();
    ArrayDeque<String> names = new ArrayDeque<>();
    int values = 0;
    while (true) {
      JsonToken token = parser.nextToken();
      if (token == null) {
        throw new IOException("it ends too early");
      }
      if (token == JsonToken.FIELD_NAME) {
        names.push(parser.currentName());
        continue;
      }
      if (++values > MAX_VALUES) {
        throw new IOException("it has more than " + MAX_VALUES + " values");
      }
      Object value;
      switch (token) {
        case START_OBJECT -> {
          open.push(new LinkedHashMap<String, @Nullable Object>());
          continue;
        }
        case START_ARRAY -> {
          open.push(new ArrayList<@Nullable Object>());
          continue;
        }
        case END_OBJECT, END_ARRAY -> value = open.pop();
        default -> value = scalar(parser, token);
      }
      if (open.isEmpty()) {
        return value;
      }
      add(open.peek(), names, value);
    }
  }

  @SuppressWarnings("unchecked")
  private static void add(Object parent, ArrayDeque<String> names, @Nullable Object value) {
    if (parent instanceof Map<?, ?> map) {
      ((Map<String, @Nullable Object>) map).put(names.pop(), value);
    } else {
      ((List<@Nullable Object>) parent).add(value);
    }
  }

  private static @Nullable Object scalar(JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      default -> throw new IOException("unexpected " + token);
    };
  }

  private static Object integer(JsonParser parser) throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? (Object) parser.getDoubleValue()
        : (Object) parser.getLongValue();
  }

  /// Moves to the next token, which must be the one given.
  static void expect(JsonParser parser, JsonToken token, String what) throws IOException {
    JsonToken seen = parser.nextToken();
    if (seen != token) {
      throw new IOException(what + " is expected, " + (seen == null ? "the end" : seen) + " seen");
    }
  }

  static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
    Object tree = tree(parser);
    if (!(tree instanceof Map<?, ?> map)) {
      throw new IOException("an object is expected at the top");
    }
    @SuppressWarnings("unchecked")
    Map<String, @Nullable Object> object = (Map<String, @Nullable Object>) map;
    return Collections.unmodifiableMap(object);
  }
}
