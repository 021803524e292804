package dev.gguf.cli;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.Tensor;
import dev.gguf.cli.render.Judged;
import dev.gguf.cli.render.Numbers;
import dev.gguf.mapping.checkpoint.Checkpoint;
import dev.gguf.mapping.compare.ModelComparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// `gguf compare`: values beside those of the checkpoint.
final class CompareCommand extends Command {
  @Override
  String summary() {
    return "Every mapped tensor's values beside the checkpoint that the file was made from";
  }

  @Override
  List<String> description() {
    return List.of(
        "Each parameter is rebuilt from its tensors: experts taken apart, heads put in order,"
            + " kv_b_proj joined. The relative error is a fraction of what the tensor's type allows:"
            + " 0 is equal, 1 the limit. A tensor that differs is named as what it is, where that"
            + " can be found out: of another layer, exchanged, transposed, off by one.");
  }

  @Override
  boolean hasVerdict() {
    return true;
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.positional(
        "CHECKPOINT", "Folder with safetensors files, one such file, or its index.", 1, 1);
    syntax.value("--sample", "F", "Share of the rows to read, such as 0.01; default all.");
    syntax.value("--filter", "GLOB", "Only tensors whose names fit; * and ? stand for characters.");
    syntax.value("--threads", "N", "How many threads; default one for each processor.");
  }

  @Override
  int run(Call call) throws IOException {
    double sample = call.sample();
    int processors = Runtime.getRuntime().availableProcessors();
    int threads = (int) call.number("--threads", processors, 1, 256);
    String filter = call.option("--filter");
    Glob glob = filter == null ? null : new Glob(filter);
    Predicate<Tensor> tensors =
        glob == null ? ModelComparison.Options.ALL.tensors() : t -> glob.matches(t.name());
    ModelComparison.Options options = new ModelComparison.Options(sample, tensors, threads);
    try (Inspection inspection = Inputs.inspect(call.positional(0));
        Checkpoint checkpoint = Checkpoints.open(call.positional(1))) {
      return judge(call, inspection, checkpoint, options, filter);
    }
  }

  private static int judge(
      Call call,
      Inspection inspection,
      Checkpoint checkpoint,
      ModelComparison.Options options,
      @Nullable String filter)
      throws IOException {
    Path path = Path.of(call.positional(0));
    List<Finding> findings = new ArrayList<>(inspection.findings());
    Gguf gguf = inspection.gguf().orElse(null);
    if (gguf == null) {
      Judged judged = Judged.of(path, inspection, findings);
      return call.judge("compare", List.of(judged.withDetail(new CompareDetail(List.of()))));
    }
    ModelComparison.Result result =
        ModelComparison.compare(
            gguf,
            checkpoint,
            options,
            (done, all, parameter) ->
                call.output()
                    .progress(
                        Numbers.percent(done, all)
                            + " of "
                            + Numbers.size(all)
                            + "  "
                            + parameter));
    call.output().progress("");
    if (filter != null && result.names().isPresent() && result.parameters().isEmpty()) {
      throw CommandException.failure(
          path + ": no tensor that fits " + filter + " feeds a parameter of the checkpoint");
    }
    findings.addAll(result.report().findings());
    Judged judged =
        Judged.of(path, inspection, findings)
            .withMapping(CheckCommand.count(result.names().map(n -> n.mapping()).orElse(null)))
            .withDetail(new CompareDetail(result.parameters()));
    return call.judge("compare", List.of(judged));
  }
}
