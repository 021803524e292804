package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.MetadataArray;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.ValueType;
import dev.gguf.internal.Numbers;
import dev.gguf.internal.Utf8;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Visits every string of a file once: whether it is UTF-8, and for tokens and merges what the
/// tokenizer's rules want to know.
final class TextRules {
  private static final long MAX_STRING = 1 << 24;
  private static final long MAX_ARRAY = 1 << 30;

  private final GgufFile file;
  private int count;
  private @Nullable String firstKey;
  private long firstOffset = -1;

  private TextRules(GgufFile file) {
    this.file = file;
  }

  /// @param tokens takes the elements of `tokenizer.ggml.tokens`, or null where they are not judged
  /// @param merges takes the elements of `tokenizer.ggml.merges`, or null where they are not judged
  static void check(
      GgufFile file,
      @Nullable TokenTable tokens,
      @Nullable MergeTable merges,
      List<Finding> findings) {
    TextRules rules = new TextRules(file);
    for (Metadata.Entry entry : file.metadata().entries()) {
      rules.visit(entry, tokens, merges);
    }
    for (Tensor tensor : file.tensors()) {
      if (tensor.nameBase64() != null) {
        rules.bad(1, tensor.name(), tensor.infoOffset());
      }
    }
    rules.addTo(findings);
  }

  private void visit(
      Metadata.Entry entry, @Nullable TokenTable tokens, @Nullable MergeTable merges) {
    if (!entry.isKeyUtf8()) {
      bad(1, entry.key(), entry.offset());
    }
    if (entry.type() == ValueType.STRING) {
      if (entry.stringLength() <= MAX_STRING && entry.base64() != null) {
        bad(1, entry.key(), entry.offset());
      }
      return;
    }
    if (entry.type() != ValueType.ARRAY || entry.array().elementType() != ValueType.STRING) {
      return;
    }
    MetadataArray array = entry.array();
    if (array.byteSize() > MAX_ARRAY) {
      return;
    }
    if (tokens != null && array == tokens.array()) {
      array.forEachString(tokens);
      bad(tokens.badText(), entry.key(), entry.offset());
    } else if (merges != null && array == merges.array()) {
      array.forEachString(merges);
      bad(merges.badText(), entry.key(), entry.offset());
    } else {
      Plain plain = new Plain();
      array.forEachString(plain);
      bad(plain.bad, entry.key(), entry.offset());
    }
  }

  private static final class Plain implements MetadataArray.StringVisitor {
    int bad;

    @Override
    public void accept(int index, byte[] bytes, int offset, int length) {
      if (!Utf8.isValid(bytes, offset, length)) {
        bad++;
      }
    }
  }

  private void bad(int more, String key, long offset) {
    if (more > 0) {
      count += more;
      if (firstKey == null) {
        firstKey = key;
        firstOffset = offset;
      }
    }
  }

  private void addTo(List<Finding> findings) {
    if (firstKey != null) {
      findings.add(
          Finding.of(
                  FileRule.UTF8,
                  Numbers.of(count, "string") + " not in UTF-8, first in " + firstKey)
              .about(Subject.key(firstKey))
              .at(file.path(), firstOffset));
    }
  }
}
