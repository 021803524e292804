package dev.gguf.verify;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Severity;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Puts what a scan counted into words.
final class ScanFindings {
  private final Gguf gguf;
  private final ScanOptions options;
  private final Tally[] tallies;
  private final ScanPlan plan;
  private final List<DataFinding> findings = new ArrayList<>();

  ScanFindings(Gguf gguf, ScanOptions options, Tally[] tallies, ScanPlan plan) {
    this.gguf = gguf;
    this.options = options;
    this.tallies = tallies;
    this.plan = plan;
  }

  /// Returns the findings, tensor by tensor, then those about several.
  ///
  /// @param complete whether everything was scanned that should be
  /// @throws GgufException if data that is compared with other data cannot be read
  List<DataFinding> all(boolean complete) throws GgufException {
    List<Tensor> tensors = gguf.tensors();
    for (int i = 0; i < tallies.length; i++) {
      tensor(tensors.get(i), tallies[i]);
    }
    types();
    if (!options.asGgml()) {
      holes();
      if (complete && !plan.isSample()) {
        equal(tensors);
      }
    }
    return findings;
  }

  private void equal(List<Tensor> tensors) throws GgufException {
    try {
      EqualData.find(tensors, tallies, findings);
    } catch (GgufException e) {
      // An interruption closes the channel that is being read.
      if (!Thread.currentThread().isInterrupted()) {
        throw e;
      }
    }
  }

  private void tensor(Tensor tensor, Tally tally) {
    String number = tensor.type().blockElements() == 1 ? "" : "with a scale that is ";
    if (tally.nan > 0) {
      add(tensor, DataRule.VALUE_NAN, tally.nan, tally.firstNan, number + "NaN");
    }
    if (tally.inf > 0) {
      add(tensor, DataRule.VALUE_INF, tally.inf, tally.firstInf, number + "Inf (infinite)");
    }
    if (tally.wide > 0) {
      wide(tensor, tally);
    }
    if (options.asGgml()) {
      return;
    }
    if (tally.strict > 0) {
      String what = "with a scale that is no number, of which ggml takes no notice";
      DataFinding.Place place = DataFinding.Place.of(tensor, tally.firstStrict);
      Finding finding = about(tensor, DataRule.SCALE_INVALID_STRICT, tally.strict, place, what);
      findings.add(new DataFinding(finding, false, tensor, tally.strict, place));
    }
    if (tally.implausible > 0) {
      implausible(tensor, tally);
    }
    zeros(tensor, tally);
  }

  private void add(Tensor tensor, DataRule rule, long count, long first, String what) {
    DataFinding.Place place = DataFinding.Place.of(tensor, first);
    Finding finding =
        about(tensor, rule, count, place, what)
            .withHint("ggml's data check refuses it too: make or download the file again");
    findings.add(new DataFinding(finding, true, tensor, count, place));
  }

  private void wide(Tensor tensor, Tally tally) {
    DataFinding.Place place = DataFinding.Place.of(tensor, tally.firstWide);
    String what = "beyond the range of a float, for which ggml's data check refuses them";
    Finding finding = about(tensor, DataRule.VALUE_INF, tally.wide, place, what);
    Severity severity = options.asGgml() ? Severity.ERROR : Severity.INFO;
    findings.add(new DataFinding(finding.withSeverity(severity), true, tensor, tally.wide, place));
  }

  private void implausible(Tensor tensor, Tally tally) {
    DataFinding.Place place = DataFinding.Place.of(tensor, tally.firstImplausible);
    String what = "below 1e-30 or above 1e30: they look stored in the other byte order";
    Finding finding = about(tensor, DataRule.VALUE_IMPLAUSIBLE, tally.implausible, place, what);
    findings.add(new DataFinding(finding, false, tensor, tally.implausible, place));
  }

  private static Finding about(
      Tensor tensor, DataRule rule, long count, DataFinding.Place place, String what) {
    boolean plain = tensor.type().blockElements() == 1;
    long all = tensor.elements() / tensor.type().blockElements();
    String message =
        tensor.name()
            + " ("
            + tensor.type()
            + "): "
            + count
            + " of "
            + all
            + (plain ? " values " : " blocks ")
            + what
            + ", first "
            + place.words(tensor);
    return Finding.of(rule, message)
        .about(Subject.tensor(tensor.name()))
        .at(tensor.file().path(), place.offset());
  }

