package dev.gguf.cli;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Tensor;
import dev.gguf.mapping.MapOptions;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.Parameter;
import dev.gguf.mapping.ParameterValues;
import dev.gguf.mapping.Target;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of a parameter, rebuilt from the tensors that hold it.
final class ParameterSource implements ValueSource {
  private final ParameterValues values;
  private final long first;
  private final long rows;
  private final long[] shape;

  private ParameterSource(ParameterValues values, long first, long rows, long[] shape) {
    this.values = values;
    this.first = first;
    this.rows = rows;
    this.shape = shape;
  }

  /// Returns what is asked for of a parameter.
  ///
  /// @param name as the checkpoint or transformers writes it; with a range such as `{0..7}` if an
  ///   expert is given
  /// @param range `A..B` or one number, counted through the whole parameter or the expert; B is
  ///   included. Null for all
  /// @param expert which parameter of a range, or which matrix of the slowest axis, or -1
  /// @throws GgufException if a tensor cannot be decoded
  /// @throws CommandException if there is no such parameter, or there are no such rows
  static ParameterSource of(Gguf gguf, String name, @Nullable String range, long expert)
      throws GgufException {
    NameMap map = NameMap.forArchitecture(gguf.architecture().orElse("")).orElse(null);
    if (map == null) {
      throw CommandException.failure(
          "there is no map of "
              + gguf.architecture().orElse("a file without an architecture")
              + ", so nothing says which tensors hold a parameter");
    }
    Mapping mapping = map.map(gguf.metadata(), gguf.tensors(), Target.HF, MapOptions.WITH_MTP);
    String single = single(mapping, name, expert);
    ParameterValues values = ParameterValues.find(gguf, mapping, single).orElse(null);
    if (values == null) {
      Mapping saved =
          map.map(gguf.metadata(), gguf.tensors(), Target.TRANSFORMERS, MapOptions.WITH_MTP);
      values = ParameterValues.find(gguf, saved, name).orElse(null);
    }
    if (values == null) {
      throw CommandException.failure("no tensor feeds a parameter " + name + near(mapping, name));
    }
    return of(values, range, single.equals(name) ? expert : -1);
  }

  /// Returns the name of one parameter where a range of them is named.
  private static String single(Mapping mapping, String name, long expert) {
    MappedTensors entry = mapping.ofParameter(name).orElse(null);
    if (entry != null) {
      for (Parameter parameter : entry.parameters()) {
        if (parameter.isRange() && parameter.name().equals(name)) {
          if (expert < 0 || expert >= parameter.count()) {
            throw CommandException.failure(
                name + ": choose one with --expert, 0 to " + (parameter.count() - 1));
          }
          return parameter.name(expert);
        }
      }
    }
    return name;
  }

  private static String near(Mapping mapping, String name) {
    List<String> names = new ArrayList<>();
    for (MappedTensors entry : mapping.mapped()) {
      for (Parameter parameter : entry.parameters()) {
        names.add(parameter.name());
      }
    }
    String near = Nearest.to(name, names);
    return near == null ? "" : "; did you mean " + near + "?";
  }

  private static ParameterSource of(ParameterValues values, @Nullable String range, long expert) {
    long first = 0;
    long rows = values.rows();
    long[] shape = values.shape();
    String of = values.name();
    if (expert >= 0) {
      if (shape.length < 3) {
        throw CommandException.failure(of + " is one matrix, there are no experts to choose from");
      }
      if (expert >= shape[0]) {
        throw CommandException.failure(
            of + " has the experts 0 to " + (shape[0] - 1) + ", not " + expert);
      }
      rows /= shape[0];
      first = expert * rows;
      long[] inner = new long[shape.length - 1];
      System.arraycopy(shape, 1, inner, 0, inner.length);
      shape = inner;
      of = "expert " + expert + " of " + of;
    }
    if (range != null) {
      long[] ends = ValueSource.ends(range);
      if (ends[1] >= rows) {
        throw CommandException.failure(
            of + " has the rows 0 to " + (rows - 1) + ", not " + ends[1]);
      }
      first += ends[0];
      rows = ends[1] - ends[0] + 1;
      shape = new long[] {rows, values.rowLength()};
    }
    return new ParameterSource(values, first, rows, shape);
  }

  @Override
  public String name() {
    return values.name();
  }

  @Override
  public String label() {
    return "parameter";
  }

  @Override
  public List<String> sources() {
    return values.entry().sources().stream().map(Tensor::name).toList();
  }

  @Override
  public String transform() {
    return values.entry().transform();
  }

  @Override
  public String type() {
    return values.tolerance().type().name();
  }

  @Override
  public long[] shape() {
    return shape.clone();
  }

  @Override
  public long count() {
    return rows * values.rowLength();
  }

  @Override
  public void read(long from, int count, float[] target) throws GgufException {
    values.read(first * values.rowLength() + from, count, target, 0);
  }
}
