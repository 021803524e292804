package dev.gguf.check;

import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.Severity;
import dev.gguf.Subject;
import dev.gguf.ValueType;
import dev.gguf.internal.ShardName;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files of a split set against each other, their names and their `split.*` keys; and a single
/// file against split keys that it has or should have.
final class SplitRules {
  private static final String NO = "split.no";
  private static final String COUNT = "split.count";
  private static final String TOTAL = "split.tensors.count";
  private static final String OLD_NO = "general.split";
  private static final String OLD_COUNT = "general.split_count";

  private final Gguf gguf;
  private final List<GgufFile> files;
  private final GgufFile first;
  private final List<Finding> findings;
  private final boolean shardsAbsent;

  private SplitRules(Gguf gguf, List<Finding> findings) {
    this.gguf = gguf;
    this.files = gguf.files();
    this.first = files.getFirst();
    this.findings = findings;
    boolean absent = false;
    for (Finding finding : findings) {
      absent |= finding.rule() instanceof FileRule rule && rule.leavesFileOut();
    }
    this.shardsAbsent = absent;
  }

  /// @param given the path that the model was opened by
  /// @param findings with those of the reader, to which the new ones are added
  static void check(Gguf gguf, Path given, List<Finding> findings) {
    SplitRules rules = new SplitRules(gguf, findings);
    rules.keys();
    if (rules.files.size() > 1 || rules.shardsAbsent) {
      rules.set(given);
    } else {
      rules.single();
    }
  }

  private void keys() {
    Group wrong = new Group(FileRule.SPLIT_KEY, "keys");
    Group width = new Group(FileRule.SPLIT_KEY, "keys");
    Group old = new Group(FileRule.SPLIT_KEY, "keys");
    for (GgufFile file : files) {
      key(file, NO, ValueType.UINT16, wrong, width);
      key(file, COUNT, ValueType.UINT16, wrong, width);
      key(file, TOTAL, ValueType.INT32, wrong, width);
      for (String key : new String[] {OLD_NO, OLD_COUNT}) {
        if (file.metadata().has(key) && old.add()) {
          old.set(
              of(
                      FileRule.SPLIT_KEY,
                      file,
                      key
                          + " is a key of before March 2024; engines read "
                          + (key.equals(OLD_NO) ? NO : COUNT))
                  .withSeverity(Severity.WARNING)
                  .about(Subject.key(key))
                  .withHint("merge the set with the tool that split it, and split it again"));
        }
      }
    }
    wrong.addTo(findings);
    old.addTo(findings);
    width.addTo(findings);
  }

  private static void key(GgufFile file, String key, ValueType usual, Group wrong, Group width) {
    Metadata.Entry entry = file.metadata().find(key).orElse(null);
    if (entry == null || entry.type() == usual) {
      return;
    }
    if (!entry.type().isInteger()) {
      if (wrong.add()) {
        wrong.set(
            of(
                    FileRule.SPLIT_KEY,
                    file,
                    key
                        + " is of type "
                        + entry.typeLabel()
                        + ", readers want an integer and abort")
                .about(Subject.key(key))
                .at(file.path(), entry.offset())
                .withHint("write " + key + " again as " + usual.label()));
      }
    } else if (width.add()) {
      width.set(
          of(
                  FileRule.SPLIT_KEY,
                  file,
                  key + " is of type " + entry.typeLabel() + ", splitters write " + usual.label())
              .withSeverity(Severity.INFO)
              .about(Subject.key(key))
              .at(file.path(), entry.offset()));
    }
  }

  private void set(Path given) {
    numbers();
    counts();
    total();
    first(given);
    new ShardTypes(files).check(findings);
    ShardShapes.check(files, findings);
  }

  private void numbers() {
    Group order = new Group(FileRule.SHARD_ORDER, "files");
    for (GgufFile file : files) {
      ShardName name = ShardName.of(file.path()).orElse(null);
      Long no = integer(file, NO, OLD_NO);
      if (name == null || !isKeysRead(file) || no != null && no == name.number() - 1) {
        continue;
      }
      if (order.add()) {
        order.set(
            of(
                    FileRule.SHARD_ORDER,
                    file,
                    file.path().getFileName()
                        + " is file "
                        + name.number()
                        + " by its name, but "
                        + (no == null
                            ? "has no split.no"
                            : "split.no says file " + (no + 1) + " (split.no " + no + ")"))
                .about(shard(file))
                .withHint(
                    no == null || no < 0 || no >= name.count()
                        ? "fetch the file again"
                        : "mv '"
                            + file.path().getFileName()
                            + "' '"
                            + name.sibling((int) (no + 1))
                            + "' if files were renamed"));
      }
    }
    order.addTo(findings);
  }

