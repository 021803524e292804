package dev.gguf.mapping.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Writes safetensors files for tests.
public final class SafetensorsWriter {
  private final StringBuilder header = new StringBuilder("{\"__metadata__\":{\"format\":\"pt\"}");
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();

  private SafetensorsWriter() {}

  public static SafetensorsWriter create() {
    return new SafetensorsWriter();
  }

  public SafetensorsWriter raw(String name, String dtype, byte[] bytes, long... shape) {
    header
        .append(",\"")
        .append(name)
        .append("\":{\"dtype\":\"")
        .append(dtype)
        .append("\",\"shape\":")
        .append(Arrays.toString(shape))
        .append(",\"data_offsets\":[")
        .append(data.size())
        .append(',')
        .append(data.size() + bytes.length)
        .append("]}");
    data.writeBytes(bytes);
    return this;
  }

  public SafetensorsWriter f32(String name, float[] values, long... shape) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return raw(name, "F32", bytes.array(), shape);
  }

  public SafetensorsWriter bf16(String name, float[] values, long... shape) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 2).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putShort((short) (Float.floatToRawIntBits(value) >>> 16));
    }
    return raw(name, "BF16", bytes.array(), shape);
  }

  public byte[] bytes() {
    return file(header + "}", data.toByteArray());
  }

  public Path write(Path path) throws IOException {
    return Files.write(path, bytes());
  }

  static byte[] file(String header, byte[] data) {
    byte[] json = header.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(8 + json.length + data.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(json.length)
        .put(json)
        .put(data)
        .array();
  }
}