  private void zeros(Tensor tensor, Tally tally) {
    long start = tensor.fileOffset();
    if (tally.isZero(tensor)) {
      if (tally.holes > tally.read) {
        // The finding about holes says it.
        return;
      }
      boolean normal = mayBeZero(tensor.name());
      String message =
          "all "
              + tensor.bytes()
              + " bytes of "
              + tensor.name()
              + " ("
              + tensor.type()
              + ") are zero"
              + (normal ? ", as is usual for such a tensor" : "");
      Finding finding = zero(tensor, DataRule.ZERO_TENSOR, message, start);
      findings.add(
          normal
              ? new DataFinding(
                  finding.withSeverity(Severity.INFO), false, tensor, tensor.bytes(), null)
              : new DataFinding(
                  finding.withHint(
                      "the weights were never written or the source had none: compare with the"
                          + " publisher's digest, or download the file again"),
                  false,
                  tensor,
                  tensor.bytes(),
                  null));
    } else if (tally.read > 0 && !tally.hasContent && !mayBeZero(tensor.name())) {
      String message =
          "all "
              + tally.read
              + " bytes of "
              + tensor.name()
              + " that were read are zero, of "
              + tensor.bytes();
      Finding finding = zero(tensor, DataRule.ZERO_RUN, message, start);
      findings.add(new DataFinding(finding, false, tensor, tally.read, null));
    } else if (tally.zeroPages > 0) {
      long bytes = tally.zeroPages * RangeScan.PAGE;
      long first = start + tally.firstZeroPage;
      String message =
          bytes
              + " bytes inside "
              + tensor.name()
              + " ("
              + tensor.type()
              + ") are zero, in "
              + tally.zeroPages
              + (tally.zeroPages == 1 ? " page of " : " pages of ")
              + RangeScan.PAGE
              + " bytes; the first begins at byte "
              + tally.firstZeroPage
              + " of the tensor";
      Finding finding = zero(tensor, DataRule.ZERO_RUN, message, first);
      findings.add(new DataFinding(finding, false, tensor, bytes, null));
    }
  }

  private static Finding zero(Tensor tensor, DataRule rule, String message, long offset) {
    return Finding.of(rule, message)
        .about(Subject.tensor(tensor.name()))
        .at(tensor.file().path(), offset);
  }

  /// A bias may be zero, and so may the types of tokens of BERT, which knows two and often has one.
  static boolean mayBeZero(String name) {
    return name.endsWith(".bias") || name.endsWith("_b") || name.equals("token_types.weight");
  }

  /// Tells once for each type that ggml refuses it, or that nothing here can judge it.
  private void types() {
    Map<TensorType, List<Tensor>> others = new LinkedHashMap<>();
    for (Tensor tensor : gguf.tensors()) {
      TensorType type = tensor.type();
      boolean refused = type.equals(TensorType.Q8_1) || type.kind() != TensorType.Kind.CURRENT;
      if (refused || !Judge.isKnown(type, tensor.file().byteOrder()) && !options.asGgml()) {
        others.computeIfAbsent(type, t -> new ArrayList<>()).add(tensor);
      }
    }
    others.forEach(this::type);
  }

  private void type(TensorType type, List<Tensor> tensors) {
    Tensor first = tensors.getFirst();
    long bytes = 0;
    for (Tensor tensor : tensors) {
      bytes += tensor.bytes();
    }
    boolean refused = type.equals(TensorType.Q8_1) || type.kind() != TensorType.Kind.CURRENT;
    boolean judged = Judge.isKnown(type, first.file().byteOrder());
    String of = type.fork().map(fork -> " (" + fork + ")").orElse("");
    String message =
        (tensors.size() == 1 ? "1 tensor" : tensors.size() + " tensors")
            + " of type "
            + type
            + of
            + ", "
            + bytes
            + " bytes, first "
            + first.name()
            + ": "
            + (judged
                ? "ggml's data check refuses the type whatever the bytes are"
                : "the blocks were not judged, as their layout is not that of a ggml type"
                    + (refused ? "; ggml refuses the type" : " in this byte order"));
    Finding finding =
        Finding.of(judged ? DataRule.TYPE_REFUSED : DataRule.TYPE_NOT_JUDGED, message)
            .about(Subject.tensor(first.name()))
            .at(first.file().path(), first.fileOffset());
    Severity severity = options.asGgml() ? Severity.ERROR : Severity.INFO;
    findings.add(new DataFinding(finding.withSeverity(severity), refused, first, bytes, null));
  }

  private void holes() {
    Map<dev.gguf.GgufFile, long[]> byFile = new LinkedHashMap<>();
    Map<dev.gguf.GgufFile, Tensor> firsts = new LinkedHashMap<>();
    for (int i = 0; i < tallies.length; i++) {
      if (tallies[i].holes > 0) {
        Tensor tensor = gguf.tensors().get(i);
        long[] counts = byFile.computeIfAbsent(tensor.file(), file -> new long[2]);
        counts[0] += tallies[i].holes;
        counts[1]++;
        firsts.putIfAbsent(tensor.file(), tensor);
      }
    }
    firsts.forEach((file, first) -> {
      long[] counts = byFile.getOrDefault(file, new long[2]);
      String message =
          counts[0]
              + " bytes of "
              + counts[1]
              + (counts[1] == 1 ? " tensor" : " tensors")
              + ", first "
              + first.name()
              + ", were never written: the file system says that they"
              + " are a hole, and they read as zero";
      Finding finding =
          Finding.of(DataRule.HOLE, message)
              .about(Subject.tensor(first.name()))
              .at(file.path(), first.fileOffset())
              .withHint("a download that did not finish leaves this: download the file again");
      findings.add(new DataFinding(finding, false, first, counts[0], null));
    });
  }
}
