package dev.gguf.mapping.check;

import dev.gguf.FileKind;
import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Rule;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.ValueType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One model under judgement: what its rules ask for again and again, and where their findings go.
final class Judged {
  private final Gguf gguf;
  private final GgufFile first;
  private final String architecture;
  private final FileKind kind;
  private final boolean keysComplete;
  private final boolean tensorsComplete;
  private final List<Finding> findings;

  /// @param findings those about the file, to which the new ones are added
  Judged(Gguf gguf, List<Finding> findings) {
    this.gguf = gguf;
    this.first = gguf.files().getFirst();
    this.architecture = gguf.architecture().orElse("");
    this.kind = gguf.kind();
    this.findings = findings;
    boolean whole = true;
    for (GgufFile file : gguf.files()) {
      whole &= file.isHeaderComplete();
    }
    boolean allThere = true;
    for (Finding finding : findings) {
      allThere &= !(finding.rule() instanceof FileRule rule && rule.leavesFileOut());
    }
    Long no = integer("split.no");
    this.keysComplete = first.metadataEnd() > 0 && (no == null || no == 0);
    Long count = integer("split.count");
    Long promised = integer("split.tensors.count");
    boolean partOfSet =
        gguf.files().size() == 1
            && count != null
            && count > 1
            && promised != null
            && promised != gguf.tensors().size();
    this.tensorsComplete = whole && allThere && !partOfSet;
  }

  Gguf gguf() {
    return gguf;
  }

  Metadata metadata() {
    return gguf.metadata();
  }

  List<Tensor> tensors() {
    return gguf.tensors();
  }

  /// The value of `general.architecture`, or empty.
  String architecture() {
    return architecture;
  }

  FileKind kind() {
    return kind;
  }

  /// The kind of the architecture: `text`, `image` …, or empty for a string in no list.
  String architectureKind() {
    return Architectures.kind(architecture).orElse("");
  }

  /// Whether this is a language model or an encoder of text, whose names and keys are judged.
  boolean isText() {
    String of = architectureKind();
    return of.equals("text") || of.equals("encoder");
  }

  /// Whether all keys of the model could be read; they are in the first file of a set.
  boolean hasAllKeys() {
    return keysComplete;
  }

  /// Whether the tensor tables of all files of the model could be read.
  boolean hasAllTensors() {
    return tensorsComplete;
  }

  /// A key of the architecture's own, with its prefix.
  String key(String own) {
    return architecture + "." + own;
  }

  /// The entry of a key, or null.
  Metadata.@Nullable Entry entry(String key) {
    return metadata().find(key).orElse(null);
  }

  /// The value of an integer key, or null where it is absent, none, or above 2^63-1.
  @Nullable Long integer(String key) {
    Metadata.Entry entry = entry(key);
    return entry != null
            && entry.type().isInteger()
            && (entry.type() != ValueType.UINT64 || entry.bits() >= 0)
        ? Long.valueOf(entry.bits())
        : null;
  }

  /// The value of a number key, or null where it is absent or none.
  @Nullable Double number(String key) {
    Metadata.Entry entry = entry(key);
    return entry != null && (entry.type().isInteger() || entry.type().isFloat())
        ? Double.valueOf(entry.number())
        : null;
  }

  /// The value of a string key, or empty where it is absent, none or unreasonably long.
  String string(String key) {
    Metadata.Entry entry = entry(key);
    return entry != null && entry.type() == ValueType.STRING && entry.stringLength() <= 65_536
        ? entry.string()
        : "";
  }

  /// Whether a bool key is there and true.
  boolean isTrue(String key) {
    Metadata.Entry entry = entry(key);
    return entry != null && entry.type() == ValueType.BOOL && entry.bool();
  }

  /// How many layers every array with one value for each of them reaches, where one is told to be
  /// of a wrong length: what it would say of the layers behind its end is not known.
  long layersInArrays() {
    long least = Long.MAX_VALUE;
    for (Finding finding : findings) {
      Subject subject = finding.subject();
      if (finding.rule() == FileRule.ARRAY_LENGTH && subject != null) {
        Metadata.Entry entry = entry(subject.name());
        least = entry == null ? least : Math.min(least, entry.array().count());
      }
    }
    return least;
  }

  boolean has(String tensor) {
    return gguf.find(tensor).isPresent();
  }

  void add(Finding finding) {
    findings.add(finding);
  }

  /// A finding about a key, at its place if it is there.
  Finding aboutKey(Rule rule, String key, String message) {
    Finding finding = Finding.of(rule, message).about(Subject.key(key));
    Metadata.Entry entry = entry(key);
    return entry == null ? finding.in(first.path()) : finding.at(first.path(), entry.offset());
  }

  /// A finding about a tensor, at its place in the table.
  Finding aboutTensor(Rule rule, Tensor tensor, String message) {
    Finding finding = Finding.of(rule, message).about(Subject.tensor(tensor.name()));
    return tensor.isInFile()
        ? finding.at(tensor.file().path(), tensor.infoOffset())
        : finding.in(first.path());
  }

  /// A finding about the model as a whole.
  Finding aboutModel(Rule rule, String message) {
    return Finding.of(rule, message).in(first.path());
  }

  /// The name of the first file, for commands that a hint gives.
  String fileName() {
    return "'" + first.path().getFileName() + "'";
  }
}
