package dev.gguf.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.gguf.Metadata;
import dev.gguf.ValueType;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Metadata values as people write them on a command line or in a file.
final class KeyValues {
  private KeyValues() {}

  /// The type of a value.
  ///
  /// @param type of the value
  /// @param element of the elements where the value is an array, else null
  record Type(ValueType type, @Nullable ValueType element) {
    static Type of(Metadata.Entry entry) {
      return entry.type() == ValueType.ARRAY
          ? new Type(entry.type(), entry.array().elementType())
          : new Type(entry.type(), null);
    }

    /// Returns the type that a word names: `uint32`, `string`, `int32[]` and so on, in any case.
    ///
    /// @throws CommandException if it names none
    static Type of(String word) {
      String lower = word.toLowerCase(Locale.ROOT);
      boolean array = lower.endsWith("[]");
      String name = array ? lower.substring(0, lower.length() - 2) : lower;
      StringBuilder known = new StringBuilder();
      for (ValueType type : ValueType.values()) {
        if (type == ValueType.ARRAY) {
          continue;
        }
        if (type.label().equals(name)) {
          return array ? new Type(ValueType.ARRAY, type) : new Type(type, null);
        }
        known.append(known.isEmpty() ? "" : ", ").append(type.label());
      }
      throw CommandException.usage(
          word + ": is no type; known are " + known + ", and each with [] for a list");
    }

    @Override
    public String toString() {
      return element == null ? type.label() : element.label() + "[]";
    }
  }

  /// Sets a key to a value written as text: numbers in decimal, `true` or `false`, strings as they
  /// are; lists of numbers with commas, with or without brackets, lists of strings as JSON.
  ///
  /// @throws CommandException if the text is no value of the type
  static void set(Metadata.Builder keys, String key, Type type, String text) {
    ValueType element = type.element();
    if (element == null) {
      scalar(keys, key, type.type(), text);
    } else if (element == ValueType.STRING) {
      keys.strings(key, strings(key, text));
    } else {
      elements(keys, key, element, List.of(bare(text).split(",", -1)));
    }
  }

  /// Sets a key to the content of a file: a string byte for byte, a list one element a line.
  ///
  /// @throws CommandException if the content is no value of the type
  static void set(Metadata.Builder keys, String key, Type type, byte[] content) {
    ValueType element = type.element();
    if (element == null && type.type() == ValueType.STRING) {
      keys.bytes(key, content);
      return;
    }
    String text = new String(content, StandardCharsets.UTF_8);
    if (element == null) {
      scalar(keys, key, type.type(), text.strip());
    } else if (element == ValueType.STRING) {
      keys.byteStrings(key, lines(content));
    } else {
      elements(keys, key, element, text.lines().toList());
    }
  }

  private static List<byte[]> lines(byte[] content) {
    List<byte[]> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < content.length; i++) {
      if (content[i] == '\n') {
        lines.add(java.util.Arrays.copyOfRange(content, start, i));
        start = i + 1;
      }
    }
    if (start < content.length) {
      lines.add(java.util.Arrays.copyOfRange(content, start, content.length));
    }
    return lines;
  }

  private static String bare(String text) {
    String stripped = text.strip();
    return stripped.startsWith("[") && stripped.endsWith("]")
        ? stripped.substring(1, stripped.length() - 1)
        : stripped;
  }

  private static void scalar(Metadata.Builder keys, String key, ValueType type, String text) {
    switch (type) {
      case STRING -> keys.string(key, text);
      case FLOAT32 -> keys.float32(key, single(key, text));
      case FLOAT64 -> keys.float64(key, number(key, text));
      case BOOL -> keys.bool(key, bool(key, text) != 0);
      case ARRAY ->
          throw CommandException.usage(
              key + ": holds lists of lists, which cannot be written on a command line");
      default -> keys.integer(key, type, integer(key, type, text));
    }
  }

  private static void elements(
      Metadata.Builder keys, String key, ValueType type, List<String> texts) {
    List<String> values = texts.size() == 1 && texts.getFirst().isBlank() ? List.of() : texts;
    if (type == ValueType.FLOAT32) {
      float[] floats = new float[values.size()];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = single(key, values.get(i).strip());
      }
      keys.floats(key, floats);
      return;
    }
    if (!type.isInteger() && type != ValueType.BOOL) {
      throw CommandException.usage(key + ": lists of " + type.label() + " cannot be set");
    }
    long[] integers = new long[values.size()];
    for (int i = 0; i < integers.length; i++) {
      String text = values.get(i).strip();
      integers[i] = type == ValueType.BOOL ? bool(key, text) : integer(key, type, text);
    }
    keys.integers(key, type, integers);
  }

  private static long integer(String key, ValueType type, String text) {
    boolean signed = type.label().startsWith("int");
    int bits = 8 * type.bytes();
    BigInteger least = signed ? BigInteger.TWO.pow(bits - 1).negate() : BigInteger.ZERO;
    BigInteger most = BigInteger.TWO.pow(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
    try {
      BigInteger value = new BigInteger(text);
      if (value.compareTo(least) >= 0 && value.compareTo(most) <= 0) {
        return value.longValue();
      }
    } catch (NumberFormatException e) {
      // Told below, with the bounds.
    }
    throw CommandException.usage(
        key + "=" + text + ": expected " + type.label() + ", from " + least + " to " + most);
  }

  /// Not by way of a double, which rounds twice.
  private static float single(String key, String text) {
    float value = (float) number(key, text);
    if (Float.isInfinite(value)) {
      throw CommandException.usage(key + "=" + text + ": is beyond the range of a float32");
    }
    return value;
  }

  private static double number(String key, String text) {
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw CommandException.usage(key + "=" + text + ": expected a finite number");
  }

  private static long bool(String key, String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "1" -> 1;
      case "false", "0" -> 0;
      default -> throw CommandException.usage(key + "=" + text + ": expected true or false");
    };
  }

  private static List<String> strings(String key, String text) {
    List<String> strings = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(text)) {
      boolean array = json.nextToken() == JsonToken.START_ARRAY;
      JsonToken token = json.nextToken();
      while (array && token == JsonToken.VALUE_STRING) {
        strings.add(json.getText());
        token = json.nextToken();
      }
      if (array && token == JsonToken.END_ARRAY && json.nextToken() == null) {
        return strings;
      }
    } catch (IOException e) {
      // Told below, with the form.
    }
    throw CommandException.usage(
        key + ": expected a list of strings in JSON, such as [\"one\",\"two\"]");
  }
}
