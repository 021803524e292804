package dev.gguf.cli.render;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Where an answer goes, and in which form. One command writes one answer, either as text or as one
/// JSON document or as bytes; notes and progress go to the error stream.
///
/// When the reader of the answer goes away, as `head` does, the rest is dropped without a word.
public final class Output implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final OutputStream out;
  private final OutputStream err;
  private final Format format;
  private final Look look;
  private @Nullable TextWriter text;
  private @Nullable JsonWriter json;
  private @Nullable OutputStream bytes;
  private boolean readerGone;

  /// What is known about the two streams.
  ///
  /// @param colour whether text may have colours
  /// @param outIsTerminal whether answers go to a terminal
  /// @param errIsTerminal whether notes go to a terminal
  public record Look(boolean colour, boolean outIsTerminal, boolean errIsTerminal) {}

  /// Creates an output.
  ///
  /// @param out receives the answer
  /// @param err receives notes
  /// @param format the form of the answer
  /// @param look what the streams lead to
  public Output(OutputStream out, OutputStream err, Format format, Look look) {
    this.out = out;
    this.err = err;
    this.format = format;
    this.look = look;
  }

  /// Returns the form that was asked for.
  public Format format() {
    return format;
  }

  /// Returns whether JSON was asked for.
  public boolean isJson() {
    return format == Format.JSON;
  }

  /// Returns an output whose answer looks the same but goes elsewhere, to be held back until it is
  /// true.
  public Output into(OutputStream other) {
    return new Output(other, err, format, look);
  }

  /// Returns whether answers go to a terminal.
  public boolean isTerminal() {
    return look.outIsTerminal();
  }

  /// Returns whether notes go to a terminal, so that a progress line may be shown.
  public boolean showsProgress() {
    return look.errIsTerminal();
  }

  /// Returns the writer of text, CSV and Markdown, always the same one.
  public TextWriter text() {
    TextWriter writer = text;
    if (writer == null) {
      writer = new TextWriter(this, look.colour());
      text = writer;
    }
    return writer;
  }

  /// Returns whether JSON was asked for and no document has been started.
  public boolean lacksDocument() {
    return isJson() && json == null;
  }

  /// Starts the JSON document of a command; its first field, `schema`, is written.
  ///
  /// @param command the verb, such as `check`
  public JsonWriter json(String command) {
    if (json != null) {
      throw new IllegalStateException("one answer is one document");
    }
    JsonWriter writer = new JsonWriter(bytes(), "gguf/" + command + "/1");
    json = writer;
    return writer;
  }

  /// Returns a stream for answers that are bytes, always the same one.
  public OutputStream bytes() {
    OutputStream stream = bytes;
    if (stream == null) {
      stream = new BufferedOutputStream(new Guarded(), BUFFER);
      bytes = stream;
    }
    return stream;
  }

  private final class Guarded extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] chunk, int offset, int length) throws IOException {
      Output.this.write(chunk, offset, length);
    }
  }

  /// Writes a line to the error stream.
  public void note(String line) {
    write(err, Safe.text(line) + "\n");
  }

  /// Writes a stack trace to the error stream.
  public void trace(Throwable failure) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    for (String line : trace.toString().split("\\R", -1)) {
      note(line.replace("\t", "    "));
    }
  }

  /// Shows a line of progress in place of the one before, if notes go to a terminal. An empty line
  /// removes it.
  public void progress(String line) {
    if (look.errIsTerminal()) {
      write(err, "\r" + Safe.text(line) + "\u001b[K");
    }
  }

  private static void write(OutputStream stream, String text) {
    try {
      stream.write(text.getBytes(StandardCharsets.UTF_8));
      stream.flush();
    } catch (IOException e) {
      // There is no third stream to complain on.
    }
  }

  void write(CharSequence chars) {
    byte[] bytes = chars.toString().getBytes(StandardCharsets.UTF_8);
    try {
      write(bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(byte[] bytes, int offset, int length) throws IOException {
    if (readerGone) {
      return;
    }
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      String message = e.getMessage();
      if (message == null || !message.contains("Broken pipe")) {
        throw new IOException("the output cannot be written: " + message, e);
      }
      readerGone = true;
    }
  }

  /// Ends the answer: completes the JSON document and hands over what is buffered.
  ///
  /// @throws IOException if the output takes no more, for another reason than a reader that left
  @Override
  public void close() throws IOException {
    if (text != null) {
      text.flush();
    }
    if (json != null) {
      json.finish();
    }
    if (bytes != null) {
      bytes.flush();
    }
    if (!readerGone) {
      out.flush();
    }
  }
}
