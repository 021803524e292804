package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.TensorType;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The entries of the tensor tables, each by itself and by its name: names, dimensions, types.
final class TableRules {
  private static final int MAX_NAME_BYTES = 63;
  private static final long MAX_COMPARED = 1 << 24;

  private final Group nameEmpty = new Group(FileRule.TENSOR_NAME_EMPTY, "tensors");
  private final Group nameLong = new Group(FileRule.TENSOR_NAME_LONG, "tensors");
  private final Group nameZero = new Group(FileRule.TENSOR_NAME_ZERO, "tensors");
  private final Group duplicate = new Group(FileRule.TENSOR_NAME_DUPLICATE, "tensors");
  private final Group empty = new Group(FileRule.TENSOR_EMPTY, "tensors");
  private final Group removed = new Group(FileRule.TYPE_REMOVED, "tensors");
  private final Group fork = new Group(FileRule.TYPE_OF_FORK, "tensors");
  private final Group unknown = new Group(FileRule.TYPE_UNKNOWN, "tensors");
  private final Group row = new Group(FileRule.ROW_SIZE, "tensors");

  private TableRules() {}

  static void check(Gguf gguf, List<Finding> findings) throws GgufException {
    TableRules rules = new TableRules();
    for (Tensor tensor : gguf.tensors()) {
      rules.name(tensor);
      rules.dimensions(tensor);
      rules.type(tensor);
    }
    if (gguf.nameCount() < gguf.tensors().size()) {
      rules.duplicates(gguf.tensors());
    }
    rules.duplicate.addTo(findings);
    rules.nameLong.addTo(findings);
    rules.nameZero.addTo(findings);
    rules.removed.addTo(findings);
    rules.unknown.addTo(findings);
    rules.row.addTo(findings);
    rules.fork.addTo(findings);
    rules.nameEmpty.addTo(findings);
    rules.empty.addTo(findings);
  }

  private void name(Tensor tensor) {
    String name = tensor.name();
    if (name.isEmpty()) {
      if (nameEmpty.add()) {
        nameEmpty.set(
            Finding.of(
                    FileRule.TENSOR_NAME_EMPTY,
                    "a tensor " + ne(tensor) + " without a name, at byte " + tensor.infoOffset())
                .at(tensor.file().path(), tensor.infoOffset()));
      }
      return;
    }
    int bytes = name.length() > MAX_NAME_BYTES / 4 ? byteLength(tensor) : 0;
    if (bytes > MAX_NAME_BYTES && nameLong.add()) {
      nameLong.set(
          of(
                  FileRule.TENSOR_NAME_LONG,
                  tensor,
                  name + " has a name of " + bytes + " bytes, readers take at most 63")
              .withHint("give the tensor a name of at most 63 bytes"));
    }
    if (name.indexOf('\0') >= 0 && nameZero.add()) {
      nameZero.set(
          of(
              FileRule.TENSOR_NAME_ZERO,
              tensor,
              name + " has a name with a zero byte, where readers cut it"));
    }
  }

  private static int byteLength(Tensor tensor) {
    return tensor.nameBytes().length;
  }

  private void dimensions(Tensor tensor) {
    if (tensor.elements() == 0 && empty.add()) {
      empty.set(
          of(
              FileRule.TENSOR_EMPTY,
              tensor,
              tensor.name()
                  + " has the dimensions "
                  + ne(tensor)
                  + " and so no elements: ggml before August 2026 divides by zero"));
    }
  }

  private void type(Tensor tensor) {
    TensorType type = tensor.type();
    switch (type.kind()) {
      case CURRENT -> {}
      case REMOVED -> removed(tensor);
      case FORK -> fork(tensor);
      case UNKNOWN -> unknown(tensor);
    }
    if (type.hasLayout() && !tensor.hasExactSize()) {
      if (row.add()) {
        row.set(
            of(
                    FileRule.ROW_SIZE,
                    tensor,
                    tensor.name()
                        + " has rows of "
                        + tensor.ne(0)
                        + " elements, which is no multiple of the "
                        + type.blockElements()
                        + " of a "
                        + type
                        + " block")
                .withHint("keep tensors with such rows in F16, or in a type with smaller blocks"));
      }
    } else if (type.interleavedRows() > 1
        && tensor.ne(1) % type.interleavedRows() != 0
        && row.add()) {
      row.set(
          of(
              FileRule.ROW_SIZE,
              tensor,
              tensor.name()
                  + " has "
                  + tensor.ne(1)
                  + " rows, which is no multiple of the "
                  + type.interleavedRows()
                  + " that "
                  + type
                  + " interleaves"));
    }
  }

