package dev.gguf;

/// What the bytes of a file are checked for: container, header, metadata, tensor table, split sets
/// and tokenizer.
public enum FileRule implements Rule {
  /// The file has no bytes.
  EMPTY_FILE(Severity.ERROR, false),
  /// The file has fewer bytes than a header.
  FILE_TOO_SHORT(Severity.ERROR, false),
  /// The first bytes are not those of a GGUF file.
  NOT_GGUF(Severity.ERROR, false),
  /// The version is 0 or above 3.
  VERSION_UNSUPPORTED(Severity.ERROR, false),
  /// Version 1 (error) or 2 (information).
  VERSION_OLD(Severity.ERROR, true),
  /// The byte order is not that of this machine.
  BYTE_ORDER(Severity.ERROR, true),
  /// The declared number of keys or tensors cannot fit in the bytes left.
  COUNT_EXCEEDS_FILE(Severity.ERROR, false),
  /// A string is declared longer than the bytes left.
  STRING_EXCEEDS_FILE(Severity.ERROR, false),
  /// An array is declared longer than the bytes left.
  ARRAY_EXCEEDS_FILE(Severity.ERROR, false),
  /// The type of a value is none that the format defines.
  VALUE_TYPE_UNKNOWN(Severity.ERROR, false),
  /// The file ends inside the header.
  HEADER_CUT(Severity.ERROR, false),
  /// A key has no characters.
  KEY_EMPTY(Severity.ERROR, true),
  /// A key stands twice.
  KEY_DUPLICATE(Severity.ERROR, true),
  /// An array holds arrays.
  ARRAY_NESTED(Severity.ERROR, true),
  /// `general.alignment` is not of type uint32.
  ALIGNMENT_TYPE(Severity.ERROR, true),
  /// `general.alignment` is no power of two, or puts the data behind the end of the file.
  ALIGNMENT_VALUE(Severity.ERROR, false),
  /// `general.alignment` is 1, 2 or 4: readers take it, the specification does not.
  ALIGNMENT_SMALL(Severity.WARNING, true),
  /// A known key has another type than converters write.
  KEY_TYPE(Severity.WARNING, true),
  /// An array has no elements.
  ARRAY_EMPTY(Severity.INFO, true),
  /// A per-layer array has neither as many elements as blocks nor as trunk blocks.
  ARRAY_LENGTH(Severity.WARNING, true),
  /// A key in the spelling of a pre-release or of one branch.
  KEY_ALIAS(Severity.WARNING, true),
  /// Strings are not UTF-8.
  UTF8(Severity.INFO, true),
  /// A bool is neither 0 nor 1.
  BOOL_VALUE(Severity.INFO, true),
  /// A key has characters outside `a-z0-9._-`, or more than 65,535 bytes.
  KEY_NAME(Severity.INFO, true),
  /// A tensor has more than four dimensions.
  DIMS_COUNT(Severity.ERROR, false),
  /// The elements or bytes of a tensor are above 2^63-1.
  DIMS_OVERFLOW(Severity.ERROR, false),
  /// A tensor has no name.
  TENSOR_NAME_EMPTY(Severity.WARNING, true),
  /// The name of a tensor has 64 bytes or more.
  TENSOR_NAME_LONG(Severity.ERROR, true),
  /// The name of a tensor holds a zero byte, at which readers cut it.
  TENSOR_NAME_ZERO(Severity.ERROR, true),
  /// Two tensors have the same name.
  TENSOR_NAME_DUPLICATE(Severity.ERROR, true),
  /// A dimension of a tensor is 0.
  TENSOR_EMPTY(Severity.WARNING, true),
  /// The type of a tensor was taken out of ggml.
  TYPE_REMOVED(Severity.ERROR, true),
  /// The type of a tensor is that of another project than ggml.
  TYPE_OF_FORK(Severity.WARNING, true),
  /// The type of a tensor is in no list.
  TYPE_UNKNOWN(Severity.ERROR, true),
  /// The first dimension of a tensor is no multiple of its type's block.
  ROW_SIZE(Severity.ERROR, true),
  /// The offset of a tensor is no multiple of the alignment.
  TENSOR_MISALIGNED(Severity.ERROR, true),
  /// Two tensors share bytes.
  TENSOR_OVERLAP(Severity.ERROR, true),
  /// The offsets of tensors do not rise in file order.
  TENSOR_ORDER(Severity.WARNING, true),
  /// There are bytes between tensors beyond padding.
  TENSOR_GAP(Severity.WARNING, true),
  /// A tensor ends behind the end of the file. [Gguf#inspect] gives the model all the same.
  TENSOR_OUTSIDE_FILE(Severity.ERROR, false),
  /// The padding after the last tensor is absent.
  FINAL_PADDING(Severity.INFO, true),
  /// Padding bytes are not zero.
  PADDING_NONZERO(Severity.INFO, true),
  /// There are bytes after the last tensor.
  TRAILING_BYTES(Severity.WARNING, true),
  /// A file of the split set is not there.
  SHARD_MISSING(Severity.ERROR, false),
  /// The number in a shard and the number in its name differ.
  SHARD_ORDER(Severity.ERROR, true),
  /// Shards of one set disagree about how many they are.
  SHARD_COUNT(Severity.ERROR, true),
  /// The tensors of the set are not as many as promised.
  TENSORS_COUNT(Severity.ERROR, true),
  /// A key of a split set has another type or spelling.
  SPLIT_KEY(Severity.ERROR, true),
  /// The name of a file and its split keys do not fit together.
  SPLIT_NAME(Severity.WARNING, true),
  /// Split keys are left in a merged file.
  SPLIT_LEFTOVER(Severity.INFO, true),
  /// A later file of a split set was given.
  SPLIT_FIRST(Severity.INFO, true),
  /// Shards look like parts of different models.
  SHARD_MIXED(Severity.WARNING, true),
  /// The vocabulary and the rows of the embedding differ in number.
  TOKENS_ROWS(Severity.ERROR, true),
  /// Two tokens have the same text.
  TOKEN_DUPLICATE(Severity.ERROR, true),
  /// A special token is outside the vocabulary or absent.
  TOKEN_ID(Severity.WARNING, true),
  /// A control token is typed as a normal one.
  TOKEN_CONTROL(Severity.WARNING, true),
  /// Scores or types are fewer than tokens.
  TOKEN_LISTS(Severity.ERROR, true),
  /// The merges of a BPE tokenizer are absent or malformed.
  MERGES(Severity.ERROR, true),
  /// The pre-tokenizer is in no list.
  PRE_TOKENIZER(Severity.WARNING, true),
  /// There is no tokenizer in the file.
  TOKENIZER_ABSENT(Severity.INFO, true),
  /// The file shrank or changed while it was read.
  FILE_CHANGED(Severity.ERROR, false);

  private final Severity severity;
  private final boolean opens;

  FileRule(Severity severity, boolean opens) {
    this.severity = severity;
    this.opens = opens;
  }

  /// Returns whether a file of a set for which this is told is no part of the model: it is absent,
  /// or nothing of it can be read. What the model lacks then, it may lack for that.
  public boolean leavesFileOut() {
    return this == SHARD_MISSING
        || this == NOT_GGUF
        || this == EMPTY_FILE
        || this == FILE_TOO_SHORT
        || this == VERSION_UNSUPPORTED;
  }

  @Override
  public Severity severity() {
    return severity;
  }

  @Override
  public boolean opens() {
    return opens;
  }
}
