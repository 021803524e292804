package dev.gguf.cli;

import org.jspecify.annotations.Nullable;

/// Ends a command with one line on the error stream and an exit status.
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  private CommandException(int status, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /// Returns an end because the command line is wrong, or names a path that cannot be opened.
  ///
  /// @param message what is wrong and what to do instead
  static CommandException usage(String message) {
    return new CommandException(Exit.USAGE, message, null);
  }

  /// Returns an end because a path cannot be opened, with what the platform said.
  static CommandException usage(String message, Throwable cause) {
    return new CommandException(Exit.USAGE, message, cause);
  }

  /// Returns an end because something asked for does not exist in the file, or cannot be done with
  /// it.
  static CommandException failure(String message) {
    return new CommandException(Exit.FOUND, message, null);
  }

  int status() {
    return status;
  }
}
