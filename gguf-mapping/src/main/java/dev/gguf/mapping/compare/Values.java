package dev.gguf.mapping.compare;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.ParameterValues;
import dev.gguf.mapping.checkpoint.Checkpoint;
import dev.gguf.mapping.checkpoint.CheckpointParameter;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Both sides of a comparison.
///
/// @param names which parameter of the file is which of the checkpoint
/// @param searches how often values have been looked for elsewhere in the checkpoint
record Values(Gguf gguf, Checkpoint checkpoint, NameComparison names, AtomicInteger searches) {
  Values(Gguf gguf, Checkpoint checkpoint, NameComparison names) {
    this(gguf, checkpoint, names, new AtomicInteger());
  }

  /// Returns the checkpoint's parameter of a name in the mapping, or null if it is not there or in
  /// a file that is not there.
  @Nullable CheckpointParameter wanted(String name) {
    String spelled = names.inCheckpoint(name).orElse(null);
    return spelled == null ? null : checkpoint.find(spelled).orElse(null);
  }

  ParameterValues fed(MappedTensors entry, int parameter, long expert) throws GgufException {
    return ParameterValues.of(gguf.metadata(), entry, parameter, expert);
  }

  float[] fed(ParameterValues values, Sample.Range range) throws GgufException {
    float[] part = new float[(int) (range.to() - range.from())];
    values.read(range.from(), part.length, part, 0);
    return part;
  }

  float[] wanted(CheckpointParameter parameter, Sample.Range range) throws GgufException {
    float[] part = new float[(int) (range.to() - range.from())];
    checkpoint.read(parameter, range.from(), part.length, part, 0);
    return part;
  }
}
