package dev.gguf.verify;

import dev.gguf.Finding;
import dev.gguf.GgufException;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.internal.MappedReads;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds tensors of the same role, such as `blk.*.attn_norm.weight`, that have the same bytes in
/// several layers. Only those whose ends are equal are compared as a whole.
final class EqualData {
  private static final int END = 256;

  private EqualData() {}

  static void find(List<Tensor> tensors, Tally[] tallies, List<DataFinding> findings)
      throws GgufException {
    Map<String, List<Tensor>> candidates = new LinkedHashMap<>();
    for (int i = 0; i < tallies.length; i++) {
      Tensor tensor = tensors.get(i);
      if (tallies[i].hasContent && tensor.layer().isPresent() && tensor.isInsideFile()) {
        candidates.computeIfAbsent(key(tensor), k -> new ArrayList<>()).add(tensor);
      }
    }
    Map<String, List<List<Tensor>>> byRole = new LinkedHashMap<>();
    for (List<Tensor> alike : candidates.values()) {
      if (alike.size() > 1) {
        String role = role(alike.getFirst());
        byRole.computeIfAbsent(role, r -> new ArrayList<>()).addAll(groups(alike));
      }
    }
    byRole.forEach((role, groups) -> {
      if (!groups.isEmpty()) {
        findings.add(finding(role, groups));
      }
    });
  }

  private static String role(Tensor tensor) {
    int dot = tensor.name().indexOf('.', "blk.".length());
    return "blk.*" + tensor.name().substring(dot);
  }

  private static String key(Tensor tensor) throws GgufException {
    StringBuilder key = new StringBuilder(role(tensor));
    key.append(' ').append(tensor.type()).append(' ').append(tensor.bytes());
    MappedReads.run(
        tensor,
        () -> {
          MemorySegment data = tensor.data();
          long length = Math.min(END, data.byteSize());
          key.append(' ').append(hash(data.asSlice(0, length)));
          key.append(' ').append(hash(data.asSlice(data.byteSize() - length)));
        });
    return key.toString();
  }

  private static long hash(MemorySegment bytes) {
    Xxh64 hash = new Xxh64();
    hash.update(bytes);
    return hash.digest();
  }

  /// Returns the groups of tensors whose bytes are all equal.
  private static List<List<Tensor>> groups(List<Tensor> alike) throws GgufException {
    List<List<Tensor>> groups = new ArrayList<>();
    for (Tensor tensor : alike) {
      boolean known = false;
      for (List<Tensor> group : groups) {
        if (isEqual(group.getFirst(), tensor)) {
          group.add(tensor);
          known = true;
          break;
        }
      }
      if (!known) {
        groups.add(new ArrayList<>(List.of(tensor)));
      }
    }
    groups.removeIf(group -> group.size() < 2);
    return groups;
  }

  private static boolean isEqual(Tensor a, Tensor b) throws GgufException {
    boolean[] equal = new boolean[1];
    MappedReads.run(
        a, () -> MappedReads.run(b, () -> equal[0] = a.data().mismatch(b.data()) == -1));
    return equal[0];
  }

  private static DataFinding finding(String role, List<List<Tensor>> groups) {
    Tensor first = groups.getFirst().getFirst();
    Tensor second = groups.getFirst().get(1);
    int count = groups.stream().mapToInt(List::size).sum();
    String message =
        count
            + " tensors "
            + role
            + " have the same bytes as another of them, first "
            + first.name()
            + " and "
            + second.name();
    Finding finding =
        Finding.of(DataRule.DATA_EQUAL, message)
            .about(Subject.tensor(first.name()))
            .at(first.file().path(), first.fileOffset());
    return new DataFinding(finding, false, first, count, null);
  }
}
