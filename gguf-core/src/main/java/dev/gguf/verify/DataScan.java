package dev.gguf.verify;

import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFormatException;
import dev.gguf.Tensor;
import dev.gguf.internal.MappedReads;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Scans the data of a model: every value of the plain types and every scale of the others, zeros
/// where weights should be, and holes of sparse files.
///
/// Memory does not grow with the size of the data. The work is cut into parts in the order of the
/// files; threads take the next part each, and since what is found is counted by tensor, the report
/// is the same whatever their number.
public final class DataScan {
  private final List<Tensor> tensors;
  private final ScanOptions options;
  private final ScanPlan plan;
  private final Tally[] tallies;
  private final Object lock = new Object();

  private int next;
  private long done;
  private @Nullable Throwable failure;
  private volatile boolean stopped;

  private DataScan(Gguf gguf, ScanOptions options) throws GgufException {
    this.tensors = gguf.tensors();
    this.options = options;
    this.plan = ScanPlan.of(gguf, options.sample());
    this.tallies = new Tally[tensors.size()];
    for (int i = 0; i < tallies.length; i++) {
      tallies[i] = new Tally();
      tallies[i].holes = plan.holes(i);
    }
  }

  /// Scans a model. Tensors that lie outside their file are left out, as far as that is their
  /// file's fault: such a model cannot be opened, only inspected.
  ///
  /// An interruption of the calling thread ends the scan early and leaves the thread interrupted; a
  /// file that shrinks meanwhile is a finding and ends it too. The report then says that it is not
  /// complete.
  ///
  /// @throws GgufException if a file cannot be read
  /// @throws IllegalStateException if the model is closed
  public static DataReport scan(Gguf gguf, ScanOptions options) throws GgufException {
    DataScan scan = new DataScan(gguf, options);
    boolean complete = scan.run();
    Finding changed = scan.changed();
    ScanFindings found = new ScanFindings(gguf, options, scan.tallies, scan.plan);
    boolean whole = complete && changed == null;
    List<DataFinding> findings = found.all(whole);
    if (whole && (options.manifest() != null || options.sample() == 1 && !options.asGgml())) {
      digests(gguf, options, findings);
    }
    if (changed != null) {
      findings.add(new DataFinding(changed, true, null, 1, null));
    }
    long read = 0;
    long holes = 0;
    long all = 0;
    boolean inside = true;
    for (int i = 0; i < scan.tallies.length; i++) {
      inside &= scan.tensors.get(i).isInsideFile();
      read += scan.tallies[i].read;
      holes += scan.tallies[i].holes;
      all += scan.tensors.get(i).bytes();
    }
    return new DataReport(
        findings, all, read, holes, scan.plan.holesKnown(), whole && inside && !isInterrupted());
  }

  private static void digests(Gguf gguf, ScanOptions options, List<DataFinding> findings)
      throws GgufException {
    Path manifest = options.manifest();
    try {
      findings.addAll(
          manifest == null
              ? FileDigest.besideEach(gguf, options.progress())
              : FileDigest.of(gguf, manifest, options));
    } catch (GgufException e) {
      // An interruption closes the channel that is being read.
      if (!isInterrupted()) {
        throw e;
      }
    }
  }

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  private boolean run() throws GgufException {
    List<Thread> threads = new ArrayList<>();
    int count = Math.min(options.threads(), Math.max(1, plan.parts().size()));
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofPlatform().daemon().name("gguf-scan-" + i).start(this::work));
    }
    boolean interrupted = join(threads);
    Throwable failed = failure;
    if (failed instanceof GgufException e && changed() == null) {
      throw e;
    }
    if (failed instanceof RuntimeException e) {
      throw e;
    }
    if (failed instanceof Error e) {
      throw e;
    }
    return !interrupted;
  }

  /// Waits for the threads, which soon end after an interruption; true if there was one.
  private boolean join(List<Thread> threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (true) {
        try {
          thread.join();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
          stopped = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return interrupted;
  }

  private @Nullable Finding changed() {
    return failure instanceof GgufFormatException e ? e.finding() : null;
  }

  private void work() {
    try {
      ByteBuffer buffer = plan.isSample() ? ByteBuffer.allocateDirect((int) plan.step()) : null;
      for (ScanPlan.Part part = take(); part != null; part = take()) {
        scan(part, buffer);
      }
    } catch (GgufException | RuntimeException | Error e) {
      synchronized (lock) {
        stopped = true;
        failure = failure == null ? e : failure;
      }
    }
  }

  private ScanPlan.@Nullable Part take() {
    synchronized (lock) {
      return stopped || next == plan.parts().size() ? null : plan.parts().get(next++);
    }
  }

  private void scan(ScanPlan.Part part, @Nullable ByteBuffer buffer) throws GgufException {
    Tensor tensor = tensors.get(part.tensor());
    RangeScan scan = new RangeScan(tensor);
    try {
      if (buffer == null) {
        MemorySegment data = tensor.data();
        MappedReads.run(
            tensor, () -> scan.scan(data, part.from(), part.from(), part.to(), this::isStopped));
      } else {
        read(tensor, part, buffer);
        MemorySegment data = MemorySegment.ofBuffer(buffer.flip());
        scan.scan(data, 0, part.from(), part.to(), this::isStopped);
      }
    } finally {
      synchronized (lock) {
        tallies[part.tensor()].add(scan.tally());
        done += scan.tally().read;
        options.progress().update(tensor.name(), done, plan.bytes());
      }
    }
  }

  private static void read(Tensor tensor, ScanPlan.Part part, ByteBuffer buffer)
      throws GgufException {
    buffer.clear().limit((int) part.bytes());
    if (tensor.file().read(tensor.fileOffset() + part.from(), buffer) < part.bytes()) {
      // Says that the file shrank, if that is why.
      MappedReads.run(tensor, () -> {});
      throw new GgufException(
          tensor.file().path() + ": the bytes of " + tensor.name() + " cannot be read");
    }
  }

  private boolean isStopped() {
    return stopped;
  }
}
