package dev.gguf.mapping.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The settings of a launch, as far as they decide whether a model loads.
///
/// @param engineVersion the release, or empty for the one that an engine's profile stands for
/// @param tensorParallel ranks that share every layer, 1 or more
/// @param expertParallel whether experts are shared out whole instead of cut
/// @param dtype activation type as the engine names it: `auto`, `float16`, `bfloat16`, `float32`
/// @param kvCacheDtype type of the cache as the engine names it: `auto`, `fp8`, …
/// @param capability compute capability of the device such as `12.0`, or empty if not known
/// @param gpuMemory memory of one device in bytes, or 0 if not known
/// @param utilization share of it that the engine may use, or 0 for the engine's default
/// @param maxModelLen longest context in tokens, or 0 for the model's own
/// @param model the model as the engine is given it, or null for the path of the file
/// @param configPath whether the engine is given a folder with the configuration
/// @param tokenizer whether the engine is given a tokenizer
/// @param ignored options of an engine's command line that do not decide anything here
public record Launch(
    String engineVersion,
    int tensorParallel,
    boolean expertParallel,
    String dtype,
    String kvCacheDtype,
    String capability,
    long gpuMemory,
    double utilization,
    long maxModelLen,
    @Nullable String model,
    boolean configPath,
    boolean tokenizer,
    List<String> ignored) {
  /// A launch with nothing but the file.
  public static final Launch DEFAULT =
      new Launch("", 1, false, "auto", "auto", "", 0, 0, 0, null, false, false, List.of());

  /// Copies the ignored options and checks the numbers.
  ///
  /// @throws IllegalArgumentException if a number is out of range or a word not known
  public Launch {
    ignored = List.copyOf(ignored);
    dtype = dtype(dtype);
    if (tensorParallel < 1) {
      throw new IllegalArgumentException("tensor parallel size " + tensorParallel + " is below 1");
    }
    if (utilization < 0 || utilization > 1) {
      throw new IllegalArgumentException("memory utilization " + utilization + " is not in 0 to 1");
    }
    if (gpuMemory < 0 || maxModelLen < 0) {
      throw new IllegalArgumentException("a size is negative");
    }
    if (!capability.isEmpty() && !Version.isRelease(capability)) {
      throw new IllegalArgumentException(
          "compute capability '" + capability + "' is no number such as 9.0 or 12.0");
    }
  }

  /// Returns a builder that starts with nothing but the file.
  public static Builder builder() {
    return DEFAULT.toBuilder();
  }

  /// Returns a builder that starts with these settings.
  public Builder toBuilder() {
    return new Builder(this);
  }

  /// Collects the settings of a launch.
  public static final class Builder {
    private String engineVersion;
    private int tensorParallel;
    private boolean expertParallel;
    private String dtype;
    private String kvCacheDtype;
    private String capability;
    private long gpuMemory;
    private double utilization;
    private long maxModelLen;
    private @Nullable String model;
    private boolean configPath;
    private boolean tokenizer;
    private final List<String> ignored;

    private Builder(Launch from) {
      engineVersion = from.engineVersion;
      tensorParallel = from.tensorParallel;
      expertParallel = from.expertParallel;
      dtype = from.dtype;
      kvCacheDtype = from.kvCacheDtype;
      capability = from.capability;
      gpuMemory = from.gpuMemory;
      utilization = from.utilization;
      maxModelLen = from.maxModelLen;
      model = from.model;
      configPath = from.configPath;
      tokenizer = from.tokenizer;
      ignored = new ArrayList<>(from.ignored);
    }

    /// Sets the engine's release.
    public Builder engineVersion(String version) {
      engineVersion = version;
      return this;
    }

    /// Sets the ranks that share every layer.
    public Builder tensorParallel(int ranks) {
      tensorParallel = ranks;
      return this;
    }

    /// Sets whether experts are shared out whole.
    public Builder expertParallel(boolean whole) {
      expertParallel = whole;
      return this;
    }

    /// Sets the activation type, `auto`, `float16`, `bfloat16` or `float32`.
    public Builder dtype(String type) {
      dtype = type;
      return this;
    }

    /// Sets the type of the cache as the engine names it.
    public Builder kvCacheDtype(String type) {
      kvCacheDtype = type;
      return this;
    }

    /// Sets the compute capability, such as `12.0`.
    public Builder capability(String number) {
      capability = number;
      return this;
    }

    /// Sets the memory of one device in bytes.
    public Builder gpuMemory(long bytes) {
      gpuMemory = bytes;
      return this;
    }

    /// Sets the share of a device's memory that the engine may use, above 0 up to 1.
    public Builder utilization(double share) {
      utilization = share;
      return this;
    }

    /// Sets the longest context in tokens.
    public Builder maxModelLen(long tokens) {
      maxModelLen = tokens;
      return this;
    }

    /// Sets how the engine is given the model.
    public Builder model(@Nullable String reference) {
      model = reference;
      return this;
    }

    /// Sets whether the engine is given a folder with the configuration.
    public Builder configPath(boolean given) {
      configPath = given;
      return this;
    }

    /// Sets whether the engine is given a tokenizer.
    public Builder tokenizer(boolean given) {
      tokenizer = given;
      return this;
    }

    /// Adds an option that does not decide anything here.
    public Builder ignore(String option) {
      ignored.add(option);
      return this;
    }

    /// Returns the launch.
    ///
    /// @throws IllegalArgumentException if a number is out of range or a word not known
    public Launch build() {
      return new Launch(
          engineVersion,
          tensorParallel,
          expertParallel,
          dtype,
          kvCacheDtype,
          capability,
          gpuMemory,
          utilization,
          maxModelLen,
          model,
          configPath,
          tokenizer,
          ignored);
    }
  }

  private static String dtype(String word) {
    return switch (word) {
      case "half", "fp16" -> "float16";
      case "bf16" -> "bfloat16";
      case "float", "fp32" -> "float32";
      case "auto", "float16", "bfloat16", "float32" -> word;
      default ->
          throw new IllegalArgumentException(
              "dtype '" + word + "' is none of auto, float16, bfloat16, float32");
    };
  }
}
