package dev.gguf.mapping.checkpoint;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The scales of 8-bit checkpoints. `X_scale_inv` (DeepSeek's form) has one factor for each block
/// of rows and columns of X, 128 by 128 unless the config says otherwise; `X_scale` has one factor
/// for the whole parameter, for each row, or for each block. A value is its 8-bit float times its
/// factor, in 32 bits.
final class Scales {
  private static final String[] SUFFIXES = {"_scale_inv", "_scale"};
  private static final long USUAL_BLOCK = 128;

  private Scales() {}

  /// Returns the parameters that are not scales, those of 8 bits with theirs.
  static Map<String, CheckpointParameter> attach(
      Map<String, CheckpointParameter> all, @Nullable ModelConfig config)
      throws CheckpointException {
    Map<String, CheckpointParameter> parameters = new LinkedHashMap<>(all);
    for (CheckpointParameter parameter : all.values()) {
      if (!parameter.dtype().isFloat8()) {
        continue;
      }
      for (String suffix : SUFFIXES) {
        CheckpointParameter scale = all.get(parameter.name() + suffix);
        if (scale != null) {
          parameter.scale = scale;
          parameter.scaleBlock = block(parameter, scale, config);
          parameters.remove(scale.name());
          break;
        }
      }
    }
    return parameters;
  }

  /// Returns how many rows and columns share a factor.
  private static long[] block(
      CheckpointParameter parameter, CheckpointParameter scale, @Nullable ModelConfig config)
      throws CheckpointException {
    int dimensions = parameter.dimensions();
    long rows = dimensions < 2 ? 1 : parameter.dimension(dimensions - 2);
    long columns = parameter.rowLength();
    if (!scale.dtype().isReadable()) {
      throw new CheckpointException(
          scale.path(), scale.name() + " is " + scale.dtypeName() + "; floats are expected");
    }
    long matrices = rows * columns == 0 ? 0 : parameter.elements() / (rows * columns);
    if (scale.elements() == 1) {
      return new long[] {Math.max(1, rows), Math.max(1, columns), 0};
    }
    long[] configured = configured(config);
    for (long[] block :
        new long[][] {
          configured == null ? new long[] {USUAL_BLOCK, USUAL_BLOCK} : configured,
          {USUAL_BLOCK, USUAL_BLOCK},
          {1, Math.max(1, columns)}
        }) {
      long factors = ceil(rows, block[0]) * ceil(columns, block[1]);
      if (factors * matrices == scale.elements() && endsWith(scale, rows, columns, block)) {
        return new long[] {block[0], block[1], 1};
      }
    }
    throw new CheckpointException(
        scale.path(),
        scale.name()
            + " has the shape "
            + Arrays.toString(scale.shape())
            + ", which gives "
            + parameter.name()
            + " of shape "
            + Arrays.toString(parameter.shape())
            + " neither one factor, nor one for each row, nor one for each block of "
            + (configured == null ? "128 by 128" : configured[0] + " by " + configured[1]));
  }

  private static boolean endsWith(
      CheckpointParameter scale, long rows, long columns, long[] block) {
    int dimensions = scale.dimensions();
    long last = scale.rowLength();
    if (last == ceil(columns, block[1])) {
      return dimensions < 2 || scale.dimension(dimensions - 2) == ceil(rows, block[0]);
    }
    // One factor for each row, without the axis of length 1.
    return ceil(columns, block[1]) == 1 && last == ceil(rows, block[0]);
  }

  private static long @Nullable [] configured(@Nullable ModelConfig config) {
    ModelConfig section =
        config == null ? null : config.section("quantization_config").orElse(null);
    if (section == null || !section.has("weight_block_size")) {
      return null;
    }
    try {
      long[] block = section.integers("weight_block_size");
      return block.length == 2 && block[0] > 0 && block[1] > 0 ? block : null;
    } catch (ConfigException e) {
      return null;
    }
  }

  private static long ceil(long n, long by) {
    return n / by + (n % by == 0 ? 0 : 1);
  }

  /// Multiplies decoded elements with their factors.
  static void apply(CheckpointParameter parameter, long from, int count, float[] into, int at)
      throws CheckpointException {
    CheckpointParameter scale = parameter.scale;
    long[] block = parameter.scaleBlock;
    if (scale == null || block == null) {
      return;
    }
    int dimensions = parameter.dimensions();
    long rows = dimensions < 2 ? 1 : parameter.dimension(dimensions - 2);
    long columns = parameter.rowLength();
    long perRow = ceil(columns, block[1]);
    long perMatrix = block[2] == 0 ? 0 : ceil(rows, block[0]) * perRow;
    float[] factors = new float[0];
    long loaded = -1;
    for (int done = 0; done < count; ) {
      long element = from + done;
      long row = element / columns;
      long column = element % columns;
      long factorRow = row / rows * perMatrix + row % rows / block[0] * perRow;
      if (factorRow != loaded) {
        factors = factors.length == 0 ? new float[Math.toIntExact(perRow)] : factors;
        Checkpoint.decode(scale, factorRow, (int) perRow, factors, 0);
        loaded = factorRow;
      }
      long blockEnd = Math.min(columns, (column / block[1] + 1) * block[1]);
      int run = (int) Math.min(count - done, blockEnd - column);
      float factor = factors[(int) (column / block[1])];
      for (int i = 0; i < run; i++) {
        into[at + done + i] *= factor;
      }
      done += run;
    }
  }
}
