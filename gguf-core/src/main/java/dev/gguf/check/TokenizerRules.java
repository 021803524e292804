package dev.gguf.check;

import dev.gguf.FileKind;
import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Gguf;
import dev.gguf.GgufFile;
import dev.gguf.Metadata;
import dev.gguf.MetadataArray;
import dev.gguf.Severity;
import dev.gguf.Subject;
import dev.gguf.Tensor;
import dev.gguf.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The vocabulary: whether its lists fit each other, the embedding and the keys that point into
/// them.
final class TokenizerRules {
  private static final String PREFIX = "tokenizer.ggml.";
  private static final String TOKENS = PREFIX + "tokens";
  private static final String TEMPLATE = "tokenizer.chat_template";
  private static final String MERGES = PREFIX + "merges";
  private static final long NONE = 0xffff_ffffL;
  private static final int NAMED = 3;
  private static final int NORMAL = 1;
  private static final long MAX_TEMPLATE = 1 << 22;

  private final Gguf gguf;
  private final GgufFile file;
  private final Metadata metadata;
  private final List<Finding> findings;
  private final @Nullable TokenTable tokens;
  private final @Nullable MergeTable merges;
  private final boolean bpe;

  TokenizerRules(Gguf gguf, List<Finding> findings) {
    this.gguf = gguf;
    this.file = gguf.files().getFirst();
    this.metadata = gguf.metadata();
    this.findings = findings;
    this.bpe = metadata.findString(PREFIX + "model").orElse("").equals("gpt2");
    MetadataArray tokenList = strings(TOKENS);
    MetadataArray mergeList = bpe ? strings(MERGES) : null;
    this.tokens = tokenList == null ? null : new TokenTable(tokenList);
    this.merges = mergeList == null ? null : new MergeTable(mergeList);
  }

  private @Nullable MetadataArray strings(String key) {
    Metadata.Entry entry = metadata.find(key).orElse(null);
    return entry != null
            && entry.type() == ValueType.ARRAY
            && entry.array().elementType() == ValueType.STRING
            && entry.array().byteSize() <= 1 << 30
        ? entry.array()
        : null;
  }

  /// Returns what takes the tokens on the one pass over the strings, or null without tokens.
  @Nullable TokenTable tokens() {
    return tokens;
  }

  /// Returns what takes the merges on the one pass over the strings, or null without merges.
  @Nullable MergeTable merges() {
    return merges;
  }

  /// Judges; the strings have been visited.
  void check() {
    absent();
    if (tokens != null && tokens.array().count() > 0) {
      rows(tokens.array().count());
      duplicates(tokens);
      ids(tokens.array().count());
      lists(tokens.array().count());
      controls(tokens);
    }
    if (bpe && file.metadataEnd() > 0) {
      mergesOfBpe();
      preTokenizer();
    }
  }

  private void absent() {
    if (tokens != null
        || !file.isHeaderComplete()
        || !metadata.has("general.architecture")
        || gguf.find("token_embd.weight").isEmpty()
        || gguf.kind() != FileKind.MODEL) {
      return;
    }
    for (Metadata.Entry entry : metadata) {
      if (entry.key().startsWith("tokenizer.")) {
        return;
      }
    }
    findings.add(
        Finding.of(
                FileRule.TOKENIZER_ABSENT,
                "there is no tokenizer in the file: engines need one from elsewhere")
            .in(file.path())
            .withHint("keep tokenizer.json of the original checkpoint beside the file"));
  }

  private void rows(long count) {
    Tensor embedding = gguf.find("token_embd.weight").orElse(null);
    if (embedding == null || embedding.dimensions() < 2 || embedding.ne(1) == count) {
      return;
    }
    long rows = embedding.ne(1);
    findings.add(
        Finding.of(
                FileRule.TOKENS_ROWS,
                TOKENS
                    + " has "
                    + count
                    + " entries, token_embd.weight has "
                    + rows
                    + " rows: the "
                    + (count > rows ? "vocabulary" : "embedding")
                    + " is larger by "
                    + Math.abs(count - rows))
            .about(Subject.tensor(embedding.name()))
            .at(embedding.file().path(), embedding.infoOffset())
            .withHint(
                count > rows
                    ? "added tokens need rows: resize the embedding in the checkpoint and convert"
                        + " again"
                    : "the converter pads the vocabulary to the rows of the embedding: convert"
                        + " again with the tokenizer of this checkpoint"));
  }

