package dev.gguf.cli;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.check.FileCheck;
import dev.gguf.cli.render.Judged;
import dev.gguf.verify.DataReport;
import dev.gguf.verify.DataScan;
import dev.gguf.verify.ScanOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `gguf verify`: is the data sound, block by block.
final class VerifyCommand extends Command {
  private static final int MOST_THREADS = 256;

  @Override
  String summary() {
    return "Is the data sound: every value and every scale of every tensor, zeros and holes";
  }

  @Override
  List<String> description() {
    return List.of(
        "Reads all tensor data, not only the header, which check judges. On a terminal it shows how"
            + " far it has come; Ctrl-C ends it with what was found so far.");
  }

  @Override
  boolean hasVerdict() {
    return true;
  }

  @Override
  void describe(Syntax syntax) {
    syntax.file();
    syntax.value("--sample", "F", "Read only this share, such as 0.01, spread over all tensors.");
    syntax.value("--threads", "N", "How many threads; default one a processor, up to 4.");
    syntax.flag("Only what the data check of ggml itself refuses.", "--as-ggml");
    syntax.value(
        "--manifest",
        "FILE",
        "Hold the data against digests too: lines of gguf hash, or of sha256sum. Without it, against"
            + " NAME.sha256 beside the file.");
  }

  @Override
  int run(Call call) throws IOException {
    ScanOptions options =
        ScanOptions.DEFAULT.withSample(call.sample()).withAsGgml(call.has("--as-ggml"));
    String manifest = call.option("--manifest");
    if (manifest != null) {
      if (options.sample() < 1 || options.asGgml()) {
        throw CommandException.usage(
            "--manifest: goes with neither --sample nor --as-ggml; digests are of all data");
      }
      options = options.withManifest(OptionFiles.path(manifest));
    }
    int threads = (int) call.number("--threads", options.threads(), 1, MOST_THREADS);
    Path path = Path.of(call.positional(0));
    try (Inspection inspection = Inputs.inspect(call.positional(0))) {
      List<Finding> findings = new ArrayList<>(inspection.findings());
      Gguf gguf = inspection.gguf().orElse(null);
      if (gguf == null) {
        return call.judge("verify", List.of(Judged.of(path, inspection, findings)));
      }
      if (!options.asGgml()) {
        padding(inspection, findings);
      }
      try (Interruption interruption = new Interruption();
          ProgressLine progress = new ProgressLine(call.output())) {
        DataReport report =
            DataScan.scan(gguf, options.withThreads(threads).withProgress(progress));
        progress.clear();
        boolean interrupted = interruption.isSeen();
        findings.addAll(report.plainFindings());
        ScanDetail detail =
            new ScanDetail(report, options.sample(), progress.seconds(), interrupted);
        Judged judged = Judged.of(path, inspection, findings).withDetail(detail);
        int status = call.judge("verify", List.of(judged));
        if (interrupted) {
          call.output().note("gguf: interrupted; what is not read yet is not judged");
        }
        return interrupted ? Exit.INTERRUPTED : status;
      }
    }
  }

  /// Padding is data that no tensor has; what is in it is the one thing that the check of the file
  /// and the scan both tell.
  private static void padding(Inspection inspection, List<Finding> findings) {
    for (Finding finding : FileCheck.check(inspection).findings()) {
      if (finding.rule() == FileRule.PADDING_NONZERO) {
        findings.add(finding);
      }
    }
  }
}
