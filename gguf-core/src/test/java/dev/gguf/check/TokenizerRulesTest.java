package dev.gguf.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.ValueType;
import dev.gguf.fixture.Llama;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
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
    long[] types = types(Llama.TOKENS);
    types[3] = 3;
    assertThat(judge(eos.integers("tokenizer.ggml.token_type", ValueType.INT32, types))).isEmpty();
    assertThat(judge(Llama.metadata().strings("tokenizer.ggml.tokens", with(3, "<|unused|>"))))
        .isEmpty();
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
