package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.cli.render.Judged;
import dev.gguf.mapping.checkpoint.Checkpoint;
import dev.gguf.mapping.compare.KvBCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// `gguf kvb`: the two halves of `kv_b_proj`.
final class KvbCommand extends Command {
  @Override
  String summary() {
    return "Is each attn_k_b / attn_v_b pair complete and right, alone or beside a checkpoint";
  }

  @Override
  List<String> description() {
    return List.of(
        "Models with latent attention store kv_b_proj as two tensors, of which attn_k_b is"
            + " transposed head by head. With a checkpoint the matrix is rebuilt and compared value"
            + " by value, and what is wrong with it is named.");
  }

  @Override
  boolean hasVerdict() {
    return true;
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.value(
        "--reference",
        "CHECKPOINT",
        "Folder with safetensors files, one such file or its index, to compare with.");
    syntax.value("--layer", "N", "Only this layer.");
  }

  @Override
  int run(Call call) throws IOException {
    long layer = call.number("--layer", -1, 0, Integer.MAX_VALUE);
    String reference = call.option("--reference");
    try (Inspection inspection = Inputs.inspect(call.positional(0));
        Checkpoint checkpoint = reference == null ? null : Checkpoints.open(reference)) {
      return judge(call, inspection, checkpoint, (int) layer);
    }
  }

  private static int judge(
      Call call, Inspection inspection, @Nullable Checkpoint checkpoint, int layer)
      throws IOException {
    Path path = Path.of(call.positional(0));
    List<Finding> findings = new ArrayList<>(inspection.findings());
    Gguf gguf = inspection.gguf().orElse(null);
    if (gguf == null) {
      Judged judged = Judged.of(path, inspection, findings).withDetail(new KvbDetail(List.of()));
      return call.judge("kvb", List.of(judged));
    }
    KvBCheck.Result result =
        KvBCheck.check(
            gguf,
            checkpoint,
            layer < 0 ? OptionalInt.empty() : OptionalInt.of(layer),
            (done, all) -> call.output().progress("layer " + done + " of " + all));
    call.output().progress("");
    if (layer >= 0 && result.layers().isEmpty()) {
      throw CommandException.failure(
          path + ": layer " + layer + " has no attn_k_b, attn_v_b or attn_kv_b");
    }
    findings.addAll(result.report().findings());
    Judged judged =
        Judged.of(path, inspection, findings).withDetail(new KvbDetail(result.layers()));
    return call.judge("kvb", List.of(judged));
  }
}
