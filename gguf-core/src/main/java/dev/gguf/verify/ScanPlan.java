package dev.gguf.verify;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Tensor;
import dev.gguf.internal.Extents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What a scan reads, in the order of the files and of the tensors in them.
final class ScanPlan {
  /// A part of a tensor.
  ///
  /// @param tensor number of the tensor in the model
  /// @param from first byte in the tensor, a multiple of the block
  /// @param to end in the tensor
  record Part(int tensor, long from, long to) {
    long bytes() {
      return to - from;
    }
  }

  private static final long MAPPED = 32L << 20;
  private static final long SMALLEST_SAMPLE = 64L << 10;
  private static final long LARGEST_SAMPLE = 4L << 20;

  /// About how many parts there are at most, so that the plan of a file of any size is small.
  private static final long PARTS = 100_000;

  private final List<Tensor> tensors;
  private final double sample;
  private final List<Part> parts = new ArrayList<>();
  private final long[] holes;
  private final long step;
  private boolean holesKnown = true;
  private long bytes;

  private ScanPlan(Gguf gguf, double sample) {
    this.tensors = gguf.tensors();
    this.sample = sample;
    this.holes = new long[tensors.size()];
    long all = 0;
    for (Tensor tensor : tensors) {
      all += tensor.bytes();
    }
    this.step =
        sample < 1
            ? Math.clamp((long) (all * sample) / PARTS, SMALLEST_SAMPLE, LARGEST_SAMPLE)
            : Math.max(all / PARTS, MAPPED);
  }

  /// Plans a scan.
  ///
  /// @throws GgufException if a file cannot be mapped, as a compressed one, or be asked for its
  ///   holes
  static ScanPlan of(Gguf gguf, double sample) throws GgufException {
    ScanPlan plan = new ScanPlan(gguf, sample);
    int first = 0;
    for (GgufFile file : gguf.files()) {
      // Of a compressed file the header alone can be read, and its holes are not those of the data.
      file.data();
      try (Extents extents = Extents.of(file.path())) {
        plan.holesKnown &= extents.known();
        for (int i = 0; i < file.tensors().size(); i++) {
          plan.add(first + i, extents);
        }
      } catch (IOException e) {
        throw new GgufException(file.path() + ": cannot be read: " + e.getMessage(), e);
      }
      first += file.tensors().size();
    }
    return plan;
  }

  List<Part> parts() {
    return parts;
  }

  /// Returns the bytes of a tensor that the file system says were never written.
  long holes(int tensor) {
    return holes[tensor];
  }

  boolean holesKnown() {
    return holesKnown;
  }

  /// Returns the most bytes that a part has.
  long step() {
    return step;
  }

  boolean isSample() {
    return sample < 1;
  }

  /// Returns how many bytes the parts have together.
  long bytes() {
    return bytes;
  }

  private void add(int number, Extents extents) {
    Tensor tensor = tensors.get(number);
    if (tensor.bytes() == 0 || !tensor.isInsideFile()) {
      return;
    }
    long start = tensor.fileOffset();
    long end = start + tensor.bytes();
    int block = new RangeScan(tensor).blockBytes();
    long planned = 0;
    long data = extents.nextData(start);
    long written = 0;
    while (data < end) {
      long hole = Math.min(end, extents.nextHole(data));
      written += hole - data;
      long from = Math.max(planned, floor(data - start, block));
      long to = Math.min(tensor.bytes(), floor(hole - start + block - 1, block));
      if (from < to) {
        cut(number, from, to, block);
        planned = to;
      }
      data = extents.nextData(hole);
    }
    holes[number] = tensor.bytes() - written;
  }

  private void cut(int number, long from, long to, int block) {
    long size = to - from;
    long part = floor(step, block);
    long all = (size + part - 1) / part;
    long taken = sample < 1 ? Math.max(1, (long) Math.ceil(all * sample)) : all;
    for (long i = 0; i < taken; i++) {
      // The middle one of those that this one stands for, so that ends are not always left out or
      // always taken.
      long piece = (2 * i + 1) * all / (2 * taken);
      long at = from + piece * part;
      long end = Math.min(to, at + part);
      parts.add(new Part(number, at, end));
      bytes += end - at;
    }
  }

  private static long floor(long bytes, long block) {
    return bytes - bytes % block;
  }
}
