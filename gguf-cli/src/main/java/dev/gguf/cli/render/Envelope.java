package dev.gguf.cli.render;

import dev.gguf.Gguf;
import dev.gguf.Severity;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The answer of commands that judge models: check, verify, preflight, kvb, compare and hash with
/// `--check`.
public final class Envelope {
  private Envelope() {}

  /// Writes the answer in the form that was asked for.
  ///
  /// @param command the verb, for the document's schema
  /// @param quiet as text one line a model with the verdict, nothing else
  public static void write(Output output, String command, List<Judged> models, boolean quiet) {
    if (output.isJson()) {
      write(output.json(command), models);
    } else if (quiet) {
      for (Judged model : models) {
        TextWriter line = verdict(output.text(), model);
        for (Judged.EnginePrediction engine : model.engines()) {
          line.text("  ").text(engine.engine()).text(": ").text(engine.loads());
        }
        line.newline();
      }
    } else {
      for (int i = 0; i < models.size(); i++) {
        if (i > 0) {
          output.text().newline();
        }
        write(output.text(), models.get(i));
      }
    }
  }

  private static void write(JsonWriter json, List<Judged> models) {
    json.array("models");
    for (Judged model : models) {
      json.object();
      json.field("path", model.path().toString()).field("verdict", model.verdict());
      json.field("kind", model.kind().label()).field("architecture", model.architecture());
      files(json, model.files());
      json.name("findings");
      Findings.write(json, model.findings());
      mapping(json, model.mapping());
      engines(json, model.engines());
      Judged.Detail detail = model.detail();
      if (detail != null) {
        detail.write(json);
      }
      json.endObject();
    }
    json.endArray();
  }

  /// Writes the field `files` of a model.
  ///
  /// @param path as it was given on the command line
  /// @param gguf what could be read of it, or null
  public static void files(JsonWriter json, Path path, @Nullable Gguf gguf) {
    files(json, Judged.files(path, gguf));
  }

  private static void files(JsonWriter json, List<Judged.JudgedFile> files) {
    json.array("files");
    for (Judged.JudgedFile file : files) {
      json.object().field("path", file.path().toString()).field("bytes", file.bytes());
      number(json, "version", file.version());
      json.field("byteOrder", file.byteOrder());
      number(json, "tensors", file.tensors());
      number(json, "metadata", file.metadata());
      json.endObject();
    }
    json.endArray();
  }

  private static void number(JsonWriter json, String name, @Nullable Integer number) {
    if (number == null) {
      json.name(name).nothing();
    } else {
      json.field(name, number.longValue());
    }
  }

  private static void mapping(JsonWriter json, Judged.@Nullable MappingCount mapping) {
    if (mapping == null) {
      json.name("mapping").nothing();
      return;
    }
    json.object("mapping").field("target", mapping.target()).field("tensors", mapping.tensors());
    json.field("mapped", mapping.mapped()).field("unmapped", mapping.unmapped());
    json.field("missing", mapping.missing()).endObject();
  }

  private static void engines(JsonWriter json, List<Judged.EnginePrediction> engines) {
    json.array("engines");
    for (Judged.EnginePrediction engine : engines) {
      json.object().field("engine", engine.engine()).field("version", engine.version());
      json.field("loads", engine.loads()).array("reasons");
      for (Judged.Reason reason : engine.reasons()) {
        json.object().field("rule", reason.rule()).field("message", reason.message());
        json.field("source", reason.source()).field("versions", reason.versions());
        json.field("hint", reason.hint()).endObject();
      }
      json.endArray().endObject();
    }
    json.endArray();
  }

  private static TextWriter verdict(TextWriter text, Judged model) {
    Severity worst = model.worst();
    Style style = worst == null ? Style.GOOD : Style.of(worst);
    return text.padded(style, model.verdict(), 9).text(Style.BOLD, model.path().toString());
  }

  private static void write(TextWriter text, Judged model) {
    Judged.Detail detail = model.detail();
    verdict(text, model).text(": ").text(inWords(model)).line(detail == null ? "" : detail.scope());
    summary(text, model);
    mapping(text, model.mapping());
    if (detail != null) {
      detail.write(text);
    }
    for (Judged.EnginePrediction engine : model.engines()) {
      engine(text, engine);
    }
    if (!model.findings().isEmpty()) {
      text.newline();
      Findings.write(text, model.findings(), model.path());
    }
  }

  private static String inWords(Judged model) {
    Severity worst = model.worst();
    if (worst == null) {
      return "nothing wrong";
    }
    String counts = Findings.counts(model.findings());
    return worst == Severity.INFO ? "nothing wrong, " + counts : counts;
  }

  private static void summary(TextWriter text, Judged model) {
    long bytes = 0;
    long tensors = 0;
    boolean read = true;
    for (Judged.JudgedFile file : model.files()) {
      bytes += file.bytes();
      tensors += file.tensors() == null ? 0 : file.tensors();
      read &= file.version() != null;
    }
    String architecture = model.architecture();
    text.spaces(9).text(architecture == null ? "" : architecture + " ");
    text.text(model.kind().label().replace('-', ' '));
    if (read) {
      text.text(", ").text(Numbers.of(tensors, "tensor"));
    }
    text.text(", ").text(Numbers.sizeAndBytes(bytes));
    if (model.files().size() > 1) {
      text.text(" in ").text(Numbers.of(model.files().size(), "file"));
    }
    text.newline();
  }

  private static void mapping(TextWriter text, Judged.@Nullable MappingCount mapping) {
    if (mapping == null) {
      return;
    }
    text.spaces(9);
    if (mapping.unmapped() == 0) {
      text.text("all ").text(Numbers.of(mapping.tensors(), "tensor")).text(" mapped");
    } else {
      text.text(mapping.mapped() + " of " + Numbers.of(mapping.tensors(), "tensor") + " mapped");
      text.text(", " + mapping.unmapped() + " left out");
    }
    text.text(" (target " + mapping.target() + ")");
    if (mapping.missing() > 0) {
      text.text(", ").text(Style.ERROR, Numbers.of(mapping.missing(), "parameter") + " missing");
    }
    text.newline();
  }

  private static void engine(TextWriter text, Judged.EnginePrediction engine) {
    Style style =
        switch (engine.loads()) {
          case "yes" -> Style.GOOD;
          case "no" -> Style.ERROR;
          case "conditional" -> Style.WARNING;
          default -> Style.INFO;
        };
    String version = engine.version();
    text.spaces(9).text(engine.engine()).text(version == null ? "" : " " + version);
    text.text(" loads it: ").text(style, engine.loads()).newline();
    for (Judged.Reason reason : engine.reasons()) {
      text.spaces(11).text("- ").text(reason.message());
      text.text(Style.FAINT, "  [" + reason.rule() + "]").newline();
      String hint = reason.hint();
      if (hint != null) {
        text.spaces(13).text("hint: " + hint).newline();
      }
      String source = reason.source();
      if (source != null) {
        String versions = reason.versions() == null ? "" : "; holds for " + reason.versions();
        text.spaces(13).text(Style.FAINT, "source: " + source + versions).newline();
      }
    }
  }
}
