package dev.gguf.write;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.internal.ShardName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The files of a split set made of one model.
///
/// The first file has all pairs, followed by `split.no`, `split.tensors.count` and `split.count`;
/// the others have only these three, and `general.alignment` where it is not the usual 32, without
/// which a reader would look for their data at another place. Tensors keep their order.
///
/// @param files writes the shards, in order
/// @param notes what is unusual about the set, one sentence each
public record Split(List<GgufWriter> files, List<String> notes) {
  private static final int MAX_FILES = 65_535;
  private static final long USUAL_ALIGNMENT = 32;

  /// Creates a split.
  public Split {
    files = List.copyOf(files);
    notes = List.copyOf(notes);
  }

  /// Plans shards of at most `max` tensors each.
  ///
  /// @param model stays open until the shards are written
  /// @param emptyFirst whether the first shard has pairs only
  /// @throws GgufException if the model is not whole, or there would be more than 65,535 shards
  /// @throws IllegalArgumentException if `max` is less than 1
  public static Split byTensors(Gguf model, int max, boolean emptyFirst) throws GgufException {
    if (max < 1) {
      throw new IllegalArgumentException("a shard has at least 1 tensor, not " + max);
    }
    List<List<Tensor>> parts = new ArrayList<>();
    List<Tensor> all = model.tensors();
    for (int from = 0; from < all.size(); from += max) {
      parts.add(all.subList(from, Math.min(all.size(), from + max)));
    }
    return of(model, parts, emptyFirst, new ArrayList<>());
  }

  /// Plans shards of at most `max` bytes each, header and padding included. A tensor that is larger
  /// has a shard of its own.
  ///
  /// @param model stays open until the shards are written
  /// @param emptyFirst whether the first shard has pairs only
  /// @throws GgufException if the model is not whole, or there would be more than 65,535 shards
  /// @throws IllegalArgumentException if `max` is less than 1
  public static Split bySize(Gguf model, long max, boolean emptyFirst) throws GgufException {
    if (max < 1) {
      throw new IllegalArgumentException("a shard has at least 1 byte, not " + max);
    }
    List<String> notes = new ArrayList<>();
    List<List<Tensor>> parts = new ArrayList<>();
    List<Tensor> part = new ArrayList<>();
    long alignment = alignment(model);
    long laterHeader = headerSize(model, later(model));
    long firstHeader = headerSize(model, first(model));
    if (firstHeader > max) {
      notes.add(
          "the metadata alone takes " + firstHeader + " bytes, more than a shard should have");
    }
    boolean pairsOnly = emptyFirst;
    long data = 0;
    long table = pairsOnly ? laterHeader : firstHeader;
    for (Tensor tensor : model.tensors()) {
      int name = tensor.name().getBytes(StandardCharsets.UTF_8).length;
      long info = 24L + name + 8L * tensor.dimensions();
      long bytes = padded(tensor.bytes(), alignment);
      boolean fits = padded(table + info, alignment) + data + bytes <= max;
      boolean fitsAlone = padded(laterHeader + info, alignment) + bytes <= max;
      if (!fits && !part.isEmpty()) {
        parts.add(part);
        part = new ArrayList<>();
        data = 0;
        table = laterHeader;
      } else if (!fits && fitsAlone && parts.isEmpty()) {
        // The pairs leave no room for the first tensor.
        pairsOnly = true;
        table = laterHeader;
      }
      if (!fitsAlone) {
        notes.add(tensor.name() + " takes " + bytes + " bytes, more than a shard should have");
      }
      part.add(tensor);
      table += info;
      data += bytes;
    }
    if (!part.isEmpty()) {
      parts.add(part);
    }
    return of(model, parts, pairsOnly, notes);
  }

  private static long padded(long size, long alignment) {
    return size + (-size & (alignment - 1));
  }

  private static long alignment(Gguf model) {
    return model.files().getFirst().alignment();
  }

  private static long headerSize(Gguf model, Metadata.Builder keys) {
    return writer(model, numbered(keys, 0, 1, 0)).headerBytes().size();
  }

  private static Metadata.Builder first(Gguf model) {
    return SplitKeys.without(model.metadata());
  }

  private static Metadata.Builder later(Gguf model) {
    Metadata.Builder keys = Metadata.builder();
    if (alignment(model) != USUAL_ALIGNMENT) {
      keys.uint32("general.alignment", alignment(model));
    }
    return keys;
  }

  private static Metadata numbered(Metadata.Builder keys, int no, int count, int tensors) {
    return keys.uint16(SplitKeys.NO, no)
        .int32(SplitKeys.TENSORS, tensors)
        .uint16(SplitKeys.COUNT, count)
        .build();
  }

  private static GgufWriter writer(Gguf model, Metadata metadata) {
    GgufFile first = model.files().getFirst();
    GgufWriter file =
        GgufWriter.of(metadata)
            .version(first.version())
            .byteOrder(first.byteOrder())
            .alignment(first.alignment());
    model.files().forEach(file::from);
    return file;
  }

  private static Split of(
      Gguf model, List<List<Tensor>> parts, boolean emptyFirst, List<String> notes)
      throws GgufException {
    List<List<Tensor>> all = new ArrayList<>(parts);
    if (emptyFirst || all.isEmpty()) {
      all.addFirst(List.of());
    }
    if (all.size() > MAX_FILES) {
      throw new GgufException(
          model.files().getFirst().path()
              + ": would be split into "
              + all.size()
              + " files, a set has at most "
              + MAX_FILES);
    }
    if (alignment(model) != USUAL_ALIGNMENT) {
      notes.add(
          "the alignment is "
              + alignment(model)
              + " bytes: engines load the set, but llama-gguf-split merges with 32 whatever a file"
              + " says");
    }
    boolean padding = Merge.hasFinalPadding(model);
    List<GgufWriter> files = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Metadata.Builder keys = i == 0 ? first(model) : later(model);
      Metadata metadata = numbered(keys, i, all.size(), model.tensors().size());
      GgufWriter file = writer(model, metadata).finalPadding(padding || i < all.size() - 1);
      for (Tensor tensor : all.get(i)) {
        file.tensor(tensor);
      }
      files.add(file);
    }
    return new Split(files, notes);
  }

  /// Returns the paths of the shards, `PREFIX-00001-of-0000N.gguf`, with their writers.
  ///
  /// @param prefix folder and start of the name; an end of `.gguf` is dropped
  public SequencedMap<Path, GgufWriter> named(Path prefix) {
    String name = prefix.getFileName().toString();
    String start = name.endsWith(".gguf") ? name.substring(0, name.length() - 5) : name;
    SequencedMap<Path, GgufWriter> paths = new LinkedHashMap<>();
    for (int i = 0; i < files.size(); i++) {
      String shard = new ShardName(start, i + 1, files.size()).sibling(i + 1);
      paths.put(prefix.resolveSibling(shard), files.get(i));
    }
    return paths;
  }
}
