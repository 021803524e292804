package dev.gguf.mapping.compare;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.check.Report;
import dev.gguf.mapping.MappedTensors;
import dev.gguf.mapping.Mapping;
import dev.gguf.mapping.NameMap;
import dev.gguf.mapping.Parameter;
import dev.gguf.mapping.checkpoint.Checkpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/// Every mapped tensor's values beside those of the checkpoint that the file was made from.
public final class ModelComparison {
  private static final int NAMED = 10;

  /// How to compare.
  ///
  /// @param sample share of each parameter's rows that is read, above 0 and at most 1
  /// @param tensors which tensors to compare; a parameter counts if one of its tensors does
  /// @param threads how many to use
  public record Options(double sample, Predicate<Tensor> tensors, int threads) {
    /// All values of all tensors on one thread.
    public static final Options ALL = new Options(1, _ -> true, 1);

    /// Checks the numbers.
    public Options {
      if (!(sample > 0 && sample <= 1) || threads < 1) {
        throw new IllegalArgumentException("sample " + sample + ", threads " + threads);
      }
    }
  }

  /// What a comparison says.
  ///
  /// @param parameters the worst first; those whose values cannot be read are told by findings
  ///   alone
  /// @param names the comparison of names and shapes, or empty where the architecture has no map
  /// @param report the findings
  public record Result(
      List<ParameterComparison> parameters, Optional<NameComparison> names, Report report) {}

  /// Is told of every parameter that has been compared.
  public interface Progress {
    /// Called after a parameter, or a range of them.
    ///
    /// @param done bytes of tensors compared so far
    /// @param all bytes of all tensors to compare
    /// @param parameter the one that is done
    void parameter(long done, long all, String parameter);
  }

  private ModelComparison() {}

  /// Compares.
  ///
  /// @throws GgufException if a file cannot be read any further
  public static Result compare(Gguf gguf, Checkpoint checkpoint, Options options, Progress progress)
      throws GgufException {
    String architecture = gguf.architecture().orElse("");
    NameMap map = NameMap.forArchitecture(architecture).orElse(null);
    if (map == null) {
      Finding finding =
          Finding.of(
              CompareRule.COMPARE_NO_MAP,
              architecture.isEmpty()
                  ? "the file names no architecture, so nothing says which parameters its tensors are"
                  : "there is no map of " + architecture + ", so nothing could be compared");
      return new Result(List.of(), Optional.empty(), new Report(List.of(finding)));
    }
    NameComparison names =
        NameComparison.of(map, gguf.metadata(), gguf.tensors(), NameComparison.names(checkpoint));
    List<RangeComparison.Outcome> outcomes =
        values(new Values(gguf, checkpoint, names), names.mapping(), options, progress);
    List<ParameterComparison> sorted = new ArrayList<>();
    List<ParameterComparison> unread = new ArrayList<>();
    for (RangeComparison.Outcome outcome : outcomes) {
      (outcome.unread() ? unread : sorted).add(outcome.comparison());
    }
    sorted.sort(
        Comparator.comparing(ParameterComparison::state)
            .thenComparingDouble(ParameterComparison::relativeError)
            .reversed());
    List<Finding> findings = new ArrayList<>();
    boolean filtered = !options.tensors().equals(Options.ALL.tensors());
    if (!filtered) {
      findings.addAll(names.findings("the checkpoint"));
    }
    findings.addAll(different(sorted, unread, filtered));
    if (!filtered && sorted.stream().allMatch(one -> one.compared() == 0)) {
      String why =
          names.common() == 0
              ? "the checkpoint has no parameter that the file feeds"
              : "of the "
                  + names.common()
                  + " parameters on both sides none could be read in the same shape";
      findings.add(nothing(gguf, checkpoint, why));
    }
    return new Result(List.copyOf(sorted), Optional.of(names), new Report(findings));
  }

  /// Returns the finding that nothing was compared.
  static Finding nothing(Gguf gguf, Checkpoint checkpoint, String why) {
    return Finding.of(
            CompareRule.COMPARE_NONE, "nothing was compared with " + checkpoint.path() + ": " + why)
        .in(gguf.files().getFirst().path())
        .withHint("name the checkpoint that the file was made from, and unpack a compressed file");
  }

