package dev.gguf.mapping;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.quant.TensorValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The values of one parameter of the target, rebuilt from the tensors that hold them: decoded, and
/// with the transforms of its mapping applied.
///
/// Elements are in row-major order of the parameter's [#shape()]; a row is its last axis. Nothing
/// but the range asked for is decoded, except where a transform needs more: `transpose` decodes the
/// columns that become the rows, `join-kv-b` the keys of a head. Needs scratch memory of one head
/// or a few rows. Safe to share between threads, as long as the model is open.
public final class ParameterValues {
  private final String name;
  private final long[] shape;
  private final long elements;
  private final MappedTensors entry;
  private final ValueSource source;

  private ParameterValues(
      String name, long[] shape, long elements, MappedTensors entry, ValueSource source) {
    this.name = name;
    this.shape = shape;
    this.elements = elements;
    this.entry = entry;
    this.source = new ValueSource.Checked(source, elements);
  }

  /// Returns the values of a parameter, or empty if the mapping feeds none of this name.
  ///
  /// @param name of one parameter, written out: `model.layers.3.mlp.experts.17.up_proj.weight`; of
  ///   one that the checkpoint holds packed as `NAME_blocks` and `NAME_scales`, `NAME` is its
  ///   decoded values
  /// @throws GgufException if a tensor cannot be decoded or lies outside its file, or its
  ///   dimensions do not give the parameter's
  public static Optional<ParameterValues> find(Gguf gguf, Mapping mapping, String name)
      throws GgufException {
    MappedTensors entry = mapping.ofParameter(name).orElse(null);
    if (entry == null) {
      return unpacked(mapping, name);
    }
    for (int i = 0; i < entry.parameters().size(); i++) {
      Parameter parameter = entry.parameters().get(i);
      for (long expert = 0; expert < parameter.count(); expert++) {
        if (parameter.name(expert).equals(name)) {
          return Optional.of(of(gguf.metadata(), entry, i, expert));
        }
      }
    }
    return Optional.empty();
  }

  /// Returns the decoded values of a parameter that the checkpoint holds packed, as `NAME_blocks`
  /// and `NAME_scales`: what transformers makes of them, input and output exchanged.
  private static Optional<ParameterValues> unpacked(Mapping mapping, String name)
      throws GgufException {
    MappedTensors entry = mapping.ofParameter(name.concat("_blocks")).orElse(null);
    if (entry == null || !entry.transforms().contains(Transform.REPACK)) {
      return Optional.empty();
    }
    Tensor first = entry.sources().getFirst();
    long rows = Math.multiplyExact(first.ne(1), (long) entry.sources().size());
    long[] shape = {first.ne(2), first.ne(0), rows};
    List<ValueSource> sources = new ArrayList<>();
    for (Tensor tensor : entry.sources()) {
      if (!Arrays.equals(tensor.ne(), first.ne())) {
        throw mismatch(entry, name, "their dimensions differ");
      }
      sources.add(new ValueSource.OfTensor(TensorValues.of(tensor)));
    }
    ValueSource turned =
        new ValueSource.Transposed(
            new ValueSource.OfRows(
                Repacked.order(rows * first.ne(2), sources.size()), sources, first.ne(0)),
            shape[1],
            shape[2]);
    return Optional.of(new ParameterValues(name, shape, product(shape), entry, turned));
  }

  /// Returns the values of a parameter of an entry.
  ///
  /// @param metadata of the model
  /// @param parameter index into [MappedTensors#parameters()]
  /// @param expert for a range which of its parameters, else 0
  /// @throws GgufException if a tensor cannot be decoded or lies outside its file, or its
  ///   dimensions do not give the parameter's
  public static ParameterValues of(
      Metadata metadata, MappedTensors entry, int parameter, long expert) throws GgufException {
    Parameter target = entry.parameters().get(parameter);
    Objects.checkIndex(expert, target.count());
    long[] shape = target.shape();
    long elements = product(shape);
    String name = target.name(expert);
    ValueSource source = source(metadata, entry, parameter, expert, shape, elements, name);
    return new ParameterValues(name, shape, elements, entry, source);
  }

  private static long product(long[] shape) {
    long product = 1;
    for (long n : shape) {
      product = Math.multiplyExact(product, n);
    }
    return product;
  }

  private static ValueSource source(
      Metadata metadata,
      MappedTensors entry,
      int parameter,
      long expert,
      long[] shape,
      long elements,
      String name)
      throws GgufException {
    List<Transform> transforms = entry.transforms();
    ValueSource source;
    if (transforms.contains(Transform.JOIN_KV_B)) {
      source = joined(metadata, entry);
    } else if (transforms.contains(Transform.REPACK)) {
      source = Repacked.of(entry, name, elements);
    } else {
      source = rows(entry, parameter, expert, elements, name);
    }
    for (Transform transform : transforms) {
      source =
          switch (transform) {
            case TRANSPOSE -> transposed(source, entry, shape);
            case MINUS_ONE -> new ValueSource.MinusOne(source);
            case LOG_NEGATIVE -> new ValueSource.LogNegative(source);
            default -> source;
          };
    }
    return source;
  }

  /// Exchanges the last two axes: those of the parameter, or of its tensor where the matrices
  /// become rows of one only after that.
  private static ValueSource transposed(ValueSource source, MappedTensors entry, long[] shape) {
    if (entry.transforms().contains(Transform.RESHAPE)) {
      Tensor tensor = entry.sources().getFirst();
      return new ValueSource.Transposed(source, tensor.ne(0), tensor.ne(1));
    }
    return new ValueSource.Transposed(source, shape[shape.length - 2], shape[shape.length - 1]);
  }

