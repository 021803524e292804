package dev.gguf.cli;

import dev.gguf.check.Report;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Style;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.mapping.check.ModelReport;
import dev.gguf.mapping.engine.Candidate;
import dev.gguf.mapping.engine.Explainer;
import dev.gguf.mapping.engine.Explanation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// `gguf explain`: which tensor an engine's error is about.
final class ExplainCommand extends Command {
  @Override
  String summary() {
    return "Which tensor an engine's error or a parameter's name is about, and the remedy";
  }

  @Override
  List<String> description() {
    return List.of(
        "TEXT is a line that an engine printed, or the name of a parameter or of a tensor. With"
            + " --log a whole log is read, and the first real cause in it is found. What no rule"
            + " knows is called unknown, and the exit status is 1, as it is for a file that is no log.");
  }

  @Override
  void describe(Syntax syntax) {
    syntax
        .file()
        .positional("TEXT", "An error's text, or the name of a parameter or tensor.", 0, 1)
        .value("--log", "LOGFILE", "The log of a launch that failed.");
  }

  @Override
  int run(Call call) throws IOException {
    String log = call.option("--log");
    if ((log == null) == (call.positionals().size() < 2)) {
      throw CommandException.usage("explain takes a TEXT or --log LOGFILE, one of them");
    }
    try (Models models = Models.open(List.of(call.positional(0)))) {
      Models.Given model = models.given().getFirst();
      Candidate candidate =
          Candidate.of(
              model.path().toString(),
              model.inspection(),
              new ModelReport(new Report(List.of()), Optional.empty()),
              Optional.empty());
      Explainer explainer = new Explainer(candidate);
      Explainer.Log found = log == null ? text(explainer, call.positional(1)) : log(explainer, log);
      if (call.output().isJson()) {
        write(call.output().json("explain"), found);
      } else {
        write(call.output().text(), found, log != null);
      }
      boolean known = found.first() >= 0 && found.matches().get(found.first()).isKnown();
      boolean healthy = log != null && found.matches().isEmpty() && found.recognised();
      return known || healthy ? Exit.OK : Exit.FOUND;
    }
  }

  @Override
  void writeNothing(Call call, JsonWriter json) {
    json.array("matches").endArray().name("first").nothing();
  }

  private static Explainer.Log text(Explainer explainer, String text) {
    Optional<Explanation> explanation = explainer.explain(text);
    return new Explainer.Log(
        explanation.map(List::of).orElse(List.of()), explanation.isPresent() ? 0 : -1, false);
  }

  private static Explainer.Log log(Explainer explainer, String name) {
    try (LogFile log = LogFile.open(name)) {
      Explainer.Log found = explainer.explainLog(log);
      log.requireText();
      return found;
    }
  }

  private static void write(JsonWriter json, Explainer.Log log) {
    json.array("matches");
    for (Explanation match : log.matches()) {
      json.object();
      if (match.line() == 0) {
        json.name("line").nothing();
      } else {
        json.field("line", match.line());
      }
      json.field("text", match.text()).field("rank", match.rank());
      json.field("tensor", match.tensor().orElse(null));
      json.field("parameter", match.parameter().orElse(null));
      json.field("mechanism", match.mechanism());
      json.field("remedy", match.remedy().orElse(null));
      json.field("source", match.source().orElse(null)).endObject();
    }
    json.endArray();
    if (log.first() < 0) {
      json.name("first").nothing();
    } else {
      json.field("first", log.first());
    }
  }

  private static void write(TextWriter text, Explainer.Log log, boolean whole) {
    if (log.first() < 0) {
      text.line(
          !whole
              ? "unknown"
              : log.recognised()
                  ? "no cause: nothing in this log stopped a launch"
                  : "unknown: the file has no line that a rule knows, and none that looks like an"
                      + " engine's");
      return;
    }
    Explanation first = log.matches().get(log.first());
    if (first.line() > 0) {
      text.text("line " + first.line());
      if (first.rank().isPresent()) {
        text.text(", rank " + first.rank().getAsInt());
      }
      text.newline();
    }
    text.text(Style.BOLD, first.text()).newline();
    text.fact("mechanism", first.mechanism());
    first.tensor().ifPresent(name -> text.fact("tensor", name));
    first.parameter().ifPresent(name -> text.fact("parameter", name));
    first.remedy().ifPresent(remedy -> text.fact("remedy", remedy));
    first.source().ifPresent(source -> text.fact("source", source));
    int more = log.matches().size() - 1;
    if (more > 0) {
      text.line(more + (more == 1 ? " other error" : " other errors") + " in the log");
    }
  }
}