  private void duplicates(TokenTable table) {
    int count = table.duplicates();
    if (count == 0) {
      return;
    }
    StringBuilder text = new StringBuilder();
    text.append(count).append(count == 1 ? " token repeats" : " tokens repeat");
    text.append(" the text of an earlier one: ");
    int[] ids = table.duplicateIds();
    int named = Math.min(NAMED, count);
    for (int i = 0; i < named; i++) {
      text.append(i > 0 ? "; " : "")
          .append('"')
          .append(table.array().stringAt(ids[2 * i]))
          .append("\" has the ids ")
          .append(ids[2 * i])
          .append(" and ")
          .append(ids[2 * i + 1]);
    }
    findings.add(
        key(FileRule.TOKEN_DUPLICATE, TOKENS, text.toString())
            .withHint("give every token a text of its own, such as [PAD" + ids[1] + "]"));
  }

  private void ids(long count) {
    for (Metadata.Entry entry : metadata) {
      String key = entry.key();
      if (!key.startsWith(PREFIX) || !entry.type().isInteger() || !isTokenId(key)) {
        continue;
      }
      long id = entry.bits();
      if (isNone(entry)) {
        findings.add(
            key(FileRule.TOKEN_ID, key, key + " is " + id + ", which means none")
                .withSeverity(Severity.INFO));
      } else if (id < 0 || id >= count) {
        String text = entry.type() == ValueType.UINT64 ? Long.toUnsignedString(id) : "" + id;
        findings.add(
            key(
                    FileRule.TOKEN_ID,
                    key,
                    key + " is " + text + ", but the vocabulary has " + count + " tokens")
                .withHint("--override-kv " + key + "=int:ID with the id of the right token"));
      }
    }
    added("bos", "add_bos_token", "cls");
    added("eos", "add_eos_token", "sep");
  }

  /// Whether an id is -1, or what that is as an unsigned number.
  private static boolean isNone(Metadata.Entry entry) {
    return entry.bits() == NONE || entry.bits() == -1 && entry.type() != ValueType.UINT64;
  }

  private static boolean isTokenId(String key) {
    return key.endsWith("_token_id");
  }

  private void added(String token, String flag, String standIn) {
    Metadata.Entry entry = metadata.find(PREFIX + flag).orElse(null);
    if (entry == null
        || entry.type() != ValueType.BOOL
        || !entry.bool()
        || hasId(token)
        || hasId(standIn)
        || hasId("seperator") && standIn.equals("sep")) {
      return;
    }
    String id = PREFIX + token + "_token_id";
    String none = metadata.has(id) ? id + " is none" : "there is no " + id;
    findings.add(
        key(FileRule.TOKEN_ID, PREFIX + flag, PREFIX + flag + " is true, but " + none)
            .withHint("--override-kv " + id + "=int:ID with the id of the right token"));
  }

  private boolean hasId(String token) {
    Metadata.Entry entry = metadata.find(PREFIX + token + "_token_id").orElse(null);
    return entry != null && !(entry.type().isInteger() && isNone(entry));
  }

  private void lists(long count) {
    shorter(PREFIX + "scores", count);
    shorter(PREFIX + "token_type", count);
  }

  private void shorter(String key, long count) {
    Metadata.Entry entry = metadata.find(key).orElse(null);
    if (entry == null || entry.type() != ValueType.ARRAY || entry.array().count() >= count) {
      return;
    }
    findings.add(
        key(
                FileRule.TOKEN_LISTS,
                key,
                key
                    + " has "
                    + entry.array().count()
                    + " entries for "
                    + count
                    + " tokens: readers go past its end")
            .withHint("convert the tokenizer again"));
  }

