package dev.gguf.mapping.engine;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An engine's own command line, such as `vllm serve MODEL --tensor-parallel-size 8`.
///
/// @param engine `vllm` or `sglang`, or null if the command is not known
/// @param launch the settings; what stands on the command line wins over what was set before
public record EngineCommand(@Nullable String engine, Launch launch) {

  /// Reads a command line.
  ///
  /// Words before the engine's name (environment settings, `exec`, a path) are passed over. Both
  /// `--option value` and `--option=value` are read, with dashes or underscores, and vLLM's short
  /// forms.
  ///
  /// @param before the settings that hold where the command line says nothing
  /// @throws IllegalArgumentException if an option that counts has no value, or no number
  public static EngineCommand parse(List<String> words, Launch before) {
    Parser parser = new Parser(words, before);
    return parser.parse();
  }

  private static final class Parser {
    private final List<String> words;
    private final Launch.Builder launch;
    private @Nullable String engine;
    private @Nullable String model;
    private int at;

    Parser(List<String> words, Launch before) {
      this.words = words;
      this.launch = before.toBuilder();
      this.model = before.model();
    }

    EngineCommand parse() {
      skipToArguments();
      while (at < words.size()) {
        String word = words.get(at++);
        if (!word.startsWith("-")) {
          model = model == null ? word : model;
          continue;
        }
        int equals = word.indexOf('=');
        String option = equals < 0 ? word : word.substring(0, equals);
        option(
            option.startsWith("--") ? option.replace('_', '-') : option,
            equals < 0 ? null : word.substring(equals + 1));
      }
      return new EngineCommand(engine, launch.model(model).build());
    }

    private void option(String option, @Nullable String value) {
      switch (option) {
        case "--tensor-parallel-size", "-tp", "--tp", "--tp-size" ->
            launch.tensorParallel(number(option, value(option, value)));
        case "--dtype" -> launch.dtype(value(option, value));
        case "--kv-cache-dtype" -> launch.kvCacheDtype(value(option, value));
        case "--gpu-memory-utilization", "--mem-fraction-static" ->
            launch.utilization(fraction(option, value(option, value)));
        case "--max-model-len", "--context-length" ->
            launch.maxModelLen(tokens(option, value(option, value)));
        case "--model", "--model-path" -> model = value(option, value);
        case "--hf-config-path" -> {
          value(option, value);
          launch.configPath(true);
        }
        case "--tokenizer", "--tokenizer-path" -> {
          value(option, value);
          launch.tokenizer(true);
        }
        case "--enable-expert-parallel", "-ep" -> launch.expertParallel(true);
        default -> ignore(option, value);
      }
    }

    /// Finds the engine's name and stops behind it and its sub-command.
    private void skipToArguments() {
      for (int i = 0; i < words.size(); i++) {
        String word = words.get(i);
        String file = word.substring(word.lastIndexOf('/') + 1);
        if (isOther(file)) {
          return;
        }
        if (file.equals("vllm") || file.startsWith("vllm-openai")) {
          engine = "vllm";
          at = i + 1;
          if (at < words.size() && words.get(at).equals("serve")) {
            at++;
          }
          return;
        }
        if (word.startsWith("vllm.") || word.startsWith("sglang")) {
          engine = word.startsWith("vllm") ? "vllm" : "sglang";
          at = i + 1;
          if (at < words.size() && words.get(at).equals("serve")) {
            at++;
          }
          return;
        }
      }
    }

    /// Whether a word is a program whose command lines are not read, so that a later word that
    /// looks like an engine is one of its arguments.
    private static boolean isOther(String file) {
      return file.startsWith("llama-")
          || file.startsWith("mistralrs")
          || file.startsWith("ktransformers")
          || file.equals("ollama");
    }

    private String value(String option, @Nullable String value) {
      if (value != null) {
        return value;
      }
      if (at >= words.size()) {
        throw new IllegalArgumentException(option + " of the engine's command line has no value");
      }
      return words.get(at++);
    }

    private void ignore(String option, @Nullable String value) {
      launch.ignore(option);
      if (value == null && at < words.size() && !words.get(at).startsWith("-") && model != null) {
        at++;
      }
    }

    private static int number(String option, String text) {
      try {
        return Integer.parseInt(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(option + " " + text + " is no whole number", e);
      }
    }

    private static double fraction(String option, String text) {
      try {
        return Double.parseDouble(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(option + " " + text + " is no number", e);
      }
    }

    /// vLLM takes `8192`, `8k` (1000) and `8K` (1024); -1 and `auto` mean as long as fits.
    private static long tokens(String option, String text) {
      if (text.equals("auto") || text.equals("-1")) {
        return 0;
      }
      try {
        char last = text.charAt(text.length() - 1);
        long unit =
            switch (last) {
              case 'k' -> 1000;
              case 'K' -> 1024;
              case 'm' -> 1_000_000;
              case 'M' -> 1024 * 1024;
              default -> 1;
            };
        String digits = unit == 1 ? text : text.substring(0, text.length() - 1);
        return Math.multiplyExact(Long.parseLong(digits), unit);
      } catch (RuntimeException e) {
        throw new IllegalArgumentException(
            option + " " + text.toLowerCase(Locale.ROOT) + " is no number of tokens", e);
      }
    }
  }
}