  private void removed(Tensor tensor) {
    if (removed.add()) {
      TensorType type = tensor.type();
      boolean bitnet = type.id() == 36;
      removed.set(
          of(
                  FileRule.TYPE_REMOVED,
                  tensor,
                  tensor.name()
                      + " is of type "
                      + type.id()
                      + ", "
                      + type
                      + ", which ggml has removed"
                      + (bitnet ? "; bitnet.cpp uses the same number for I2_S" : ""))
              .withHint(
                  bitnet
                      ? "load it with bitnet.cpp, or fetch a file in TQ1_0, TQ2_0 or I2_S made for"
                          + " your engine"
                      : "fetch or make a file in Q4_0 or IQ4_NL: engines repack those by"
                          + " themselves"));
    }
  }

  private void fork(Tensor tensor) {
    if (fork.add()) {
      TensorType type = tensor.type();
      String project = project(type.fork().orElse("another project"));
      fork.set(
          of(
                  FileRule.TYPE_OF_FORK,
                  tensor,
                  tensor.name()
                      + " is of type "
                      + type
                      + " ("
                      + type.id()
                      + "), which belongs to "
                      + project)
              .withHint("load it with " + project + ", or fetch a file in a type of ggml"));
    }
  }

  /// The name of a project without what stands behind it in the list.
  private static String project(String text) {
    int space = text.indexOf(' ');
    return space < 0 ? text : text.substring(0, space);
  }

  private void unknown(Tensor tensor) {
    if (unknown.add()) {
      unknown.set(
          of(
                  FileRule.TYPE_UNKNOWN,
                  tensor,
                  tensor.name()
                      + " is of type "
                      + tensor.type().id()
                      + ", which neither ggml nor a known fork defines; "
                      + tensor.bytes()
                      + " bytes lie before the next tensor")
              .withHint("ask its publisher which engine writes type " + tensor.type().id()));
    }
  }

  private void duplicates(List<Tensor> tensors) throws GgufException {
    Map<String, Integer> seen = HashMap.newHashMap(tensors.size());
    for (int i = 0; i < tensors.size(); i++) {
      Tensor tensor = tensors.get(i);
      Integer before = seen.putIfAbsent(identity(tensor), i);
      if (before != null && duplicate.add()) {
        Tensor other = tensors.get(before);
        duplicate.set(
            of(
                    FileRule.TENSOR_NAME_DUPLICATE,
                    tensor,
                    (tensor.name().isEmpty() ? "the empty name" : tensor.name())
                        + " stands twice, "
                        + place(other, before, tensor)
                        + " and "
                        + place(tensor, i, other)
                        + compared(other, tensor))
                .withHint("write the file again with one of the two"));
      }
    }
  }

  /// A text that two tensors share only if the bytes of their names are equal: different bytes that
  /// are not UTF-8 look alike as text. No decoded name begins with half a surrogate pair.
  private static String identity(Tensor tensor) {
    String raw = tensor.nameBase64();
    return raw == null ? tensor.name() : '\ud800' + raw;
  }

  private static String place(Tensor tensor, int index, Tensor other) {
    GgufFile file = tensor.file();
    return file == other.file()
        ? "as tensor " + index + " at data offset " + Long.toUnsignedString(tensor.offset())
        : "in " + file.path().getFileName();
  }

  private static String compared(Tensor a, Tensor b) throws GgufException {
    if (!a.isInsideFile()
        || !b.isInsideFile()
        || a.file().isHeaderOnly()
        || b.file().isHeaderOnly()) {
      return "";
    }
    if (!a.type().equals(b.type()) || a.bytes() != b.bytes()) {
      return "; they differ in type or size";
    }
    long compared = Math.min(a.bytes(), MAX_COMPARED);
    boolean equal = isEqual(a, b, compared);
    return equal && compared < a.bytes()
        ? "; their first " + compared + " bytes are equal"
        : equal ? "; their bytes are equal" : "; their bytes differ";
  }

  private static boolean isEqual(Tensor a, Tensor b, long count) throws GgufException {
    ByteBuffer left = ByteBuffer.allocate((int) Math.clamp(count, 1L, 1L << 16));
    ByteBuffer right = ByteBuffer.allocate(left.capacity());
    for (long done = 0; done < count; done += left.capacity()) {
      int part = (int) Math.min(left.capacity(), count - done);
      a.file().read(a.fileOffset() + done, left.clear().limit(part));
      b.file().read(b.fileOffset() + done, right.clear().limit(part));
      if (!left.flip().equals(right.flip())) {
        return false;
      }
    }
    return true;
  }

  private static String ne(Tensor tensor) {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < tensor.dimensions(); i++) {
      text.append(i > 0 ? ", " : "").append(tensor.ne(i));
    }
    return text.append(']').toString();
  }

  private static Finding of(FileRule rule, Tensor tensor, String message) {
    @Nullable Subject subject = tensor.name().isEmpty() ? null : Subject.tensor(tensor.name());
    Finding finding = Finding.of(rule, message).at(tensor.file().path(), tensor.infoOffset());
    return subject == null ? finding : finding.about(subject);
  }
}
