package dev.gguf.cli;

import dev.gguf.FileKind;
import dev.gguf.Gguf;
import dev.gguf.GgufFile;
import dev.gguf.Inspection;
import dev.gguf.cli.render.Envelope;
import dev.gguf.cli.render.Findings;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.Output;
import dev.gguf.cli.render.Style;
import dev.gguf.cli.render.Table;
import dev.gguf.cli.render.TextWriter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// `gguf info`: what is this file.
final class InfoCommand extends Command {
  @Override
  String summary() {
    return "What is this file: kind, architecture, size, parameters, types, layers, tokenizer";
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
  }

  @Override
  int run(Call call) throws IOException {
    String name = call.positional(0);
    try (Inspection inspection = Inputs.inspect(name)) {
      Gguf gguf = inspection.gguf().orElse(null);
      ModelFacts facts = gguf == null ? null : new ModelFacts(gguf);
      Output output = call.output();
      if (output.isJson()) {
        json(output.json("info"), Path.of(name), inspection, facts);
      } else {
        text(output.text(), Path.of(name), inspection, facts);
      }
      return call.status(Findings.worst(inspection.findings()));
    }
  }

  private static void json(
      JsonWriter json, Path path, Inspection inspection, @Nullable ModelFacts facts) {
    json.field("path", path.toString()).field("kind", inspection.kind().label());
    if (facts == null) {
      json.field("architecture", (String) null).field("name", (String) null);
      json.object("parameters").name("all").nothing().name("main").nothing().endObject();
      json.name("bitsPerWeight").nothing();
      json.object("bytes").field("file", path.toFile().length());
      json.name("data").nothing().name("mtp").nothing().endObject();
      json.object("layers").name("main").nothing().name("mtp").nothing().endObject();
      json.name("context").nothing().array("types").endArray().name("tokenizer").nothing();
    } else {
      json(json, facts);
    }
    Envelope.files(json, path, inspection.gguf().orElse(null));
    json.name("findings");
    Findings.write(json, inspection.findings());
  }

  private static void json(JsonWriter json, ModelFacts facts) {
    json.field("architecture", facts.architecture()).field("name", facts.name());
    json.object("parameters").field("all", facts.parameters());
    json.field("main", facts.mainParameters()).endObject();
    if (Double.isNaN(facts.bitsPerWeight())) {
      json.name("bitsPerWeight").nothing();
    } else {
      json.field("bitsPerWeight", facts.bitsPerWeight());
    }
    json.object("bytes").field("file", facts.fileBytes()).field("data", facts.dataBytes());
    json.field("mtp", facts.mtpBytes()).endObject();
    json.object("layers").field("main", facts.mainLayers());
    if (facts.mainLayers().isPresent()) {
      json.field("mtp", facts.mtpLayers()).endObject();
    } else {
      json.name("mtp").nothing().endObject();
    }
    json.field("context", facts.context()).array("types");
    for (ModelFacts.TypeShare share : facts.types()) {
      json.object().field("type", share.type().name()).field("tensors", share.tensors());
      json.field("bytes", share.bytes()).endObject();
    }
    json.endArray();
    if (facts.hasTokenizer()) {
      json.object("tokenizer").field("model", facts.tokenizer("model"));
      json.field("pre", facts.tokenizer("pre")).field("tokens", facts.tokenizerCount("tokens"));
      json.field("merges", facts.tokenizerCount("merges"));
      json.field("chatTemplate", facts.hasChatTemplate()).endObject();
    } else {
      json.name("tokenizer").nothing();
    }
  }

  private static void text(
      TextWriter text, Path path, Inspection inspection, @Nullable ModelFacts facts) {
    if (facts != null) {
      text(text, path, facts);
    } else {
      text.text(Style.BOLD, path.toString()).text(": not a GGUF file, ");
      text.line(Numbers.sizeAndBytes(path.toFile().length()));
    }
    if (!inspection.findings().isEmpty()) {
      text.newline();
      Findings.write(text, inspection.findings(), path);
    }
  }

