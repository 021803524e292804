package dev.gguf.write;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.ValueType;
import java.util.OptionalLong;

/// The same tensors with other metadata.
public final class Edit {
  private Edit() {}

  /// Plans a copy of a model with other metadata, as one file. A split set becomes one file by it,
  /// and loses its split keys.
  ///
  /// The tensors of a single file keep their offsets, unless `general.alignment` becomes another.
  ///
  /// @param model stays open until the file is written
  /// @param metadata all pairs of the new file
  /// @throws GgufException if the model is not whole
  public static GgufWriter copy(Gguf model, Metadata metadata) throws GgufException {
    if (model.files().size() > 1) {
      SplitKeys.require(model, false);
      return Merge.whole(model, SplitKeys.without(metadata).build());
    }
    GgufFile file = model.files().getFirst();
    if (alignmentOf(metadata) != file.alignment()) {
      return Merge.whole(model, metadata);
    }
    GgufWriter copy =
        GgufWriter.of(metadata)
            .version(file.version())
            .byteOrder(file.byteOrder())
            .from(file)
            .finalPadding(Merge.hasFinalPadding(model));
    for (Tensor tensor : file.tensors()) {
      copy.copy(tensor, TensorData.of(tensor), OptionalLong.of(tensor.offset()));
    }
    return copy;
  }

  /// Plans a file with the header of a model and holes in place of its data, as one file without
  /// split keys. It has the size of the model but takes no disk space beyond its header.
  ///
  /// @param metadata all pairs of the new file
  /// @throws GgufException if the header of a file cannot be read to its end
  public static GgufWriter header(Gguf model, Metadata metadata) throws GgufException {
    GgufFile first = model.files().getFirst();
    boolean set = model.files().size() > 1;
    GgufWriter file =
        GgufWriter.of(set ? SplitKeys.without(metadata).build() : metadata)
            .version(first.version())
            .byteOrder(first.byteOrder())
            .alignment(first.alignment());
    for (GgufFile part : model.files()) {
      if (!part.isHeaderComplete()) {
        throw new GgufException(part.path() + ": its header cannot be read to the end");
      }
      file.from(part);
    }
    for (Tensor tensor : model.tensors()) {
      OptionalLong offset = set ? OptionalLong.empty() : OptionalLong.of(tensor.offset());
      file.copy(tensor, TensorData.hole(tensor.bytes()), offset);
    }
    return file;
  }

  /// Returns the metadata of a model without its vocabulary: tokens, scores, types, merges and
  /// whatever else under `tokenizer.` is an array, and `tokenizer.ggml.model`, by which readers
  /// expect them.
  public static Metadata withoutVocabulary(Metadata metadata) {
    Metadata.Builder keys = Metadata.builder();
    for (Metadata.Entry entry : metadata) {
      boolean list = entry.key().startsWith("tokenizer.") && entry.type() == ValueType.ARRAY;
      if (!list && !entry.key().equals("tokenizer.ggml.model")) {
        keys.append(entry);
      }
    }
    return keys.build();
  }

  static long alignmentOf(Metadata metadata) {
    return metadata
        .find("general.alignment")
        .filter(entry -> entry.type().isInteger())
        .map(Metadata.Entry::bits)
        .orElse(32L);
  }
}
