package dev.gguf.cli;

/// The exit statuses, and no others.
final class Exit {
  /// Fine.
  static final int OK = 0;

  /// A finding that counts, an engine that says no, or something asked for that does not exist.
  static final int FOUND = 1;

  /// Wrong usage, or a path that cannot be opened.
  static final int USAGE = 2;

  /// Interrupted; what was found so far has been shown.
  static final int INTERRUPTED = 130;

  private Exit() {}
}
