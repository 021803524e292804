package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.MetadataArray;
import dev.gguf.Severity;
import dev.gguf.Subject;
import dev.gguf.ValueType;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The pairs of one file, each by itself: its name, its type, its elements. Strings are visited by
/// [TextRules].
final class KeyRules {
  private static final int MAX_KEY_BYTES = 65_535;
  private static final long MAX_COMPARED = 1 << 22;
  private static final int TOLD_SINGLY = 8;

  private final GgufFile file;
  private final String architecture;
  private final List<Finding> findings;

  private final Group emptyName = new Group(FileRule.KEY_EMPTY, "keys");
  private final Group duplicate = new Group(FileRule.KEY_DUPLICATE, "more repeated keys");
  private final Group name = new Group(FileRule.KEY_NAME, "keys");
  private final Group bool = new Group(FileRule.BOOL_VALUE, "bools");
  private final Group nested = new Group(FileRule.ARRAY_NESTED, "arrays");
  private final Group empty = new Group(FileRule.ARRAY_EMPTY, "arrays");

  private KeyRules(GgufFile file, String architecture, List<Finding> findings) {
    this.file = file;
    this.architecture = architecture;
    this.findings = findings;
  }

  /// @param architecture the value of `general.architecture` of the model, or empty
  static void check(GgufFile file, String architecture, List<Finding> findings) {
    new KeyRules(file, architecture, findings).check();
  }

  private void check() {
    List<Metadata.Entry> entries = file.metadata().entries();
    boolean repeated = file.metadata().keyCount() < entries.size();
    for (int i = 0; i < entries.size(); i++) {
      Metadata.Entry entry = entries.get(i);
      names(entry, i);
      values(entry);
      if (!repeated || file.metadata().get(entry.key()) == entry) {
        type(entry);
        alias(entry);
      }
    }
    if (repeated) {
      duplicates(entries);
    }
    alignment();
    emptyName.addTo(findings);
    duplicate.addTo(findings);
    nested.addTo(findings);
    empty.addTo(findings);
    name.addTo(findings);
    bool.addTo(findings);
  }

  private void names(Metadata.Entry entry, int index) {
    String key = entry.key();
    if (key.isEmpty()) {
      if (emptyName.add()) {
        emptyName.set(
            at(entry, FileRule.KEY_EMPTY, "key " + index + " has an empty name: readers abort"));
      }
      return;
    }
    if (!isPlain(key) || key.length() > MAX_KEY_BYTES) {
      if (name.add()) {
        name.set(
            at(
                entry,
                FileRule.KEY_NAME,
                key.length() > MAX_KEY_BYTES
                    ? "a key of " + key.length() + " characters, the specification allows 65535"
                    : "a key with characters other than a-z, 0-9, dot, dash and underscore"));
      }
    }
  }

  private static boolean isPlain(String key) {
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }

  private void values(Metadata.Entry entry) {
    if (entry.type() == ValueType.BOOL) {
      if (entry.bits() > 1 && bool.add()) {
        bool.set(
            at(
                entry,
                FileRule.BOOL_VALUE,
                "a bool is stored as " + entry.bits() + ", which readers take as true"));
      }
      return;
    }
    if (entry.type() != ValueType.ARRAY) {
      return;
    }
    MetadataArray array = entry.array();
    if (array.elementType() == ValueType.ARRAY) {
      if (nested.add()) {
        nested.set(
            at(
                entry,
                FileRule.ARRAY_NESTED,
                entry.key()
                    + " is an array of "
                    + array.count()
                    + " arrays: the reference reader refuses nested arrays"));
      }
    } else if (array.count() == 0) {
      emptyArray(entry);
    } else if (array.elementType() == ValueType.BOOL && array.byteSize() <= MAX_COMPARED) {
      for (byte value : array.encoded(file.byteOrder(), 8)) {
        if ((value & 0xff) > 1 && bool.add()) {
          bool.set(
              at(
                  entry,
                  FileRule.BOOL_VALUE,
                  "an element is stored as " + (value & 0xff) + ", which readers take as true"));
        }
      }
    }
  }

  private void emptyArray(Metadata.Entry entry) {
    if (entry.key().equals("tokenizer.ggml.tokens")) {
      findings.add(
          at(entry, FileRule.ARRAY_EMPTY, "tokenizer.ggml.tokens is an array without elements")
              .withSeverity(Severity.WARNING)
              .withHint("take the tokenizer from the original checkpoint and convert again"));
    } else if (empty.add()) {
      empty.set(at(entry, FileRule.ARRAY_EMPTY, entry.key() + " is an array without elements"));
    }
  }

  private void type(Metadata.Entry entry) {
    KeyType expected = KeyType.of(entry.key(), architecture);
    Severity severity = expected == null ? null : expected.judge(entry);
    if (severity != null) {
      findings.add(
          at(
                  entry,
                  FileRule.KEY_TYPE,
                  entry.key()
                      + " is of type "
                      + entry.typeLabel()
                      + ", converters write "
                      + expected.label())
              .withSeverity(severity)
              .withHint(hint(entry, severity)));
    }
  }

  private static String hint(Metadata.Entry entry, Severity severity) {
    return severity == Severity.INFO
        ? "engines that compare types want it rewritten"
        : "an editor of metadata changed it, or a converter of another project: write "
            + entry.key()
            + " again in the type of the converters";
  }

