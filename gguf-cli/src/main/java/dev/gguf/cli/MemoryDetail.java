package dev.gguf.cli;

import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Judged;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.TextWriter;
import dev.gguf.mapping.engine.MemoryEstimate;
import org.jspecify.annotations.Nullable;

/// What `preflight` adds to a model's entry: the memory that it takes.
///
/// @param memory the estimate, or null where none can be made
record MemoryDetail(@Nullable MemoryEstimate memory) implements Judged.Detail {
  @Override
  public void write(JsonWriter json) {
    if (memory == null) {
      json.name("memory").nothing();
      return;
    }
    json.object("memory").array("perRank");
    for (int rank = 0; rank < memory.ranks(); rank++) {
      json.object().field("rank", rank).field("weights", memory.weights());
      json.field("cache", memory.cache()).field("buffers", memory.buffers());
      json.field("total", memory.total()).endObject();
    }
    json.endArray();
    json.field("replicated", memory.replicated()).field("decoded", memory.decoded());
    json.field("bytesPerToken", memory.bytesPerToken()).field("context", memory.context());
    if (memory.budget() == 0) {
      json.name("budget").nothing().name("fits").nothing().name("spare").nothing();
      json.name("longestContext").nothing();
    } else {
      json.field("budget", memory.budget()).field("fits", memory.fits());
      json.field("spare", memory.spare()).field("longestContext", memory.longestContext());
    }
    json.field("notCounted", memory.notCounted()).endObject();
  }

  @Override
  public void write(TextWriter text) {
    if (memory == null) {
      return;
    }
    text.spaces(9).text("each of " + Numbers.of(memory.ranks(), "rank") + " takes ");
    text.text(Numbers.size(memory.total())).text(": weights ");
    text.text(Numbers.size(memory.weights())).text(", cache ");
    text.text(Numbers.size(memory.cache())).text(" for ");
    text.text(Numbers.of(memory.context(), "token")).text(" (");
    text.text(Numbers.grouped(memory.bytesPerToken())).text(" bytes a token)").newline();
    if (memory.budget() > 0) {
      text.spaces(9);
      text.text(memory.fits() ? "fits, " : "does not fit, ");
      text.text(Numbers.size(Math.abs(memory.spare())));
      text.text(memory.fits() ? " to spare of " : " more than ");
      text.text(Numbers.size(memory.budget())).text("; longest context that fits: ");
      text.text(Numbers.of(memory.longestContext(), "token")).newline();
    }
    text.spaces(9).text("not counted: " + String.join("; ", memory.notCounted())).newline();
  }
}