  private void counts() {
    Group counts = new Group(FileRule.SHARD_COUNT, "files");
    ShardName name = ShardName.of(first.path()).orElse(null);
    Long expected = name == null ? integer(first, COUNT) : Long.valueOf(name.count());
    for (GgufFile file : files) {
      Long count = integer(file, COUNT, OLD_COUNT);
      if (!isKeysRead(file) || count != null && count.equals(expected)) {
        continue;
      }
      if (file.metadata().has(COUNT) && count == null) {
        // Its type is told already.
        continue;
      }
      if (counts.add()) {
        counts.set(
            of(
                    FileRule.SHARD_COUNT,
                    file,
                    file.path().getFileName()
                        + (count == null ? " has no split.count" : " has split.count " + count)
                        + ", the set has "
                        + expected
                        + " files by its names")
                .about(shard(file))
                .withHint("fetch the file that belongs to this set"));
      }
    }
    counts.addTo(findings);
  }

  private void total() {
    Long promised = null;
    GgufFile promiser = null;
    boolean complete = !shardsAbsent;
    for (GgufFile file : files) {
      complete &= file.isHeaderComplete();
      Long total = integer(file, TOTAL);
      if (total != null && promised == null) {
        promised = total;
        promiser = file;
      } else if (total != null && !total.equals(promised)) {
        findings.add(
            of(
                    FileRule.TENSORS_COUNT,
                    file,
                    file.path().getFileName()
                        + " has split.tensors.count "
                        + total
                        + ", "
                        + promiser.path().getFileName()
                        + " has "
                        + promised)
                .about(Subject.key(TOTAL))
                .withHint("the files are of different sets: fetch the one that does not belong"));
        return;
      }
    }
    long there = gguf.tensors().size();
    if (complete && promised != null && promised != there) {
      findings.add(
          of(
                  FileRule.TENSORS_COUNT,
                  promiser,
                  "split.tensors.count is "
                      + promised
                      + ", but the "
                      + files.size()
                      + " files of the set hold "
                      + there
                      + " tensors: "
                      + Math.abs(promised - there)
                      + (promised > there ? " fewer" : " more"))
              .about(Subject.key(TOTAL))
              .withHint(
                  "a tool changed tensors without this key; if they are right: gguf merge '"
                      + first.path().getFileName()
                      + "' OUT --accept-findings"));
    }
  }

  private void first(Path given) {
    ShardName name = ShardName.of(given).orElse(null);
    if (name != null && name.number() > 1 && !shardsAbsent) {
      findings.add(
          of(
                  FileRule.SPLIT_FIRST,
                  first,
                  given.getFileName()
                      + " is file "
                      + name.number()
                      + " of "
                      + name.count()
                      + ": engines want the first one, "
                      + name.sibling(1))
              .about(shard(first))
              .withHint("load " + name.sibling(1)));
    }
    if (files.size() > 1 && first.isHeaderComplete() && first.tensors().isEmpty()) {
      findings.add(
          of(
                  FileRule.SPLIT_FIRST,
                  first,
                  first.path().getFileName()
                      + " holds the metadata alone, all "
                      + gguf.tensors().size()
                      + " tensors are in the other files")
              .about(shard(first)));
    }
  }

  private void single() {
    Long count = integer(first, COUNT);
    ShardName name = ShardName.of(first.path()).orElse(null);
    boolean keys =
        first.metadata().has(NO) || first.metadata().has(COUNT) || first.metadata().has(TOTAL);
    if (count != null && count > 1) {
      manyInOne(count, name);
    } else if (name != null && !keys && name.count() != 1) {
      nameAlone(name);
    } else if (keys && (count != null || !first.metadata().has(COUNT))) {
      leftover(count == null ? 0 : count);
    }
  }

