package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCommandsTest {
  private static final Path MINI = Path.of(Run.MINI);

  @TempDir private Path folder;
  private String out = "";

  @BeforeEach
  void name() {
    out = folder.resolve("out.gguf").toString();
  }

  private String shard(int number) {
    return folder.resolve("m-0000" + number + "-of-00003.gguf").toString();
  }

  private void copyShards() throws IOException {
    for (int number = 1; number <= 3; number++) {
      Files.copy(
          Path.of(Run.TESTDATA + "glm-dsa-mini-split-0000" + number + "-of-00003.gguf"),
          Path.of(shard(number)));
    }
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void mergesToTheUnsplitFile() throws IOException {
    copyShards();
    Run run = Run.gguf("merge", shard(2), out, "--verify");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .isEqualTo(
            out
                + ": 94 tensors, 330.4 KiB (338336 bytes), of 3 shards; every byte read back and"
                + " compared\n");
    assertThat(run.err()).contains("of disk space needed");
    assertThat(Path.of(out)).hasSameBinaryContentAs(MINI);
    assertThat(Run.gguf("diff", out, shard(1), "--data").status()).isZero();
  }

  @Test
  void aMergeAsADocument() throws IOException {
    copyShards();
    Map<String, Object> document = Run.gguf("merge", shard(1), out, "--format", "json").json();
    assertThat(document)
        .containsEntry("schema", "gguf/merge/1")
        .containsEntry("tensors", 94)
        .containsEntry("bytes", 338336)
        .containsEntry("verified", false)
        .containsEntry("notes", List.of());
  }

  private void requireRefused(int status, String text, String... call) throws IOException {
    List<String> before = names();
    Run run = Run.gguf(call);
    assertThat(run.status()).isEqualTo(status);
    assertThat(run.out() + run.err()).contains(text);
    assertThat(names()).isEqualTo(before);
  }

  @Test
  void anExistingFileIsNotReplaced() throws IOException {
    copyShards();
    Files.writeString(Path.of(out), "precious");
    requireRefused(2, "is there already and stays as it is", "merge", shard(1), out);
    assertThat(Path.of(out)).hasContent("precious");
    assertThat(Run.gguf("merge", shard(1), out, "--force").status()).isZero();
    assertThat(Path.of(out)).hasSameBinaryContentAs(MINI);
  }

  @Test
  void aShardIsNeverTheTarget() throws IOException {
    copyShards();
    requireRefused(2, "is the name of a shard", "merge", shard(1), shard(2), "--force");
    Path link = Files.createSymbolicLink(folder.resolve("link.gguf"), Path.of(shard(2)));
    requireRefused(
        1, "is one of the files that are read", "merge", shard(1), link.toString(), "--force");
  }

  @Test
  void faultsOfShardsAreToldByCheck() throws IOException {
    copyShards();
    try (RandomAccessFile file = new RandomAccessFile(shard(2), "rw")) {
      file.setLength(file.length() - 5000);
    }
    requireRefused(1, "[tensor-outside-file]", "merge", shard(1), out);
    Files.copy(Path.of(shard(3)), Path.of(shard(2)), StandardCopyOption.REPLACE_EXISTING);
    requireRefused(1, "[shard-order]", "merge", shard(1), out);
    requireRefused(1, "split.no is 2", "merge", shard(1), out, "--accept-findings");
    Files.delete(Path.of(shard(2)));
    requireRefused(1, "[shard-missing]", "merge", shard(1), out);
  }

  @Test
  void aShardOfAnotherModelIsNotMerged() throws IOException {
    copyShards();
    assertThat(
            Run.gguf(
                    "split",
                    Run.TESTDATA + "glm-dsa-mini-shared-indexer.gguf",
                    folder.resolve("o").toString(),
                    "--max-tensors",
                    "60")
                .status())
        .isZero();
    Files.copy(
        folder.resolve("o-00002-of-00003.gguf"),
        Path.of(shard(2)),
        StandardCopyOption.REPLACE_EXISTING);
    requireRefused(1, "[tensors-count]", "merge", shard(1), out);
  }

  @Test
  void splitsAndMergesBack() throws IOException {
    String prefix = folder.resolve("s").toString();
    Run run = Run.gguf("split", Run.MINI, prefix, "--max-size", "100K", "--empty-first");
    assertThat(run.status()).isZero();
    assertThat(names()).hasSizeGreaterThan(4).allMatch(name -> name.startsWith("s-0000"));
    assertThat(run.out().lines()).hasSameSizeAs(names());
    String last = folder.resolve(names().getLast()).toString();
    assertThat(Run.gguf("merge", last, out).status()).isZero();
    assertThat(Path.of(out)).hasSameBinaryContentAs(MINI);
    requireRefused(
        2, "is there already", "split", Run.MINI, prefix, "--max-size", "100K", "--empty-first");
  }

  @Test
  void aSplitNeedsOneLimit() throws IOException {
    String prefix = folder.resolve("s").toString();
    requireRefused(2, "either --max-size or --max-tensors", "split", Run.MINI, prefix);
    for (String size : new String[] {"0", "-1", "G", "1X", "10Gx", "99999999999T"}) {
      requireRefused(2, "expected a size", "split", Run.MINI, prefix, "--max-size=" + size);
    }
    assertThat(Sizes.parse("s", "50G")).isEqualTo(50_000_000_000L);
    assertThat(Sizes.parse("s", "4GiB")).isEqualTo(4L << 30);
    assertThat(Sizes.parse("s", "7kb")).isEqualTo(7000);
  }

  @Test
  void editsByTheTypeThatIsThere() throws IOException {
    Run run =
        Run.gguf(
            "edit",
            Run.MINI,
            out,
            "--set",
            "general.name=Other = name",
            "--set",
            "glm-dsa.context_length=8192",
            "--set",
            "glm-dsa.rope.freq_base=500000",
            "--set",
            "glm-dsa.expert_weights_norm=false",
            "--set-type",
            "my.list:int32[]=1,-2,3",
            "--set-type",
            "my.words:string[]=[\"a,b\",\"c\"]",
            "--remove",
            "general.type",
            "--rename",
            "general.file_type=my.file_type");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .startsWith(out + ": ")
        .contains("9 keys of the metadata differ")
        .containsPattern("glm-dsa.context_length +changed +uint32 +4096 +8192\n");
    String metadata = Run.gguf("metadata", out).out();
    assertThat(metadata)
        .containsPattern("general.name +string +Other = name\n")
        .containsPattern("glm-dsa.rope.freq_base +float32 +500000.0\n")
        .containsPattern("glm-dsa.expert_weights_norm +bool +false\n")
        .containsPattern("my.list +int32\\[3] +\\[1, -2, 3]\n")
        .containsPattern("my.words +string\\[2] +\\[\"a,b\", \"c\"]\n")
        .containsPattern("my.file_type +uint32 +7\n")
        .doesNotContain("general.type");
    Run diff = Run.gguf("diff", Run.MINI, out, "--data");
    assertThat(diff.status()).isEqualTo(1);
    assertThat(diff.out())
        .startsWith("The same weights with other metadata: 94 tensors equal in all");
  }

  @Test
  void aFileBecomesAValueAndBack() throws IOException {
    Path template = Files.writeString(folder.resolve("template"), "{% line %}\nénd\n");
    Path tokens = folder.resolve("tokens");
    Files.write(tokens, Run.gguf("metadata", Run.MINI, "--key", "tokenizer.ggml.tokens").bytes());
    Run run =
        Run.gguf(
            "edit",
            Run.MINI,
            out,
            "--set-file",
            "tokenizer.chat_template=" + template,
            "--set-file",
            "tokenizer.ggml.tokens=" + tokens);
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("1 key of the metadata differs");
    assertThat(Run.gguf("metadata", out, "--key", "tokenizer.chat_template").bytes())
        .isEqualTo(Files.readAllBytes(template));
  }

  @Test
  void whatCannotBeEditedIsSaid() throws IOException {
    requireRefused(
        1,
        "has no key general.nam; did you mean general.name?",
        "edit",
        Run.MINI,
        out,
        "--set",
        "general.nam=x");
    requireRefused(
        2,
        "expected uint32, from 0 to 4294967295",
        "edit",
        Run.MINI,
        out,
        "--set",
        "glm-dsa.context_length=-1");
    requireRefused(
        2,
        "expected true or false",
        "edit",
        Run.MINI,
        out,
        "--set",
        "glm-dsa.expert_weights_norm=maybe");
    requireRefused(2, "expected KEY:TYPE=VALUE", "edit", Run.MINI, out, "--set-type", "a=1");
    requireRefused(2, "is no type; known are", "edit", Run.MINI, out, "--set-type", "a:u=1");
    requireRefused(
        1,
        "has a key general.name already",
        "edit",
        Run.MINI,
        out,
        "--rename",
        "general.type=general.name");
    requireRefused(2, "either OUT or --in-place", "edit", Run.MINI);
    requireRefused(
        1,
        "general.alignment is 24",
        "edit",
        Run.MINI,
        out,
        "--set-type",
        "general.alignment:uint32=24");
  }

  @Test
  void editsInPlaceWhereTheDataCanStay() throws IOException {
    Files.copy(MINI, Path.of(out));
    Run run = Run.gguf("edit", out, "--in-place", "--set", "general.name=GLM DSA renamed!!");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("GLM DSA renamed!!");
    assertThat(Run.gguf("diff", out, Run.MINI, "--data").out())
        .startsWith("The same weights with other metadata");
    assertThat(names()).containsExactly("out.gguf");
    byte[] before = Files.readAllBytes(Path.of(out));
    requireRefused(
        1,
        "write to another file instead",
        "edit",
        out,
        "--in-place",
        "--set",
        "general.name=" + "x".repeat(200));
    assertThat(Path.of(out)).hasBinaryContent(before);
  }

  @Test
  void aHeaderIsCheckedLikeItsModel() throws IOException {
    assertThat(Run.gguf("header", Run.MINI, out, "--without-vocabulary").status()).isZero();
    assertThat(Files.size(Path.of(out))).isGreaterThan(300_000);
    assertThat(Run.gguf("diff", out, Run.MINI).out())
        .contains("tokenizer.ggml.tokens")
        .doesNotContain("tensors\n");
    assertThat(Run.gguf("header", Run.MINI, out, "--force").status()).isZero();
    assertThat(Run.gguf("tensors", out).out()).isEqualTo(Run.gguf("tensors", Run.MINI).out());
    assertThat(Run.gguf("diff", out, Run.MINI).status()).isZero();

    String packed = folder.resolve("out.gguf.gz").toString();
    assertThat(Run.gguf("header", Run.MINI, packed).status()).isZero();
    assertThat(Files.size(Path.of(packed))).isLessThan(8000);
    assertThat(Run.gguf("diff", packed, Run.MINI).status()).isZero();
    assertThat(Run.gguf("check", packed).status()).isZero();
    assertThat(Run.gguf("header", packed, out, "--force", "--without-vocabulary").status())
        .isZero();
    assertThat(Run.gguf("check", out, "--fail-on", "warning").status()).isZero();
  }

  @Test
  void aBrokenHeaderIsTakenAsItIs() throws IOException {
    Path broken = folder.resolve("broken.gguf");
    Files.write(broken, java.util.Arrays.copyOf(Files.readAllBytes(MINI), 3000));
    assertThat(Run.gguf("header", broken.toString(), out).status()).isZero();
    assertThat(Path.of(out)).hasSameBinaryContentAs(broken);
  }

  @Test
  void tellsDifferentModelsApart() {
    Run run = Run.gguf("diff", Run.MINI, Run.TESTDATA + "glm-dsa-mini-shared-indexer.gguf");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).startsWith("Different models: ").contains("tensors in only one of them");
    Map<String, Object> document =
        Run.gguf("diff", Run.MINI, Run.MINI, "--values", "--format", "json").json();
    assertThat(document)
        .containsEntry("relation", "same")
        .containsEntry("values", List.of())
        .containsEntry("moved", 0);
  }
}
