package dev.gguf.write;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.internal.ShardName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// One file made of a split set.
///
/// The pairs are those of the first file without the keys of the set, the tensors those of all
/// files in their order, aligned as the first file says.
///
/// @param file writes the whole
/// @param notes what of the shards is not in it, one sentence each; empty for sets that tools write
public record Merge(GgufWriter file, List<String> notes) {
  /// Creates a merge.
  public Merge {
    notes = List.copyOf(notes);
  }

  /// Plans the merge of a set.
  ///
  /// @param set an open model of one file or more, which stays open until the merge is written
  /// @throws GgufException if a file of the set is not whole, or the files do not belong together
  ///   as far as they say: numbers, counts, names of tensors, pairs that more than one file has
  public static Merge of(Gguf set) throws GgufException {
    return of(set, true);
  }

  /// Plans the merge of a set that need not have as many tensors as it promises, for sets from
  /// which a tool took tensors without counting again.
  ///
  /// @param set an open model of one file or more, which stays open until the merge is written
  /// @throws GgufException as [#of(Gguf)] does, the number of tensors apart
  public static Merge uncounted(Gguf set) throws GgufException {
    return of(set, false);
  }

  private static Merge of(Gguf set, boolean counted) throws GgufException {
    GgufFile first = set.files().getFirst();
    if (SplitKeys.count(first.metadata()).orElse(0) < 1) {
      throw new GgufException(
          first.path()
              + ": is no shard, it has no "
              + SplitKeys.COUNT
              + "; nothing is to be merged");
    }
    SplitKeys.require(set, counted);
    List<String> notes = new ArrayList<>();
    for (GgufFile file : set.files()) {
      note(first, file, notes);
    }
    return new Merge(whole(set, SplitKeys.without(set.metadata()).build()), notes);
  }

  /// Returns whether a name is that of one of several shards, under which readers would take a
  /// whole for a part.
  public static boolean isShardName(Path path) {
    return ShardName.of(path).filter(name -> name.count() > 1).isPresent();
  }

  /// Returns a writer of all tensors of a model, in one file with these pairs.
  static GgufWriter whole(Gguf model, Metadata metadata) throws GgufException {
    GgufFile first = model.files().getFirst();
    GgufWriter file = GgufWriter.of(metadata).version(first.version()).byteOrder(first.byteOrder());
    model.files().forEach(file::from);
    for (Tensor tensor : model.tensors()) {
      file.tensor(tensor);
    }
    return file.finalPadding(hasFinalPadding(model));
  }

  /// Returns whether the data of a model ends with padding; a model whose last tensor ends at a
  /// multiple of the alignment counts as such.
  static boolean hasFinalPadding(Gguf model) {
    List<Tensor> tensors = model.tensors();
    if (tensors.isEmpty()) {
      return true;
    }
    Tensor last = tensors.getLast();
    for (Tensor tensor : last.file().tensors()) {
      last = tensor.offset() > last.offset() ? tensor : last;
    }
    long end = last.fileOffset() + last.bytes();
    return last.file().size() >= end + (-end & (last.file().alignment() - 1));
  }

  private static void note(GgufFile first, GgufFile file, List<String> notes) {
    List<String> dropped = new ArrayList<>();
    for (Metadata.Entry entry : file.metadata()) {
      boolean kept = first.metadata().has(entry.key()) || entry.key().equals("general.alignment");
      if (!kept) {
        dropped.add(entry.key());
      }
    }
    if (!dropped.isEmpty()) {
      notes.add(
          file.path().getFileName()
              + " has "
              + dropped.size()
              + " keys that the first shard has not, which are left out, first "
              + dropped.getFirst());
    }
    long end = layoutEnd(file);
    if (file.size() > end) {
      notes.add(
          file.path().getFileName()
              + " has "
              + (file.size() - end)
              + " bytes after its last tensor, which are left out");
    }
  }

  private static long layoutEnd(GgufFile file) {
    // Some writers pad a header without tensors too.
    long end = file.headerEnd() + (-file.headerEnd() & (file.alignment() - 1));
    for (Tensor tensor : file.tensors()) {
      long to = tensor.fileOffset() + tensor.bytes();
      end = Math.max(end, to + (-to & (file.alignment() - 1)));
    }
    return end;
  }
}
