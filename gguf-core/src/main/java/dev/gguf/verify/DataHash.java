package dev.gguf.verify;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Tensor;
import dev.gguf.internal.MappedReads;
import dev.gguf.verify.Hasher.OfDigest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Hashes the data of a model, as llama-gguf-hash does: the bytes of tensors, without padding and
/// metadata; for each tensor, and for all of them one after the other.
///
/// The hash of a whole model needs all bytes in their order, so it cannot be put together from the
/// tensors' hashes: with both, every byte is hashed twice. That is what several threads divide
/// among themselves; all of them stay close together, so that the data is read from disk once.
public final class DataHash {
  private static final int CHUNK = 16 * 1024;
  private static final long PART = 32L << 20;
  private static final long LEAD = 256L << 20;
  private static final long PAUSE_NANOS = 200_000;

  private final Gguf gguf;
  private final ScanProgress progress;
  private final List<Map<HashAlgorithm, String>> ofTensors = new ArrayList<>();
  private final List<Map<HashAlgorithm, String>> ofFiles = new ArrayList<>();
  private final Map<HashAlgorithm, String> ofModel = new EnumMap<>(HashAlgorithm.class);
  private final long total;
  private final List<Lane> lanes = new ArrayList<>();
  private final AtomicLongArray positions;
  private volatile @Nullable Throwable failure;

  private DataHash(
      Gguf gguf,
      Collection<HashAlgorithm> algorithms,
      boolean tensors,
      int threads,
      ScanProgress progress) {
    this.gguf = gguf;
    this.progress = progress;
    long bytes = 0;
    for (Tensor tensor : gguf.tensors()) {
      ofTensors.add(new EnumMap<>(HashAlgorithm.class));
      bytes += tensor.bytes();
    }
    gguf.files().forEach(file -> ofFiles.add(new EnumMap<>(HashAlgorithm.class)));
    this.total = bytes;
    List<Stream> streams = new ArrayList<>();
    for (HashAlgorithm algorithm : algorithms) {
      streams.add(new Stream(algorithm, Scope.MODEL));
      if (gguf.files().size() > 1) {
        streams.add(new Stream(algorithm, Scope.FILE));
      }
      if (tensors) {
        streams.add(new Stream(algorithm, Scope.TENSOR));
      }
    }
    divide(streams, Math.min(threads, streams.size()));
    this.positions = new AtomicLongArray(lanes.size());
  }

  /// What a hash is over.
  private enum Scope {
    TENSOR,
    FILE,
    MODEL
  }

  /// One algorithm over one sequence of bytes after the other.
  private static final class Stream {
    final HashAlgorithm algorithm;
    final Scope scope;
    final Hasher hasher;

    Stream(HashAlgorithm algorithm, Scope scope) {
      this.algorithm = algorithm;
      this.scope = scope;
      this.hasher = algorithm.start();
    }

    /// Returns about how long a byte takes, in comparison.
    int cost() {
      return algorithm == HashAlgorithm.XXH64 ? 1 : 8;
    }
  }

  /// Hashes a model.
  ///
  /// @param algorithms which hashes; all are made in one pass over the data
  /// @param tensors whether every tensor gets hashes of its own
  /// @param threads how many threads, at least 1
  /// @param progress is told how far it has come
  /// @throws GgufException if data cannot be read, the file shrinks meanwhile, or the calling
  ///   thread is interrupted, which it stays
  /// @throws IllegalArgumentException if there are no algorithms or no threads
  public static HashReport hash(
      Gguf gguf,
      Collection<HashAlgorithm> algorithms,
      boolean tensors,
      int threads,
      ScanProgress progress)
      throws GgufException {
    if (algorithms.isEmpty() || threads < 1) {
      throw new IllegalArgumentException(
          algorithms.size() + " algorithms on " + threads + " threads");
    }
    DataHash hash = new DataHash(gguf, algorithms, tensors, threads, progress);
    hash.run();
    return hash.report(tensors);
  }

  /// Hashes the bytes of one tensor, in one pass however many algorithms.
  ///
  /// @return lower-case hexadecimal, most significant digit first
  /// @throws GgufException if the data cannot be read, or the file shrinks meanwhile
  public static Map<HashAlgorithm, String> hash(Tensor tensor, Collection<HashAlgorithm> algorithms)
      throws GgufException {
    List<Stream> streams = new ArrayList<>();
    algorithms.forEach(algorithm -> streams.add(new Stream(algorithm, Scope.TENSOR)));
    Buffer buffer = new Buffer();
    for (long from = 0; from < tensor.bytes(); from += PART) {
      buffer.feed(tensor, from, Math.min(tensor.bytes(), from + PART), streams);
    }
    Map<HashAlgorithm, String> hashes = new EnumMap<>(HashAlgorithm.class);
    streams.forEach(stream -> hashes.put(stream.algorithm, stream.hasher.finish()));
    return hashes;
  }