  private void controls(TokenTable table) {
    Metadata.Entry entry = metadata.find(PREFIX + "token_type").orElse(null);
    int[] looking = table.controls();
    if (looking.length == 0
        || entry == null
        || entry.type() != ValueType.ARRAY
        || !entry.array().elementType().isInteger()) {
      return;
    }
    MetadataArray types = entry.array();
    List<Integer> normal = new ArrayList<>();
    for (int id : looking) {
      if (id < types.count() && types.integerAt(id) == NORMAL) {
        normal.add(id);
      }
    }
    if (normal.isEmpty()) {
      return;
    }
    ControlText template = templates();
    StringBuilder text = new StringBuilder();
    int used = 0;
    for (int id : normal) {
      String token = table.array().stringAt(id);
      String role = role(id);
      if (role == null && !template.has(token)) {
        continue;
      }
      used++;
      if (used <= NAMED) {
        text.append(used > 1 ? ", " : "")
            .append('"')
            .append(token)
            .append("\" (id ")
            .append(id)
            .append(role == null ? ", in the chat template" : ", the " + role + " token")
            .append(')');
      }
    }
    if (used > 0) {
      findings.add(
          key(
                  FileRule.TOKEN_CONTROL,
                  PREFIX + "token_type",
                  used
                      + (used == 1 ? " control token is" : " control tokens are")
                      + " typed normal (1) instead of control (3): "
                      + text)
              .withHint("set the type of these ids to 3 in " + PREFIX + "token_type"));
    }
  }

  /// The texts of the chat template and of its named alternatives.
  private ControlText templates() {
    ControlText text = new ControlText();
    for (Metadata.Entry entry : metadata) {
      if (entry.type() == ValueType.STRING
          && entry.stringLength() <= MAX_TEMPLATE
          && (entry.key().equals(TEMPLATE) || entry.key().startsWith(TEMPLATE + "."))) {
        text.add(entry.string());
      }
    }
    return text;
  }

  private @Nullable String role(int id) {
    for (String role : new String[] {"eos", "eot", "eom"}) {
      Metadata.Entry entry = metadata.find(PREFIX + role + "_token_id").orElse(null);
      if (entry != null && entry.type().isInteger() && entry.bits() == id) {
        return role;
      }
    }
    return null;
  }

  private void mergesOfBpe() {
    Metadata.Entry entry = metadata.find(MERGES).orElse(null);
    if (entry == null || entry.type() == ValueType.ARRAY && entry.array().count() == 0) {
      if (metadata.findString(PREFIX + "pre").orElse("").equals("kimi-k2")) {
        return;
      }
      findings.add(
          Finding.of(FileRule.MERGES, "the tokenizer is of type gpt2, but there are no " + MERGES)
              .about(Subject.key(MERGES))
              .in(file.path())
              .withHint(
                  "convert again with the tokenizer.json that has the merges; engines that read"
                      + " their tokenizer from elsewhere can use the file"));
      return;
    }
    if (merges != null && merges.malformed() > 0) {
      int first = merges.firstMalformed();
      findings.add(
          key(
              FileRule.MERGES,
              MERGES,
              merges.malformed()
                  + " of "
                  + merges.array().count()
                  + " merges are not two parts with a space between them, first entry "
                  + first
                  + ": \""
                  + shortened(merges.array().stringAt(first))
                  + '"'));
    }
  }

  private void preTokenizer() {
    Metadata.Entry entry = metadata.find(PREFIX + "pre").orElse(null);
    if (entry == null || entry.type() != ValueType.STRING || entry.stringLength() > 4096) {
      return;
    }
    String name = entry.string();
    if (!PreTokenizers.isKnown(name)) {
      findings.add(
          key(
                  FileRule.PRE_TOKENIZER,
                  PREFIX + "pre",
                  PREFIX
                      + "pre is \""
                      + name
                      + "\", a pre-tokenizer in no list: engines that do not know it refuse the"
                      + " file")
              .withHint(
                  "--override-kv "
                      + PREFIX
                      + "pre=str:NAME with the pre-tokenizer of the model it comes from"));
    }
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }

  private Finding key(FileRule rule, String key, String message) {
    Finding finding = Finding.of(rule, message).about(Subject.key(key));
    Metadata.Entry entry = metadata.find(key).orElse(null);
    return entry == null ? finding.in(file.path()) : finding.at(file.path(), entry.offset());
  }
}