  private void nameAlone(ShardName name) {
    boolean odd = name.number() < 1 || name.number() > name.count();
    findings.add(
        of(
                FileRule.SPLIT_NAME,
                first,
                first.path().getFileName()
                    + (odd
                        ? " has the number "
                            + name.number()
                            + " of "
                            + name.count()
                            + " in its name; numbers run from 1"
                        : " is named like file "
                            + name.number()
                            + " of "
                            + name.count()
                            + " of a split set, but has no split.count key")
                    + "; engines may take the name for a shard's")
            .about(Subject.file(first.path().getFileName().toString()))
            .withHint("rename it to " + last(name.prefix()) + ".gguf if it is a whole model"));
  }

  private static String last(String prefix) {
    return prefix.isEmpty() ? "model" : prefix;
  }

  private void manyInOne(long count, @Nullable ShardName name) {
    for (Finding finding : findings) {
      if (finding.rule() == FileRule.TRAILING_BYTES && finding.severity() == Severity.ERROR) {
        return;
      }
    }
    Long total = integer(first, TOTAL);
    Long no = integer(first, NO);
    long here = first.tensors().size();
    String file = first.path().getFileName().toString();
    boolean whole = total != null && total == here && first.isHeaderComplete();
    StringBuilder text = new StringBuilder();
    text.append("split.count is ").append(count);
    if (whole) {
      text.append(", but all ").append(here).append(" tensors of split.tensors.count are in ");
      text.append(file).append(": the split keys are stale, and llama.cpp refuses the file");
    } else {
      text.append(" and ").append(file);
      if (no != null && no >= 0) {
        text.append(" is file ").append(no + 1).append(" of the set, with ");
      } else {
        text.append(" has ");
      }
      text.append(here);
      if (total != null) {
        text.append(" of ").append(total);
      }
      text.append(" tensors; its name does not lead to the other ");
      text.append(count - 1).append(count == 2 ? " file" : " files");
    }
    if (name != null) {
      text.append(", the name says file ")
          .append(name.number())
          .append(" of ")
          .append(name.count());
    }
    findings.add(
        of(FileRule.SPLIT_NAME, first, text.toString())
            .withSeverity(Severity.ERROR)
            .about(Subject.key(COUNT))
            .withHint(
                whole
                    ? "gguf edit '" + file + "' OUT --set split.count=0"
                    : "put the files of the set into one folder and name them "
                        + new ShardName("NAME", 1, Math.clamp(count, 1, 99_999))
                            .sibling(no == null ? 1 : Math.clamp(no + 1, 1, 99_999))
                        + " and so on"));
  }

  private void leftover(long count) {
    Long total = integer(first, TOTAL);
    long here = first.tensors().size();
    if (total != null && total != here && first.isHeaderComplete()) {
      findings.add(
          of(
                  FileRule.SPLIT_LEFTOVER,
                  first,
                  "split.tensors.count is "
                      + total
                      + ", but the file holds "
                      + here
                      + " tensors, and split.count "
                      + count
                      + " says that it is whole")
              .withSeverity(Severity.ERROR)
              .about(Subject.key(TOTAL))
              .withHint("merge the shards again: gguf merge FIRST-SHARD OUT"));
      return;
    }
    if (count == 0) {
      findings.add(
          of(
                  FileRule.SPLIT_LEFTOVER,
                  first,
                  "split keys of a merge are still here; the file is whole"
                      + (total == null ? "" : ", with all " + total + " tensors"))
              .about(Subject.key(first.metadata().has(COUNT) ? COUNT : NO)));
    }
  }

  private static boolean isKeysRead(GgufFile file) {
    return file.metadataEnd() > 0;
  }

  private static @Nullable Long integer(GgufFile file, String key) {
    Metadata.Entry entry = file.metadata().find(key).orElse(null);
    return entry != null
            && entry.type().isInteger()
            && (entry.type() != ValueType.UINT64 || entry.bits() >= 0)
        ? Long.valueOf(entry.bits())
        : null;
  }

  /// The number of a key or, where it is absent, of its spelling of before March 2024.
  private static @Nullable Long integer(GgufFile file, String key, String old) {
    return integer(file, file.metadata().has(key) ? key : old);
  }

  private static Subject shard(GgufFile file) {
    return new Subject(Subject.Kind.SHARD, file.path().getFileName().toString());
  }

  private static Finding of(FileRule rule, GgufFile file, String message) {
    return Finding.of(rule, message).in(file.path());
  }
}
