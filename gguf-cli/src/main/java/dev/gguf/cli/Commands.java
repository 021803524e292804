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
          "verify",
          "kvb",
          "compare");

  private Commands() {}

  /// Builds a command, or returns null for a verb that does not exist.
  static @Nullable Command create(String name) {
    return switch (name) {
      case "check" -> new CheckCommand();
      case "explain" -> new ExplainCommand();
      case "info" -> new InfoCommand();
      case "compare" -> new CompareCommand();
      case "kvb" -> new KvbCommand();
      case "map" -> new MapCommand();
      case "metadata" -> new MetadataCommand();
      case "preflight" -> new PreflightCommand();
      case "tensors" -> new TensorsCommand();
      case "verify" -> new VerifyCommand();
      default -> null;
    };
  }
}
