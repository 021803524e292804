package dev.gguf.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The verbs. To add one: its name in the list, its class in the switch.
final class Commands {
  /// All verbs in the order in which the help lists them.
  static final List<String> NAMES =
      List.of(
          "check",
          "preflight",
          "explain",
          "info",
          "metadata",
          "tensors",
          "map",
          "values",
          "verify",
          "hash",
          "kvb",
          "compare",
          "diff",
          "merge",
          "split",
          "edit",
          "header");

  private Commands() {}

  /// Builds a command, or returns null for a verb that does not exist.
  static @Nullable Command create(String name) {
    return switch (name) {
      case "check" -> new CheckCommand();
      case "diff" -> new DiffCommand();
      case "edit" -> new EditCommand();
      case "explain" -> new ExplainCommand();
      case "header" -> new HeaderCommand();
      case "info" -> new InfoCommand();
      case "compare" -> new CompareCommand();
      case "hash" -> new HashCommand();
      case "kvb" -> new KvbCommand();
      case "map" -> new MapCommand();
      case "merge" -> new MergeCommand();
      case "metadata" -> new MetadataCommand();
      case "preflight" -> new PreflightCommand();
      case "split" -> new SplitCommand();
      case "tensors" -> new TensorsCommand();
      case "values" -> new ValuesCommand();
      case "verify" -> new VerifyCommand();
      default -> null;
    };
  }
}
