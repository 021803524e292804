package dev.gguf.cli;

/// Lets Ctrl-C end a long answer with what has been found so far: while an instance is open, an
/// interruption of the process interrupts the thread that made it, and the process waits for that
/// thread to finish its answer.
final class Interruption implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 10_000;

  private final Thread thread = Thread.currentThread();
  private final Thread hook = new Thread(this::interrupt, "gguf-interruption");
  private volatile boolean seen;

  Interruption() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void interrupt() {
    seen = true;
    thread.interrupt();
    try {
      // The thread ends the process itself, with its own status.
      thread.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Returns whether there was an interruption, and clears the thread's own mark of it, so that the
  /// answer can be written.
  boolean isSeen() {
    return Thread.interrupted() || seen;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending.
    }
  }
}