  private static ValueSource rows(
      MappedTensors entry, int parameter, long expert, long elements, String name)
      throws GgufException {
    List<Tensor> tensors = entry.sources();
    RowOrder order = entry.rows(parameter, expert).orElse(null);
    if (order == null) {
      throw mismatch(entry, name, "the metadata do not say which of their rows belong to it");
    }
    Tensor first = tensors.getFirst();
    long length = order.isElements() ? 1 : rowLength(first);
    List<ValueSource> sources = new ArrayList<>();
    for (Tensor tensor : tensors) {
      if (!order.isElements() && rowLength(tensor) != length) {
        throw mismatch(entry, name, "their rows differ in length");
      }
      sources.add(new ValueSource.OfTensor(TensorValues.of(tensor)));
    }
    if (order.isColumns()) {
      if (order.count() != first.ne(0) || first.elements() != elements) {
        throw mismatch(entry, name, first.elements() + " elements, " + elements + " are needed");
      }
      return new ValueSource.OfColumns(
          order, Math.toIntExact(order.count()), sources.get(order.source(0)));
    }
    if (Math.multiplyExact(order.count(), length) != elements) {
      throw mismatch(
          entry, name, order.count() + " rows of " + length + " make no " + elements + " elements");
    }
    return new ValueSource.OfRows(order, sources, length);
  }

  /// Returns the elements of a tensor's row; those with one dimension have rows of one element.
  private static long rowLength(Tensor tensor) {
    return tensor.dimensions() < 2 ? 1 : tensor.ne(0);
  }

  private static ValueSource joined(Metadata metadata, MappedTensors entry) throws GgufException {
    Tensor keys = entry.sources().getFirst();
    Tensor values = entry.sources().getLast();
    KvBProjection sizes;
    try {
      sizes = KvBProjection.from(metadata);
    } catch (RuntimeException e) {
      throw new GgufException(keys.file().path() + ": " + e.getMessage(), e);
    }
    if (!sizes.isKey(keys) || !sizes.isValue(values)) {
      throw mismatch(entry, entry.parameters().getFirst().name(), "the metadata say " + sizes);
    }
    return new ValueSource.Joined(
        sizes,
        new ValueSource.OfTensor(TensorValues.of(keys)),
        new ValueSource.OfTensor(TensorValues.of(values)));
  }

  static GgufException mismatch(MappedTensors entry, String name, String why) {
    Tensor first = entry.sources().getFirst();
    return new GgufException(
        first.file().path() + ": " + name + " cannot be made from " + entry.sources() + ": " + why);
  }

  /// Returns the parameter's name.
  public String name() {
    return name;
  }

  /// Returns a copy of the row-major shape.
  public long[] shape() {
    return shape.clone();
  }

  /// Returns the number of elements.
  public long elements() {
    return elements;
  }

  /// Returns the length of a row, which is the last axis; 1 for a parameter without axes.
  public long rowLength() {
    return shape.length == 0 ? 1 : shape[shape.length - 1];
  }

  /// Returns the number of rows, through all axes but the last.
  public long rows() {
    return rowLength() == 0 ? 0 : elements / rowLength();
  }

  /// Returns the tensors that hold the parameter and how they become it.
  public MappedTensors entry() {
    return entry;
  }

  /// Returns how far the values may be from those of the checkpoint, by the coarsest type among the
  /// tensors.
  public Tolerance tolerance() {
    Tolerance tolerance = Tolerance.of(entry.sources().getFirst().type());
    for (Tensor tensor : entry.sources()) {
      tolerance = tolerance.or(Tolerance.of(tensor.type()));
    }
    List<Transform> transforms = entry.transforms();
    return transforms.contains(Transform.MINUS_ONE) || transforms.contains(Transform.LOG_NEGATIVE)
        ? tolerance.nearOne()
        : tolerance;
  }

  /// Reads elements.
  ///
  /// @param from first element
  /// @param count how many
  /// @param into receives them, from index `at` on
  /// @throws GgufException if a file shrank since it was opened
  /// @throws IndexOutOfBoundsException if the range is not within the parameter or the array
  public void read(long from, int count, float[] into, int at) throws GgufException {
    source.read(from, count, into, at);
  }

  /// Reads rows.
  ///
  /// @param from first row
  /// @param to row after the last
  /// @param into receives them, from index `at` on
  /// @throws GgufException if a file shrank since it was opened
  /// @throws IndexOutOfBoundsException if the range is not within the parameter or the array
  public void rows(long from, long to, float[] into, int at) throws GgufException {
    Objects.checkFromToIndex(from, to, rows());
    read(from * rowLength(), Math.toIntExact((to - from) * rowLength()), into, at);
  }

  /// Reads the whole parameter.
  ///
  /// @throws GgufException if a file shrank since it was opened
  /// @throws IllegalStateException if it has more elements than an array can have
  public float[] all() throws GgufException {
    if (elements > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(name + " has " + elements + " elements; read it in parts");
    }
    float[] all = new float[(int) elements];
    read(0, all.length, all, 0);
    return all;
  }

  @Override
  public String toString() {
    return name + " " + Arrays.toString(shape);
  }
}