  private static List<RangeComparison.Outcome> values(
      Values values, Mapping mapping, Options options, Progress progress) throws GgufException {
    List<MappedTensors> entries = new ArrayList<>();
    long all = 0;
    for (MappedTensors entry : mapping.mapped()) {
      if (entry.sources().stream().anyMatch(options.tensors())) {
        entries.add(entry);
        all += bytes(entry);
      }
    }
    List<RangeComparison.Outcome> comparisons = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(options.threads())) {
      List<Future<List<RangeComparison.Outcome>>> pending = new ArrayList<>();
      for (MappedTensors entry : entries) {
        pending.add(pool.submit(() -> compare(values, entry, options.sample())));
      }
      long done = 0;
      for (int i = 0; i < entries.size(); i++) {
        comparisons.addAll(get(pending.get(i), pool));
        done += bytes(entries.get(i));
        progress.parameter(done, all, entries.get(i).parameters().getFirst().name());
      }
    }
    return comparisons;
  }

  private static long bytes(MappedTensors entry) {
    long bytes = 0;
    for (Tensor tensor : entry.sources()) {
      bytes += tensor.bytes();
    }
    return bytes;
  }

  private static List<RangeComparison.Outcome> get(
      Future<List<RangeComparison.Outcome>> pending, ExecutorService pool) throws GgufException {
    try {
      return pending.get();
    } catch (ExecutionException e) {
      pool.shutdownNow();
      switch (e.getCause()) {
        case GgufException cause -> throw cause;
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new IllegalStateException(e);
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
      throw new GgufException("interrupted", e);
    }
  }

  private static List<RangeComparison.Outcome> compare(
      Values values, MappedTensors entry, double sample) throws GgufException {
    List<RangeComparison.Outcome> comparisons = new ArrayList<>();
    for (int i = 0; i < entry.parameters().size(); i++) {
      Parameter parameter = entry.parameters().get(i);
      boolean there = false;
      for (long expert = 0; expert < parameter.count() && !there; expert++) {
        there = values.names().inCheckpoint(parameter.name(expert)).isPresent();
      }
      if (there) {
        comparisons.add(RangeComparison.of(values, entry, i, sample));
      }
    }
    return comparisons;
  }

  /// One finding for each parameter that differs, as long as there are few.
  ///
  /// @param tellShapes whether shapes that differ have not been told with the names
  private static List<Finding> different(
      List<ParameterComparison> sorted, List<ParameterComparison> unread, boolean tellShapes) {
    List<Finding> findings = new ArrayList<>();
    List<ParameterComparison> different = new ArrayList<>();
    List<ParameterComparison> shapes = new ArrayList<>();
    for (ParameterComparison comparison : sorted) {
      if (comparison.state() == ParameterComparison.State.DIFFERENT) {
        (comparison.compared() > 0 ? different : shapes).add(comparison);
      }
    }
    if (tellShapes) {
      add(findings, CompareRule.COMPARE_SHAPE, shapes);
    }
    add(findings, CompareRule.COMPARE_DIFFERS, different);
    add(findings, CompareRule.COMPARE_UNREADABLE, unread);
    return findings;
  }

  private static void add(
      List<Finding> findings, CompareRule rule, List<ParameterComparison> comparisons) {
    for (ParameterComparison one : comparisons.subList(0, Math.min(NAMED, comparisons.size()))) {
      String error = one.compared() == 0 ? "" : " (largest error " + (float) one.maxError() + ")";
      findings.add(
          Finding.of(
                  rule,
                  String.join(" + ", one.sources())
                      + " -> "
                      + one.parameter()
                      + ": "
                      + one.diagnosis()
                      + error)
              .about(Subject.tensor(one.sources().getFirst())));
    }
    int more = comparisons.size() - NAMED;
    if (more > 0) {
      ParameterComparison next = comparisons.get(NAMED);
      findings.add(
          Finding.of(
                  rule,
                  more + " more parameters, first " + next.parameter() + ": " + next.diagnosis())
              .about(Subject.tensor(next.sources().getFirst())));
    }
  }
}
