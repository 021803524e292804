package dev.gguf.mapping.checkpoint;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One parameter of a checkpoint: name, dtype, shape, and where its bytes are.
public final class CheckpointParameter {
  private final String name;
  private final Dtype dtype;
  private final String dtypeName;
  private final long[] shape;
  private final long elements;
  private final Safetensors file;
  private final long begin;
  private final long bytes;
  @Nullable CheckpointParameter scale;
  long @Nullable [] scaleBlock;

  CheckpointParameter(
      String name,
      Dtype dtype,
      String dtypeName,
      long[] shape,
      long elements,
      Safetensors file,
      long begin,
      long bytes) {
    this.name = name;
    this.dtype = dtype;
    this.dtypeName = dtypeName;
    this.shape = shape;
    this.elements = elements;
    this.file = file;
    this.begin = begin;
    this.bytes = bytes;
  }

  /// Returns the name, such as `model.layers.0.self_attn.kv_b_proj.weight`.
  public String name() {
    return name;
  }

  /// Returns how the elements are stored.
  public Dtype dtype() {
    return dtype;
  }

  /// Returns the dtype's name as the file writes it, also where it is not known here.
  public String dtypeName() {
    return dtypeName;
  }

  /// Returns a copy of the dimensions in row-major order, slowest axis first; empty for a scalar.
  public long[] shape() {
    return shape.clone();
  }

  /// Returns how many dimensions there are.
  public int dimensions() {
    return shape.length;
  }

  /// Returns a dimension, 0 the slowest.
  public long dimension(int axis) {
    return shape[axis];
  }

  /// Returns the number of elements.
  public long elements() {
    return elements;
  }

  /// Returns the length of a row, which is the last dimension; 1 for a scalar.
  public long rowLength() {
    return shape.length == 0 ? 1 : shape[shape.length - 1];
  }

  /// Returns the number of rows through all dimensions.
  public long rows() {
    return rowLength() == 0 ? 0 : elements / rowLength();
  }

  /// Returns the size of the data in bytes.
  public long bytes() {
    return bytes;
  }

  /// Returns the file that holds the parameter.
  public Path path() {
    return file.path();
  }

  /// Returns the absolute byte offset of the data in its file.
  public long fileOffset() {
    return file.dataStart() + begin;
  }

  /// Returns the parameter that holds this one's scales (`…_scale_inv`, `…_scale`), or empty.
  public Optional<CheckpointParameter> scale() {
    return Optional.ofNullable(scale);
  }

  long begin() {
    return begin;
  }

  Safetensors file() {
    return file;
  }

  @Override
  public String toString() {
    return name + " " + dtypeName + " " + Arrays.toString(shape);
  }
}
