package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
    requireRefused(2, "is a link to " + shard(2), "merge", shard(1), link.toString(), "--force");
    Path same = Files.createLink(folder.resolve("same.gguf"), Path.of(shard(2)));
    requireRefused(
        2, "is one of the files that are read", "merge", shard(1), same.toString(), "--force");
    assertThat(Run.gguf("merge", shard(1), same.toString(), "--force").err())
        .doesNotContain("disk space");
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

  /// Every command that writes a file, with a place that it writes to.
  private List<String[]> calls(String place) {
    return List.of(
        new String[] {"merge", shard(1), place, "--force"},
        new String[] {"edit", Run.MINI, place, "--remove", "general.name", "--force"},
        new String[] {"header", Run.MINI, place, "--force"});
  }

  @Test
  void whatIsNoRegularFileIsNeverReplaced() throws IOException, InterruptedException {
    copyShards();
    Path pipe = folder.resolve("pipe");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
    Path precious = Files.writeString(folder.resolve("precious"), "precious");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("precious"));
    for (String[] call : calls(pipe.toString())) {
      requireRefused(2, "pipe: is a pipe or a device", call);
    }
    for (String[] call : calls(link.toString())) {
      requireRefused(2, "link: is a link to " + precious + "; name " + precious, call);
    }
    Path shard = folder.resolve("s-00001-of-00001.gguf");
    Files.move(pipe, shard);
    String prefix = folder.resolve("s").toString();
    requireRefused(
        2, "is a pipe or a device", "split", Run.MINI, prefix, "--max-size=1G", "--force");
    assertThat(Files.isRegularFile(shard)).isFalse();
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(precious).hasContent("precious");
  }

  @Test
  void standardOutputTakesNoFile() throws IOException {
    copyShards();
    for (String[] call : calls("-")) {
      requireRefused(2, "-: standard output cannot be written to", call);
    }
    requireRefused(2, "name a file", "split", Run.MINI, "-", "--max-size=1G");
  }

  @Test
  void aFolderThatIsMissingIsNamed() throws IOException {
    copyShards();
    String place = folder.resolve("none/x.gguf").toString();
    for (String[] call : calls(place)) {
      requireRefused(2, place + ": there is no folder " + folder.resolve("none"), call);
    }
    requireRefused(2, "there is no folder", "split", Run.MINI, place, "--max-size=1G");
  }

  @Test
  void aFolderThatMayNotBeWrittenIsNamed() throws IOException {
    copyShards();
    Path closed = Files.createDirectory(folder.resolve("closed"));
    String place = closed.resolve("x.gguf").toString();
    assumeTrue(closed.toFile().setWritable(false) && !Files.isWritable(closed), "not for root");
    String text = place + ": the folder " + closed + " may not be written by this user";
    for (String[] call : calls(place)) {
      requireRefused(2, text, call);
    }
    requireRefused(2, text, "split", Run.MINI, place, "--max-size=1G");
  }

  @Test
  void theUnfinishedFileIsNotNamed() throws IOException {
    // Fits as it is, but not with what an unfinished file has at its end.
    String place = folder.resolve("x".repeat(250)).toString();
    for (String[] call : calls(place).subList(1, 3)) {
      Run run = Run.gguf(call);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains("cannot be written").doesNotContain("unfinished");
    }
  }

  @Test
  void whatIsReadIsNotWritten() throws IOException {
    copyShards();
    for (String[] call : calls(shard(1))) {
      call[1] = shard(1);
      Run run = Run.gguf(call);
      assertThat(run.status()).isEqualTo(2);
      assertThat(run.err())
          .contains("is the file that is read; name another")
          .doesNotContain("disk space");
    }
  }

  @Test
  void anEditThatFailsSaysNothingOfChanges() throws IOException {
    Files.copy(MINI, Path.of(out));
    Files.createSymbolicLink(folder.resolve("out.gguf.old-header"), Path.of("elsewhere"));
    Run run = Run.gguf("edit", out, "--in-place", "--set", "general.name=GLM DSA renamed!!");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("out.gguf.old-header: is a link to");
    assertThat(Path.of(out)).hasSameBinaryContentAs(MINI);
  }

  @Test
  void anEditInPlaceTellsBothValues() throws IOException {
    Files.copy(MINI, Path.of(out));
    String set = "general.name=GLM DSA renamed!!";
    Run run = Run.gguf("edit", out, "--in-place", "--set", set, "--format", "json");
    assertThat(run.json()).containsEntry("inPlace", true);
    assertThat(run.out()).contains("GLM DSA miniature").contains("GLM DSA renamed!!");
  }

  @Test
  void aKeyThatIsNotThereIsNotTakenOut() throws IOException {
    String hint = "; gguf metadata " + Run.MINI + " lists the keys";
    requireRefused(1, "has no key nokey" + hint, "edit", Run.MINI, out, "--remove", "nokey");
    requireRefused(1, "has no key a" + hint, "edit", Run.MINI, out, "--rename", "a=b");
    requireRefused(
        1, "did you mean general.name?", "edit", Run.MINI, out, "--remove", "general.nam");
    requireRefused(1, "; --set-type adds one", "edit", Run.MINI, out, "--set", "nokey=1");
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
