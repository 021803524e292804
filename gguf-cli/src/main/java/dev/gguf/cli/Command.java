package dev.gguf.cli;

import dev.gguf.cli.render.Format;
import dev.gguf.cli.render.JsonWriter;
import java.io.IOException;
import java.util.List;

/// A verb of the command line. Only the one that was asked for is built.
abstract class Command {
  private static final List<Format> TEXT_AND_JSON = List.of(Format.TEXT, Format.JSON);

  /// Returns what the command answers, one line for the list of commands, without a full stop.
  abstract String summary();

  /// Returns paragraphs for the command's own help, below the summary.
  List<String> description() {
    return List.of();
  }

  /// Returns the forms that the answer can have, the default first.
  List<Format> formats() {
    return TEXT_AND_JSON;
  }

  /// Returns whether `--quiet` has a meaning: the answer has a verdict.
  boolean hasVerdict() {
    return false;
  }

  /// Adds the command's own options and positional parameters.
  abstract void describe(Syntax syntax);

  /// Writes the fields of the JSON document where there is no answer: the file cannot be read, or
  /// what was asked for is not in it. What cannot be known is null, and lists are empty.
  void writeNothing(Call call, JsonWriter json) {
    if (hasVerdict()) {
      json.array("models").endArray();
    } else {
      json.field("path", call.positional(0));
    }
  }

  /// Answers.
  ///
  /// @return the exit status, see [Exit]
  /// @throws CommandException for everything that ends in one line on the error stream
  /// @throws IOException if a file that could be opened cannot be read further, or the answer not
  ///   be written: exit status 1
  abstract int run(Call call) throws IOException;
}
