package dev.gguf.cli.render;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import java.io.IOException;

/// Breaks lines where a person or a line-based tool wants them: before every field of the document
/// and every object of a list that is such a field. What is deeper stays on its line.
final class JsonLines implements PrettyPrinter {
  /// Inside the list that is a field of the document.
  private static final int ENTRIES = 2;

  private int depth;

  private void newline(JsonGenerator json, int below) throws IOException {
    if (depth <= below) {
      json.writeRaw('\n');
      for (int i = 0; i < depth; i++) {
        json.writeRaw(' ');
      }
    }
  }

  @Override
  public void writeRootValueSeparator(JsonGenerator json) throws IOException {
    json.writeRaw('\n');
  }

  @Override
  public void writeStartObject(JsonGenerator json) throws IOException {
    if (depth == ENTRIES) {
      newline(json, ENTRIES);
    }
    json.writeRaw('{');
    depth++;
  }

  @Override
  public void writeEndObject(JsonGenerator json, int entries) throws IOException {
    depth--;
    newline(json, 0);
    json.writeRaw('}');
  }

  @Override
  public void writeObjectEntrySeparator(JsonGenerator json) throws IOException {
    json.writeRaw(',');
    newline(json, 1);
  }

  @Override
  public void writeObjectFieldValueSeparator(JsonGenerator json) throws IOException {
    json.writeRaw(':');
  }

  @Override
  public void writeStartArray(JsonGenerator json) throws IOException {
    json.writeRaw('[');
    depth++;
  }

  @Override
  public void writeEndArray(JsonGenerator json, int values) throws IOException {
    depth--;
    json.writeRaw(']');
  }

  @Override
  public void writeArrayValueSeparator(JsonGenerator json) throws IOException {
    json.writeRaw(',');
  }

  @Override
  public void beforeArrayValues(JsonGenerator json) {}

  @Override
  public void beforeObjectEntries(JsonGenerator json) throws IOException {
    newline(json, 1);
  }
}
