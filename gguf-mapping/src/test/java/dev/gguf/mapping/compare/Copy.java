package dev.gguf.mapping.compare;

import dev.gguf.Gguf;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import dev.gguf.quant.TensorValues;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// A copy of a GGUF file with something about it changed.
final class Copy {
  private final Gguf from;
  private final Map<String, byte[]> data = new HashMap<>();
  private final Map<String, long[]> ne = new HashMap<>();
  private final Set<String> dropped = new HashSet<>();
  private final List<Tensor> order;

  Copy(Gguf from) {
    this.from = from;
    this.order = new ArrayList<>(from.tensors());
  }

  Tensor tensor(String name) {
    return from.find(name).orElseThrow();
  }

  byte[] bytes(String name) throws IOException {
    byte[] changed = data.get(name);
    return changed != null ? changed : tensor(name).data().toArray(ValueLayout.JAVA_BYTE);
  }

  Copy swap(String one, String other) throws IOException {
    byte[] bytes = bytes(one);
    data.put(one, bytes(other));
    data.put(other, bytes);
    return this;
  }

  Copy replace(String name, byte[] bytes) {
    data.put(name, bytes);
    return this;
  }

  Copy shape(String name, long... dimensions) {
    ne.put(name, dimensions);
    return this;
  }

  Copy drop(String name) {
    dropped.add(name);
    return this;
  }

  Copy reversed() {
    Collections.reverse(order);
    return this;
  }

  /// Changes the values of a tensor of 32-bit floats.
  Copy floats(String name, UnaryOperator<float[]> change) throws IOException {
    Tensor tensor = tensor(name);
    if (!tensor.type().equals(TensorType.F32)) {
      throw new IllegalArgumentException(tensor.toString());
    }
    return replace(name, little(change.apply(values(name))));
  }

  float[] values(String name) throws IOException {
    TensorValues values = TensorValues.of(tensor(name));
    float[] all = new float[(int) tensor(name).elements()];
    values.rows(0, values.rows(), all, 0);
    return all;
  }

  static byte[] little(float[] values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bytes.array();
  }

  void write(Path to) throws IOException {
    write(to, from.metadata());
  }

  void write(Path to, Metadata metadata) throws IOException {
    GgufWriter writer = GgufWriter.of(metadata);
    for (Tensor tensor : order) {
      if (!dropped.contains(tensor.name())) {
        writer.tensor(
            tensor.name(),
            tensor.type(),
            TensorData.of(bytes(tensor.name())),
            ne.getOrDefault(tensor.name(), tensor.ne()));
      }
    }
    writer.write(to);
  }
}
