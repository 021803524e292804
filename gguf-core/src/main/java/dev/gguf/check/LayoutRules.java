package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/// Where the bytes of one file's tensors lie: alignment, order, overlaps, gaps, and what follows
/// the last one.
final class LayoutRules {
  private static final int MAX_PADDINGS = 4096;
  private static final long MAX_PADDING = 1 << 20;

  private final GgufFile file;
  private final List<Finding> findings;
  private final List<Tensor> tensors;
  private final long mask;

  private final Group misaligned = new Group(FileRule.TENSOR_MISALIGNED, "tensors");
  private final Group overlap = new Group(FileRule.TENSOR_OVERLAP, "tensors");
  private final Group order = new Group(FileRule.TENSOR_ORDER, "tensors");
  private final Group gap = new Group(FileRule.TENSOR_GAP, "gaps");
  private final Group padding = new Group(FileRule.PADDING_NONZERO, "paddings");
  private int paddings;

  private LayoutRules(GgufFile file, List<Finding> findings) {
    this.file = file;
    this.findings = findings;
    this.tensors = file.tensors();
    this.mask = file.alignment() - 1;
  }

  /// Judges a file whose header could be read to its end; others have no known layout.
  ///
  /// @throws GgufException if padding cannot be read
  static void check(GgufFile file, List<Finding> findings) throws GgufException {
    if (file.isHeaderComplete() && file.dataStart() >= 0 && file.dataStart() <= file.size()) {
      new LayoutRules(file, findings).check();
    }
  }

  private void check() throws GgufException {
    zeros(file.headerEnd(), file.dataStart());
    fileOrder();
    long end = byOffset();
    misaligned.addTo(findings);
    overlap.addTo(findings);
    order.addTo(findings);
    gap.addTo(findings);
    end(end);
    padding.addTo(findings);
  }

  private void fileOrder() {
    long last = -1;
    for (Tensor tensor : tensors) {
      long offset = tensor.offset();
      if ((offset & mask) != 0 && misaligned.add()) {
        misaligned.set(
            of(
                FileRule.TENSOR_MISALIGNED,
                tensor,
                tensor.name()
                    + " lies at data offset "
                    + Long.toUnsignedString(offset)
                    + ", which is no multiple of the alignment "
                    + file.alignment()));
      }
      if (offset >= 0 && offset < last && order.add()) {
        order.set(
            of(
                    FileRule.TENSOR_ORDER,
                    tensor,
                    tensor.name()
                        + " lies at data offset "
                        + offset
                        + ", before the tensor that stands before it in the table")
                .withHint(
                    "llama.cpp wants tensors in the order of the table: write the file again"));
      }
      last = offset >= 0 ? offset : last;
    }
  }

  /// Walks the tensors as they lie and returns the end of the last one, from the data start.
  private long byOffset() throws GgufException {
    Tensor[] sorted = sorted();
    long end = 0;
    Tensor last = null;
    for (Tensor tensor : sorted) {
      long from = tensor.offset();
      long to = from + tensor.bytes();
      to = to < 0 ? Long.MAX_VALUE : to;
      if (tensor.bytes() > 0 && from < end && last != null) {
        if (overlap.add()) {
          overlap.set(
              of(
                  FileRule.TENSOR_OVERLAP,
                  tensor,
                  tensor.name()
                      + " starts at data offset "
                      + from
                      + ", inside "
                      + last.name()
                      + ", which ends at "
                      + end));
        }
      } else {
        between(end, from, tensor, last);
      }
      if (to > end) {
        end = to;
        last = tensor;
      }
    }
    return end;
  }

  /// The tensors with an offset of 63 bits, by where they lie.
  private Tensor[] sorted() {
    Tensor[] sorted = tensors.toArray(new Tensor[0]);
    int kept = 0;
    boolean rising = true;
    for (Tensor tensor : tensors) {
      if (tensor.offset() >= 0) {
        rising &= kept == 0 || sorted[kept - 1].offset() <= tensor.offset();
        sorted[kept++] = tensor;
      }
    }
    sorted = kept == sorted.length ? sorted : Arrays.copyOf(sorted, kept);
    if (!rising) {
      Arrays.sort(sorted, (a, b) -> Long.compare(a.offset(), b.offset()));
    }
    return sorted;
  }

  private void between(long end, long from, Tensor tensor, Tensor last) throws GgufException {
    long padded = end + (-end & mask);
    if (padded < 0 || from <= padded) {
      zeros(file.dataStart() + end, file.dataStart() + from);
      return;
    }
    zeros(file.dataStart() + end, file.dataStart() + padded);
    if (gap.add()) {
      gap.set(
          of(
                  FileRule.TENSOR_GAP,
                  tensor,
                  (from - padded)
                      + " bytes that belong to no tensor lie before "
                      + tensor.name()
                      + (last == null ? ", the first one" : ", after " + last.name()))
              .withHint("llama.cpp wants tensors without gaps: write the file again"));
    }
  }

  /// What lies between the end of the last tensor and the end of the file.
  private void end(long dataEnd) throws GgufException {
    long end = file.dataStart() + dataEnd;
    if (end < 0 || end > file.size()) {
      return;
    }
    long padded = end + (-end & mask);
    long used = padded < 0 ? file.size() : Math.min(padded, file.size());
    if (tensors.isEmpty() && !isZero(end, used)) {
      // Nothing has to pad a file without tensors, so these bytes are not padding.
      Trailing.check(file, end, findings);
      return;
    }
    zeros(end, used);
    if (file.size() > used) {
      Trailing.check(file, padded, findings);
    } else if (used < padded && dataEnd > 0) {
      findings.add(
          Finding.of(
                  FileRule.FINAL_PADDING,
                  "the file ends with its last tensor: "
                      + (padded - used)
                      + " bytes of padding after it are left out, which engines do not need")
              .at(file.path(), used));
    }
  }

  private void zeros(long from, long to) throws GgufException {
    if (from >= to || paddings >= MAX_PADDINGS || to > file.size() || file.isHeaderOnly()) {
      return;
    }
    paddings++;
    if (!isZero(from, to) && padding.add()) {
      padding.set(
          Finding.of(
                  FileRule.PADDING_NONZERO,
                  "the "
                      + (to - from)
                      + " bytes of padding at byte "
                      + from
                      + " are not all zero; readers skip them")
              .at(file.path(), from));
    }
  }

  /// Looks at no more than the first MiB, since an alignment may be of any size.
  private boolean isZero(long from, long to) throws GgufException {
    long end = Math.min(to, from + MAX_PADDING);
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.clamp(end - from, 0L, 4096L));
    for (long at = from; at < end; at += bytes.capacity()) {
      int n = file.read(at, bytes.clear().limit((int) Math.min(bytes.capacity(), end - at)));
      for (int i = 0; i < n; i++) {
        if (bytes.get(i) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private Finding of(FileRule rule, Tensor tensor, String message) {
    return Finding.of(rule, message)
        .about(Subject.tensor(tensor.name()))
        .at(file.path(), tensor.infoOffset());
  }
}
