package dev.gguf.cli;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// The lines of a log, read one by one, so that neither a long file nor one without line breaks
/// fills the memory.
final class LogFile implements Iterable<String>, AutoCloseable {
  /// Characters of the longest line that is read.
  static final int LONGEST = 1 << 20;

  private final String name;
  private final Reader reader;
  private boolean text;

  private LogFile(String name, Reader reader) {
    this.name = name;
    this.reader = reader;
  }

  /// Opens a log.
  ///
  /// @throws CommandException if it is no regular file that can be read
  static LogFile open(String name) {
    try {
      InputStream stream = new BufferedInputStream(Files.newInputStream(OptionFiles.path(name)));
      return new LogFile(name, new BufferedReader(new InputStreamReader(stream, encoding(stream))));
    } catch (IOException e) {
      throw CommandException.usage("--log " + name + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /// Skips a byte order mark and returns what it says: some shells redirect output as UTF-16.
  private static Charset encoding(InputStream stream) throws IOException {
    stream.mark(3);
    byte[] start = stream.readNBytes(3);
    stream.reset();
    if (start.length > 1 && start[0] == (byte) 0xFF && start[1] == (byte) 0xFE) {
      stream.skipNBytes(2);
      return StandardCharsets.UTF_16LE;
    }
    if (start.length > 1 && start[0] == (byte) 0xFE && start[1] == (byte) 0xFF) {
      stream.skipNBytes(2);
      return StandardCharsets.UTF_16BE;
    }
    if (start.length == 3
        && start[0] == (byte) 0xEF
        && start[1] == (byte) 0xBB
        && start[2] == (byte) 0xBF) {
      stream.skipNBytes(3);
    }
    return StandardCharsets.UTF_8;
  }

  /// Does nothing if a line that was read has something on it.
  ///
  /// @throws CommandException if all were empty
  void requireText() {
    if (!text) {
      throw CommandException.failure("--log " + name + ": is no log: it is empty");
    }
  }

  /// Returns the lines that are not read yet. They can be read once.
  @Override
  public Iterator<String> iterator() {
    return new Iterator<>() {
      private @Nullable String next = line();

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public String next() {
        String line = next;
        if (line == null) {
          throw new NoSuchElementException();
        }
        next = line();
        return line;
      }
    };
  }

  private @Nullable String line() {
    StringBuilder line = new StringBuilder();
    try {
      int read = reader.read();
      if (read < 0) {
        return null;
      }
      while (read >= 0 && read != '\n') {
        if (read == 0) {
          throw CommandException.failure(
              "--log " + name + ": is no log: it is binary (a NUL byte in it)");
        }
        if (line.length() == LONGEST) {
          throw CommandException.failure(
              "--log " + name + ": is no log: a line is longer than " + LONGEST + " characters");
        }
        line.append((char) read);
        read = reader.read();
      }
    } catch (IOException e) {
      throw CommandException.usage("--log " + name + ": cannot be read: " + e.getMessage(), e);
    }
    if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
      line.setLength(line.length() - 1);
    }
    String whole = line.toString();
    text = text || !whole.isBlank();
    return whole;
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      throw CommandException.usage("--log " + name + ": cannot be closed: " + e.getMessage(), e);
    }
  }
}
