package dev.gguf.mapping.testing;

import dev.gguf.TensorType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Builds a small safetensors file for a unit test. Parameters stand in it in the order in which
/// they are added. Not safe for use by several threads.
public final class TestCheckpoint {
  private final StringBuilder header = new StringBuilder("{\"__metadata__\":{\"format\":\"pt\"}");
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();

  private TestCheckpoint() {}

  /// Starts a file without any parameter.
  public static TestCheckpoint create() {
    return new TestCheckpoint();
  }

  /// Adds a parameter from bytes.
  ///
  /// @param name of the parameter, without characters that JSON escapes
  /// @param dtype as the format writes it, such as `F8_E4M3`
  /// @param shape row-major
  public TestCheckpoint bytes(String name, String dtype, byte[] bytes, long... shape) {
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

  /// Adds a parameter of 32-bit floats.
  ///
  /// @param shape row-major
  /// @throws IllegalArgumentException if the shape does not give as many elements
  public TestCheckpoint f32(String name, float[] values, long... shape) {
    return bytes(name, "F32", TestValues.encode(name, TensorType.F32, values, shape), shape);
  }

  /// Adds a parameter of 16-bit brain floats.
  ///
  /// @param shape row-major
  /// @throws IllegalArgumentException if the shape does not give as many elements
  public TestCheckpoint bf16(String name, float[] values, long... shape) {
    return bytes(name, "BF16", TestValues.encode(name, TensorType.BF16, values, shape), shape);
  }

  /// Returns the bytes of the file.
  public byte[] bytes() {
    return file(header + "}", data.toByteArray());
  }

  /// Writes the file.
  ///
  /// @param path the file, or a folder in which it is called `model.safetensors`
  /// @return the file
  /// @throws IOException if writing fails
  public Path write(Path path) throws IOException {
    Path file = Files.isDirectory(path) ? path.resolve("model.safetensors") : path;
    return Files.write(file, bytes());
  }

  /// Returns a file with a header as it is given, right or wrong.
  ///
  /// @param header the JSON text
  /// @param data what follows it
  public static byte[] file(String header, byte[] data) {
    byte[] json = header.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(8 + json.length + data.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(json.length)
        .put(json)
        .put(data)
        .array();
  }
}
