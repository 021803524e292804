package dev.gguf.write;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.internal.ShardName;
import dev.gguf.internal.Values;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// The keys by which files say that they belong to a split set.
final class SplitKeys {
  static final String NO = "split.no";
  static final String COUNT = "split.count";
  static final String TENSORS = "split.tensors.count";
  static final List<String> ALL = List.of(NO, TENSORS, COUNT);

  private SplitKeys() {}

  /// Returns metadata without the keys.
  static Metadata.Builder without(Metadata metadata) {
    Metadata.Builder keys = metadata.toBuilder();
    ALL.forEach(keys::remove);
    return keys;
  }

  /// Requires that files fit together as one whole set of one model.
  ///
  /// @param counted whether the number of tensors has to be the promised one
  /// @throws GgufException naming the first file that does not fit
  static void require(Gguf set, boolean counted) throws GgufException {
    List<GgufFile> files = set.files();
    long tensors = 0;
    for (int i = 0; i < files.size(); i++) {
      GgufFile file = files.get(i);
      requireWhole(file);
      requireInteger(file, COUNT, files.size());
      requireInteger(file, NO, i);
      requireName(file, i, files.size());
      requireSame(files.getFirst(), file);
      requireAlignment(files.getFirst(), file);
      tensors += file.tensors().size();
    }
    for (GgufFile file : files) {
      if (counted) {
        requireInteger(file, TENSORS, tensors);
      }
    }
    requireUnique(set.tensors());
  }

  private static void requireWhole(GgufFile file) throws GgufException {
    if (!file.isHeaderComplete()) {
      throw new GgufException(file.path() + ": its header cannot be read to the end");
    }
    for (Tensor tensor : file.tensors()) {
      if (!tensor.isInsideFile()) {
        throw new GgufException(
            file.path()
                + ": "
                + tensor.bytesOutside()
                + " of the "
                + tensor.bytes()
                + " bytes of "
                + tensor.name()
                + " lie behind the end of the file; fetch the file again");
      }
    }
  }

  private static void requireInteger(GgufFile file, String key, long expected)
      throws GgufException {
    Metadata.Entry entry = file.metadata().find(key).orElse(null);
    if (entry == null || !entry.type().isInteger()) {
      throw new GgufException(
          file.path()
              + ": "
              + (entry == null ? key + " is absent" : key + " is of type " + entry.typeLabel())
              + ", expected "
              + expected
              + "; it is no shard of this set");
    }
    if (entry.bits() != expected) {
      throw new GgufException(
          file.path()
              + ": "
              + key
              + " is "
              + entry.bits()
              + ", expected "
              + expected
              + (key.equals(NO)
                  ? "; it is another shard of the set under this name"
                  : "; it belongs to another set, or the set is incomplete"));
    }
  }

  private static void requireName(GgufFile file, int index, int count) throws GgufException {
    ShardName name = ShardName.of(file.path()).orElse(null);
    if (count > 1 && (name == null || name.number() != index + 1)) {
      throw new GgufException(file.path() + ": is not named as shard " + (index + 1));
    }
  }

  /// Requires of a later file what ties it to the first one. Most have no keys but those of the
  /// set; what else they have must agree.
  private static void requireSame(GgufFile first, GgufFile file) throws GgufException {
    if (file.version() != first.version() || !file.byteOrder().equals(first.byteOrder())) {
      throw new GgufException(
          file.path()
              + ": format version "
              + file.version()
              + ", "
              + file.byteOrder()
              + "; the first shard has "
              + first.version()
              + ", "
              + first.byteOrder());
    }
    for (Metadata.Entry entry : file.metadata()) {
      Metadata.Entry other = first.metadata().find(entry.key()).orElse(null);
      if (other != null && isIdentity(entry.key()) && !Values.equal(entry, other)) {
        throw new GgufException(
            file.path()
                + ": "
                + entry.key()
                + " differs from that of "
                + first.path().getFileName()
                + "; it is a shard of another model");
      }
    }
  }

  private static boolean isIdentity(String key) {
    return !key.equals(NO) && !key.equals("general.alignment");
  }

  /// Refuses a later shard that is laid out for the first one's alignment and does not say so: read
  /// as it says, all of its data would be some bytes off.
  private static void requireAlignment(GgufFile first, GgufFile file) throws GgufException {
    long alignment = first.alignment();
    if (alignment <= file.alignment() || file.metadata().has("general.alignment")) {
      return;
    }
    long own = end(file, file.dataStart(), file.alignment());
    long other = end(file, padded(file.headerEnd(), alignment), alignment);
    if (own != other && file.size() == other) {
      throw new GgufException(
          file.path()
              + ": has no general.alignment, and its size is that of data aligned to the "
              + alignment
              + " bytes that the first shard says: readers would take its data from the wrong place;"
              + " write the set again");
    }
  }

  private static long end(GgufFile file, long start, long alignment) {
    long end = start;
    for (Tensor tensor : file.tensors()) {
      end = Math.max(end, padded(start + tensor.offset() + tensor.bytes(), alignment));
    }
    return end;
  }

  private static long padded(long size, long alignment) {
    return size + (-size & (alignment - 1));
  }

  private static void requireUnique(List<Tensor> tensors) throws GgufException {
    Map<String, Tensor> seen = HashMap.newHashMap(tensors.size());
    for (Tensor tensor : tensors) {
      Tensor before = seen.putIfAbsent(tensor.name(), tensor);
      if (before != null) {
        throw new GgufException(
            tensor.file().path()
                + ": "
                + tensor.name()
                + " is in "
                + before.file().path().getFileName()
                + " as well");
      }
    }
  }

  /// Returns the promised number of files, if there is one.
  static OptionalLong count(Metadata metadata) {
    return metadata
        .find(COUNT)
        .filter(entry -> entry.type().isInteger())
        .map(entry -> OptionalLong.of(entry.bits()))
        .orElse(OptionalLong.empty());
  }
}