  /// Gives each stream, the slowest first, to the lane that has the least to do.
  private void divide(List<Stream> streams, int count) {
    for (int i = 0; i < count; i++) {
      lanes.add(new Lane(i));
    }
    streams.sort((a, b) -> b.cost() - a.cost());
    for (Stream stream : streams) {
      Lane idlest = lanes.getFirst();
      for (Lane lane : lanes) {
        idlest = lane.cost < idlest.cost ? lane : idlest;
      }
      idlest.streams.add(stream);
      idlest.cost += stream.cost();
    }
  }

  private void run() throws GgufException {
    List<Thread> threads = new ArrayList<>();
    for (Lane lane : lanes) {
      threads.add(Thread.ofPlatform().daemon().name("gguf-hash-" + lane.number).start(lane));
    }
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
          failure = e;
        }
      }
    }
    Throwable failed = failure;
    if (interrupted) {
      Thread.currentThread().interrupt();
      throw new GgufException(gguf.files().getFirst().path() + ": hashing was interrupted");
    }
    switch (failed) {
      case GgufException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> {}
    }
  }

  private HashReport report(boolean tensors) {
    List<HashReport.OfTensor> each = new ArrayList<>();
    for (int i = 0; tensors && i < ofTensors.size(); i++) {
      each.add(new HashReport.OfTensor(gguf.tensors().get(i), ofTensors.get(i)));
    }
    List<HashReport.OfFile> files = new ArrayList<>();
    for (int i = 0; i < ofFiles.size(); i++) {
      boolean alone = ofFiles.size() == 1;
      files.add(new HashReport.OfFile(gguf.files().get(i), alone ? ofModel : ofFiles.get(i)));
    }
    return new HashReport(each, files, ofModel);
  }

  private void put(Map<HashAlgorithm, String> hashes, Stream stream) {
    // Several lanes may have hashes of one tensor.
    synchronized (ofModel) {
      hashes.put(stream.algorithm, stream.hasher.finish());
    }
  }

  /// The streams that one thread feeds.
  private final class Lane implements Runnable {
    final int number;
    final List<Stream> streams = new ArrayList<>();
    int cost;
    private long done;

    Lane(int number) {
      this.number = number;
    }

    @Override
    public void run() {
      try {
        Buffer buffer = new Buffer();
        int tensor = 0;
        for (int file = 0; file < gguf.files().size(); file++) {
          GgufFile of = gguf.files().get(file);
          for (int i = 0; i < of.tensors().size() && failure == null; i++) {
            feed(of.tensors().get(i), buffer);
            finish(Scope.TENSOR, ofTensors.get(tensor++));
          }
          finish(Scope.FILE, ofFiles.get(file));
        }
        finish(Scope.MODEL, ofModel);
      } catch (GgufException | RuntimeException | Error e) {
        failure = e;
      } finally {
        positions.set(number, Long.MAX_VALUE);
      }
    }

    private void finish(Scope scope, Map<HashAlgorithm, String> hashes) {
      for (Stream stream : streams) {
        if (stream.scope == scope) {
          put(hashes, stream);
        }
      }
    }

    private void feed(Tensor tensor, Buffer buffer) throws GgufException {
      for (long from = 0; from < tensor.bytes() && failure == null; from += PART) {
        long to = Math.min(tensor.bytes(), from + PART);
        buffer.feed(tensor, from, to, streams);
        done += to - from;
        positions.set(number, done);
        if (number == 0) {
          progress.update(tensor.name(), done, total);
        }
        waitForOthers();
      }
    }

    private void waitForOthers() {
      while (failure == null && done - last() > LEAD) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    private long last() {
      long last = Long.MAX_VALUE;
      for (int i = 0; i < positions.length(); i++) {
        last = Math.min(last, positions.get(i));
      }
      return last;
    }
  }

  /// A piece of the data small enough to stay in a cache while all hashes take it. The platform's
  /// digests take arrays; where there are none of them nothing is copied.
  private static final class Buffer {
    private final byte[] bytes = new byte[CHUNK];

    void feed(Tensor tensor, long from, long to, List<Stream> streams) throws GgufException {
      MemorySegment data = tensor.data();
      boolean copies = streams.stream().anyMatch(stream -> stream.hasher instanceof OfDigest);
      // One hash that copies nothing needs no cache.
      int step = streams.size() == 1 && !copies ? (int) PART : CHUNK;
      MappedReads.run(
          tensor,
          () -> {
            for (long at = from; at < to; at += step) {
              int length = (int) Math.min(step, to - at);
              if (copies) {
                MemorySegment.copy(data, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
              }
              take(data, at, length, streams);
            }
          });
    }

    private void take(MemorySegment data, long at, int length, List<Stream> streams) {
      for (Stream stream : streams) {
        if (stream.hasher instanceof Hasher.OfXxh64 xxh64) {
          xxh64.update(data.asSlice(at, length));
        } else {
          stream.hasher.update(bytes, length);
        }
      }
    }
  }
}