  private static void text(TextWriter text, Path path, ModelFacts facts) {
    String name = facts.name();
    text.text(Style.BOLD, name == null ? path.toString() : name).newline();
    text.fact("file", path + ", " + Numbers.sizeAndBytes(facts.fileBytes()));
    GgufFile first = facts.files().getFirst();
    text.fact(
        "format",
        "GGUF version "
            + first.version()
            + (first.byteOrder() == ByteOrder.BIG_ENDIAN ? ", big-endian" : ""));
    text.fact("kind", kind(facts.kind()));
    String architecture = facts.architecture();
    text.fact("architecture", architecture == null ? "not told" : architecture);
    if (facts.parameters() > 0) {
      text.fact("parameters", parameters(facts));
      text.fact(
          "precision",
          Numbers.decimal(facts.bitsPerWeight(), 2)
              + " bits per weight ("
              + Numbers.size(facts.dataBytes())
              + " of tensor data over all parameters)");
    }
    if (facts.mainLayers().isPresent()) {
      text.fact("layers", layers(facts));
    }
    if (facts.context().isPresent()) {
      text.fact(
          "context", "trained for " + Numbers.grouped(facts.context().getAsLong()) + " tokens");
    }
    text.fact("tokenizer", tokenizer(facts));
    if (facts.files().size() > 1 || facts.absentShards() > 0) {
      text.fact("shards", shards(facts));
    }
    if (!facts.types().isEmpty()) {
      text.newline();
      types(facts).write(text, 2);
    }
  }

  private static String kind(FileKind kind) {
    return switch (kind) {
      case MODEL -> "model: weights that an engine can run";
      case ADAPTER -> "adapter: changes to a model (LoRA), loaded beside it";
      case PROJECTOR -> "projector: the image or audio part that goes beside a language model";
      case IMATRIX -> "importance matrix: statistics for quantising, not a model";
      case VOCABULARY -> "vocabulary: a tokenizer without weights";
      case MTP -> "MTP head: multi-token prediction layers without their model";
      case NOT_GGUF -> "not a GGUF file";
    };
  }

  private static String parameters(ModelFacts facts) {
    String all = Numbers.count(facts.parameters());
    return facts.mtpBytes() == 0
        ? all
        : all + " in all, " + Numbers.count(facts.mainParameters()) + " of them in the main model";
  }

  private static String layers(ModelFacts facts) {
    long main = facts.mainLayers().orElse(0);
    if (facts.mtpLayers() == 0) {
      return Long.toString(main);
    }
    return main
        + " + "
        + facts.mtpLayers()
        + " MTP (multi-token prediction: an extra for faster decoding, "
        + Numbers.size(facts.mtpBytes())
        + ")";
  }

  private static String tokenizer(ModelFacts facts) {
    if (!facts.hasTokenizer()) {
      return "none in this file";
    }
    String model = facts.tokenizer("model");
    String pre = facts.tokenizer("pre");
    StringBuilder text = new StringBuilder(model == null ? "of no named kind" : model);
    text.append(pre == null ? "" : " (" + pre + ")");
    if (facts.tokenizerCount("tokens").isPresent()) {
      text.append(", ").append(Numbers.grouped(facts.tokenizerCount("tokens").getAsLong()));
      text.append(" tokens");
    }
    if (facts.tokenizerCount("merges").isPresent()) {
      text.append(", ").append(Numbers.grouped(facts.tokenizerCount("merges").getAsLong()));
      text.append(" merges");
    }
    return text.append(facts.hasChatTemplate() ? ", with a chat template" : "").toString();
  }

  private static String shards(ModelFacts facts) {
    int there = facts.files().size();
    long absent = facts.absentShards();
    return absent == 0
        ? there + " files that are one model"
        : there + " of " + (there + absent) + " files are here";
  }

  private static Table types(ModelFacts facts) {
    Table table = new Table("type", ">tensors", ">size", ">bytes", ">share");
    for (ModelFacts.TypeShare share : facts.types()) {
      table.row(
          share.type().name(),
          Integer.toString(share.tensors()),
          Numbers.size(share.bytes()),
          Long.toString(share.bytes()),
          Numbers.percent(share.bytes(), facts.dataBytes()));
    }
    return table;
  }
}
