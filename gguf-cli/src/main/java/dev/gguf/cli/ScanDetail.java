package dev.gguf.cli;

import dev.gguf.Tensor;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Judged;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.verify.DataFinding;
import dev.gguf.verify.DataReport;
import org.jspecify.annotations.Nullable;

/// What `verify` adds to the common answer: how much was read, and the findings' places in numbers.
///
/// @param report of the scan
/// @param sample the share that was asked for
/// @param seconds how long the scan took
/// @param interrupted whether it was interrupted
record ScanDetail(DataReport report, double sample, double seconds, boolean interrupted)
    implements Judged.Detail {
  @Override
  public void write(JsonWriter json) {
    json.object("data").field("bytes", report.dataBytes()).field("read", report.readBytes());
    json.field("holes", report.holeBytes()).field("holesKnown", report.holesKnown());
    json.field("sample", sample).field("complete", report.isComplete());
    json.field("seconds", seconds).array("findings");
    for (DataFinding finding : report.findings()) {
      json.object().field("rule", finding.finding().rule().id());
      Tensor tensor = finding.tensor();
      json.field("tensor", tensor == null ? null : tensor.name());
      json.field("refusedByGgml", finding.refusedByGgml()).field("count", finding.count());
      place(json, finding.place());
      json.endObject();
    }
    json.endArray().endObject();
  }

  @Override
  public String scope() {
    return sample < 1 || !report.isComplete() ? " in what was read" : "";
  }

  private static void place(JsonWriter json, DataFinding.@Nullable Place place) {
    if (place == null || place.expert() < 0) {
      json.name("expert").nothing();
    } else {
      json.field("expert", place.expert());
    }
    if (place == null) {
      json.name("row").nothing().name("block").nothing();
      json.name("blockOfRow").nothing().name("offset").nothing();
    } else {
      json.field("row", place.row()).field("block", place.block());
      json.field("blockOfRow", place.blockOfRow()).field("offset", place.offset());
    }
  }

  @Override
  public void write(TextWriter text) {
    String part = interrupted ? ", before it was interrupted" : sample < 1 ? ", a sample" : "";
    text.spaces(9).text("read ").text(Numbers.sizeAndBytes(report.readBytes()));
    text.text(" of ").text(Numbers.size(report.dataBytes())).text(" data");
    text.text(" in " + Numbers.decimal(seconds, seconds < 10 ? 2 : 0) + " s");
    if (seconds > 0.01) {
      text.text(" (" + Numbers.size((long) (report.readBytes() / seconds)) + "/s)");
    }
    text.line(part);
    if (report.holeBytes() > 0) {
      text.spaces(9).text("skipped ").text(Numbers.sizeAndBytes(report.holeBytes()));
      text.line(" that the file system says are holes");
    } else if (!report.holesKnown()) {
      text.spaces(9).line("the file system does not tell holes from data: all was read");
    }
  }
}
