package dev.gguf.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.FileKind;
import dev.gguf.Gguf;
import dev.gguf.Inspection;
import dev.gguf.Metadata;
import dev.gguf.ValueType;
import dev.gguf.fixture.Llama;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerRulesTest {
  @TempDir Path folder;

  private String judge(Metadata.Builder metadata) throws IOException {
    return Judged.of(folder, Llama.tensors(GgufWriter.of(metadata.build())));
  }

  private static List<String> tokens(int count) {
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tokens.add("t" + i);
    }
    return tokens;
  }

  private static List<String> with(int id, String token) {
    List<String> tokens = tokens(Llama.TOKENS);
    tokens.set(id, token);
    return tokens;
  }

  private static long[] types(int count) {
    long[] types = new long[count];
    Arrays.fill(types, 1);
    return types;
  }

  @Test
  void theVocabularyHasARowForEachToken() throws IOException {
    assertThat(
            judge(
                Llama.metadata()
                    .strings("tokenizer.ggml.tokens", tokens(17))
                    .integers("tokenizer.ggml.token_type", ValueType.INT32, types(17))))
        .isEqualTo(
            "error tokens-rows token_embd.weight: tokenizer.ggml.tokens has 17 entries,"
                + " token_embd.weight has 16 rows: the vocabulary is larger by 1");
    assertThat(judge(Llama.metadata().strings("tokenizer.ggml.tokens", tokens(10))))
        .contains("the embedding is larger by 6");
  }

  @Test
  void equalTokensAreToldWithTheirIds() throws IOException {
    assertThat(judge(Llama.metadata().strings("tokenizer.ggml.tokens", with(4, "t3"))))
        .isEqualTo(
            "error token-duplicate tokenizer.ggml.tokens: 1 token repeats the text of an earlier"
                + " one: \"t3\" has the ids 3 and 4");
    List<String> all = new ArrayList<>();
    for (int i = 0; i < Llama.TOKENS; i++) {
      all.add("same");
    }
    assertThat(judge(Llama.metadata().strings("tokenizer.ggml.tokens", all)))
        .contains("15 tokens repeat the text")
        .contains("\"same\" has the ids 0 and 3")
        .doesNotContain("0 and 4");
  }

  @Test
  void emptyTokensAreNoDuplicates() throws IOException {
    List<String> tokens = with(4, "");
    tokens.set(5, "");
    assertThat(judge(Llama.metadata().strings("tokenizer.ggml.tokens", tokens))).isEmpty();
  }

  @Test
  void specialIdsPointIntoTheVocabulary() throws IOException {
    assertThat(judge(Llama.metadata().uint32("tokenizer.ggml.bos_token_id", 999_999)))
        .isEqualTo(
            "warning token-id tokenizer.ggml.bos_token_id: tokenizer.ggml.bos_token_id is 999999,"
                + " but the vocabulary has 16 tokens");
    assertThat(judge(Llama.metadata().uint32("tokenizer.ggml.padding_token_id", 0xffff_ffffL)))
        .isEqualTo(
            "info token-id tokenizer.ggml.padding_token_id: tokenizer.ggml.padding_token_id is"
                + " 4294967295, which means none");
    assertThat(judge(Llama.metadata().int32("tokenizer.ggml.padding_token_id", -1)))
        .contains("tokenizer.ggml.padding_token_id is -1, which means none");
    assertThat(judge(Llama.metadata().uint64("tokenizer.ggml.padding_token_id", -1)))
        .contains(
            "tokenizer.ggml.padding_token_id is 18446744073709551615, but the vocabulary has 16");
    assertThat(
            judge(
                Llama.metadata()
                    .uint32("tokenizer.ggml.bos_token_id", 0xffff_ffffL)
                    .bool("tokenizer.ggml.add_bos_token", true)))
        .contains(
            "warning token-id tokenizer.ggml.add_bos_token: tokenizer.ggml.add_bos_token is true,"
                + " but tokenizer.ggml.bos_token_id is none");
    assertThat(
            judge(
                Llama.metadata()
                    .remove("tokenizer.ggml.bos_token_id")
                    .bool("tokenizer.ggml.add_bos_token", true)))
        .isEqualTo(
            "warning token-id tokenizer.ggml.add_bos_token: tokenizer.ggml.add_bos_token is true,"
                + " but there is no tokenizer.ggml.bos_token_id");
  }

  @Test
  void listsAreAsLongAsTheVocabulary() throws IOException {
    assertThat(
            judge(
                Llama.metadata().integers("tokenizer.ggml.token_type", ValueType.INT32, types(15))))
        .startsWith(
            "error token-lists tokenizer.ggml.token_type: tokenizer.ggml.token_type has 15 entries"
                + " for 16 tokens");
    assertThat(judge(Llama.metadata().floats("tokenizer.ggml.scores", new float[3])))
        .startsWith("error token-lists tokenizer.ggml.scores");
  }

  @Test
  void controlTokensInUseAreTypedControl() throws IOException {
    Metadata.Builder eos =
        Llama.metadata()
            .strings("tokenizer.ggml.tokens", with(3, "<|im_end|>"))
            .uint32("tokenizer.ggml.eos_token_id", 3);
    assertThat(judge(eos))
        .isEqualTo(
            "warning token-control tokenizer.ggml.token_type: 1 control token is typed normal (1)"
                + " instead of control (3): \"<|im_end|>\" (id 3, the eos token)");
    Metadata.Builder template =
        Llama.metadata()
            .strings("tokenizer.ggml.tokens", with(3, "<|im_end|>"))
            .string("tokenizer.chat_template", "{{ a < b }}<|im_start|>{{ x }}<|im_end|>");
    assertThat(judge(template)).endsWith("\"<|im_end|>\" (id 3, in the chat template)");
    Metadata.Builder named =
        Llama.metadata()
            .strings("tokenizer.ggml.tokens", with(3, "<|im_end|>"))
            .string("tokenizer.chat_template", "{{ x }}")
            .string("tokenizer.chat_template.tool_use", "{{ x }}<|im_end|>");
    assertThat(judge(named)).endsWith("\"<|im_end|>\" (id 3, in the chat template)");
    long[] types = types(Llama.TOKENS);
    types[3] = 3;
    assertThat(judge(eos.integers("tokenizer.ggml.token_type", ValueType.INT32, types))).isEmpty();
    assertThat(judge(Llama.metadata().strings("tokenizer.ggml.tokens", with(3, "<|unused|>"))))
        .isEmpty();
  }

  @Test
  void nothingIsAbsentFromKeysThatCouldNotBeRead() throws IOException {
    Path path = folder.resolve("cut.gguf");
    Llama.writer().write(path);
    byte[] bytes = Files.readAllBytes(path);
    int cut = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("tokenizer.ggml.merges") - 8;
    Files.write(path, Arrays.copyOf(bytes, cut));
    assertThat(Judged.of(path)).startsWith("error header-cut").doesNotContain("merges");
    try (Inspection inspection = Gguf.inspect(path)) {
      assertThat(inspection.kind()).isEqualTo(FileKind.MODEL);
    }
  }

  @Test
  void aBpeTokenizerHasMergesOfTwoParts() throws IOException {
    assertThat(judge(Llama.metadata().remove("tokenizer.ggml.merges")))
        .isEqualTo(
            "error merges tokenizer.ggml.merges: the tokenizer is of type gpt2, but there are no"
                + " tokenizer.ggml.merges");
    assertThat(
            judge(
                Llama.metadata()
                    .remove("tokenizer.ggml.merges")
                    .string("tokenizer.ggml.pre", "kimi-k2")))
        .isEmpty();
    assertThat(
            judge(Llama.metadata().strings("tokenizer.ggml.merges", List.of("a b", "ab", "  c"))))
        .isEqualTo(
            "error merges tokenizer.ggml.merges: 1 of 3 merges are not two parts with a space"
                + " between them, first entry 1: \"ab\"");
    assertThat(
            judge(
                Llama.metadata()
                    .remove("tokenizer.ggml.merges")
                    .string("tokenizer.ggml.model", "llama")))
        .isEmpty();
  }

  @Test
  void thePreTokenizerIsAKnownOne() throws IOException {
    assertThat(judge(Llama.metadata().string("tokenizer.ggml.pre", "gpt-4o-next")))
        .startsWith(
            "warning pre-tokenizer tokenizer.ggml.pre: tokenizer.ggml.pre is \"gpt-4o-next\"");
    assertThat(judge(Llama.metadata().string("tokenizer.ggml.pre", "gpt-4"))).contains("warning");
    assertThat(judge(Llama.metadata().string("tokenizer.ggml.pre", "glm4"))).isEmpty();
    assertThat(
            judge(
                Llama.metadata()
                    .string("tokenizer.ggml.pre", "gpt-4o-next")
                    .string("tokenizer.ggml.model", "llama")))
        .isEmpty();
  }

  @Test
  void aModelWithoutTokenizerIsInformation() throws IOException {
    Metadata.Builder metadata = Llama.metadata();
    for (Metadata.Entry entry : Llama.metadata().build()) {
      if (entry.key().startsWith("tokenizer.")) {
        metadata.remove(entry.key());
      }
    }
    assertThat(judge(metadata)).startsWith("info tokenizer-absent: there is no tokenizer");
  }
}