  private void alias(Metadata.Entry entry) {
    String key = entry.key();
    String current = KeyAlias.currentName(key, architecture);
    if (current == null) {
      return;
    }
    boolean both = file.metadata().has(current);
    findings.add(
        at(
                entry,
                FileRule.KEY_ALIAS,
                key
                    + " is the spelling of a pre-release or of one branch, engines read "
                    + current
                    + (both ? ", which is here as well" : ""))
            .withSeverity(both ? Severity.INFO : Severity.WARNING)
            .withHint("rename the key: " + key + " -> " + current));
  }

  private void alignment() {
    Metadata.Entry entry = file.metadata().find("general.alignment").orElse(null);
    if (entry == null || !entry.type().isInteger()) {
      return;
    }
    if (entry.type() != ValueType.UINT32) {
      findings.add(
          at(
                  entry,
                  FileRule.ALIGNMENT_TYPE,
                  "general.alignment is of type "
                      + entry.typeLabel()
                      + ", readers accept uint32 alone; its value is "
                      + text(entry))
              .withHint(
                  "write general.alignment as uint32 "
                      + (file.alignment() == entry.bits() ? entry.bits() : 32)));
    } else if (entry.bits() < 8 && Long.bitCount(entry.bits()) == 1) {
      findings.add(
          at(
              entry,
              FileRule.ALIGNMENT_SMALL,
              "general.alignment is "
                  + entry.bits()
                  + ": a power of two, but the specification wants a multiple of 8"));
    }
  }

  private static String text(Metadata.Entry entry) {
    return entry.type() == ValueType.UINT64
        ? Long.toUnsignedString(entry.bits())
        : Long.toString(entry.bits());
  }

  /// A key that stands more than once.
  private static final class Repeated {
    private final Metadata.Entry first;
    private final Metadata.Entry second;
    private int times = 2;
    private boolean equal;

    Repeated(Metadata.Entry first, Metadata.Entry second, boolean equal) {
      this.first = first;
      this.second = second;
      this.equal = equal;
    }
  }

  private void duplicates(List<Metadata.Entry> entries) {
    Map<String, Metadata.Entry> seen = HashMap.newHashMap(entries.size());
    Map<String, Repeated> repeated = new LinkedHashMap<>();
    for (Metadata.Entry entry : entries) {
      String identity = identity(entry);
      Metadata.Entry before = seen.putIfAbsent(identity, entry);
      if (before == null || entry.key().isEmpty()) {
        continue;
      }
      Repeated known = repeated.get(identity);
      if (known == null) {
        repeated.put(identity, new Repeated(before, entry, isEqual(before, entry)));
      } else {
        known.times++;
        known.equal = known.equal && isEqual(before, entry);
      }
    }
    int told = 0;
    for (Repeated key : repeated.values()) {
      if (told++ < TOLD_SINGLY || duplicate.add()) {
        Finding finding = duplicate(key);
        if (told <= TOLD_SINGLY) {
          findings.add(finding);
        } else {
          duplicate.set(finding);
        }
      }
    }
  }

  /// A text that two keys share only if their bytes are equal: different bytes that are not UTF-8
  /// look alike as text. No decoded key begins with half a surrogate pair.
  private static String identity(Metadata.Entry entry) {
    return entry.isKeyUtf8()
        ? entry.key()
        : '\ud800' + Base64.getEncoder().encodeToString(entry.keyBytes());
  }

  private Finding duplicate(Repeated key) {
    String name = key.first.key();
    return at(
            key.second,
            FileRule.KEY_DUPLICATE,
            name
                + (key.times == 2 ? " stands twice" : " stands " + key.times + " times")
                + ", at bytes "
                + key.first.offset()
                + " and "
                + key.second.offset()
                + (key.times == 2 ? "" : " first")
                + (key.equal ? ", with equal values" : ", with different values")
                + "; the first one counts here, readers refuse the file")
        .withHint("write the file again with one " + name);
  }

  private boolean isEqual(Metadata.Entry a, Metadata.Entry b) {
    if (a.type() != b.type()) {
      return false;
    }
    return switch (a.type()) {
      case STRING ->
          a.stringLength() == b.stringLength()
              && a.stringLength() <= MAX_COMPARED
              && Arrays.equals(a.bytes(), b.bytes());
      case ARRAY -> isEqual(a.array(), b.array());
      case FLOAT32, FLOAT64 -> Double.compare(a.number(), b.number()) == 0;
      default -> a.bits() == b.bits();
    };
  }

  private boolean isEqual(MetadataArray a, MetadataArray b) {
    return a.elementType() == b.elementType()
        && a.count() == b.count()
        && a.byteSize() == b.byteSize()
        && a.byteSize() <= MAX_COMPARED
        && Arrays.equals(a.encoded(file.byteOrder(), 8), b.encoded(file.byteOrder(), 8));
  }

  private Finding at(Metadata.Entry entry, FileRule rule, String message) {
    @Nullable Subject subject = entry.key().isEmpty() ? null : Subject.key(entry.key());
    Finding finding = Finding.of(rule, message).at(file.path(), entry.offset());
    return subject == null ? finding : finding.about(subject);
  }
}
