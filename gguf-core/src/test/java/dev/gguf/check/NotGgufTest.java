package dev.gguf.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.fixture.Llama;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotGgufTest {
  @TempDir Path folder;

  private Path file(String name, byte[] bytes) throws IOException {
    Path path = folder.resolve(name);
    Files.write(path, bytes);
    return path;
  }

  private String judge(String text) throws IOException {
    return Judged.of(file("model.gguf", text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static byte[] pointer(String digit, long size) {
    return ("version https://git-lfs.github.com/spec/v1\noid sha256:"
            + digit.repeat(64)
            + "\nsize "
            + size
            + "\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void anLfsPointerNamesTheObject() throws IOException {
    Path path = file("model.gguf", pointer("c", 4_920_739_232L));
    assertThat(Judged.of(path))
        .startsWith(
            "error not-gguf: not a GGUF file: a Git LFS pointer to the file, not the file itself;"
                + " oid sha256:"
                + "c".repeat(64)
                + "; the file has 4920739232 bytes; the first bytes are 76 65 72 73");
    assertThat(Judged.hints(path)).isEqualTo("git lfs pull --include 'model.gguf'");
  }

  @Test
  void aSetOfPointersIsToldAsASet() throws IOException {
    for (int i = 1; i <= 3; i++) {
      file("m-0000" + i + "-of-00003.gguf", pointer("" + i, 1000L * i));
    }
    assertThat(Judged.of(folder.resolve("m-00002-of-00003.gguf")))
        .contains("3 of 3 files of the set are pointers, to 6000 bytes together")
        .doesNotContain("missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\\n<!doctype html>\\n<html></html> | an HTML or XML page",
        "<?xml version=\"1.0\"?><Error/>     | an HTML or XML page",
        "{\"error\":\"Entry not found\"}     | JSON, which begins \"{\"error\":\"Entry not",
        "Invalid username or password.       | text, which begins \"Invalid username",
        "PK\\u0003\\u0004aaaaaaaaaaaaaaaaaaaa | a zip archive, probably a PyTorch checkpoint",
        "\\u001f\\u008baaaaaaaaaaaaaaaa      | compressed with gzip",
        "(\\u00b5/\\u00fdaaaaaaaaaaaaaaaaaa  | compressed with zstd",
        "\\u00fd7zXZ\\u0000aaaaaaaaaaaaaaaa  | compressed with xz",
        "lmggaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   | a file in the format GGML",
        "fmggaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   | a model in the format GGMF",
        "tjggaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   | a model in the format GGJT",
        "alggaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   | a LoRA adapter in the format GGLA",
        "ggjtaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   | a model in the format GGJT",
        "gglaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   | a LoRA adapter in the format GGLA",
        "FUGG\\u0003\\u0000\\u0000\\u0000aaaa | the magic is byte-swapped (FUGG)",
        "\\u0080\\u0002}q\\u0000aaaaaaaaaaaa  | a Python pickle",
        "\\u0000\\u0000\\u0000\\u0000\\u0000  | its first 5 bytes are zero",
        "@\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000{\"a\":1} | a safetensors file with a header of 64 bytes",
      })
  void otherFilesAreNamed(String bytes, String kind) throws IOException {
    assertThat(judge(unescaped(bytes)))
        .startsWith("error not-gguf: not a GGUF file: " + kind)
        .contains("GGUF files start with 47 47 55 46");
  }

  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\\u", i)) {
        out.append((char) Integer.parseInt(text, i + 2, i + 6, 16));
        i += 5;
      } else if (text.startsWith("\\n", i)) {
        out.append('\n');
        i++;
      } else {
        out.append(text.charAt(i));
      }
    }
    return out.toString();
  }

  @ParameterizedTest
  @CsvSource({"61", "64", "4000", "1048000"})
  void aHeaderFurtherInIsFound(int offset) throws IOException {
    Path whole = folder.resolve("whole.gguf");
    Llama.writer().write(whole);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[offset]);
    bytes.writeBytes(Files.readAllBytes(whole));
    Path path = file("a.bin", bytes.toByteArray());
    assertThat(Judged.of(path)).contains("a GGUF header starts at byte " + offset);
    assertThat(Judged.hints(path)).isEqualTo("tail -c +" + (offset + 1) + " 'a.bin' > model.gguf");
  }

  @Test
  void rawSlicesAreJoinedByConcatenation() throws IOException {
    Path whole = folder.resolve("whole.gguf");
    Llama.writer().write(whole);
    byte[] bytes = Files.readAllBytes(whole);
    int half = bytes.length / 2;
    Path first = file("m.gguf.part1of2", Arrays.copyOf(bytes, half));
    Path second = file("m.gguf.part2of2", Arrays.copyOfRange(bytes, half, bytes.length));
    String join =
        "join the slices by plain concatenation: cat 'm.gguf.part1of2' 'm.gguf.part2of2' >"
            + " 'm.gguf'";
    assertThat(Judged.of(first)).startsWith("error tensor-outside-file");
    assertThat(Judged.hints(first)).isEqualTo("by its name this is slice 1 of 2: " + join);
    assertThat(Judged.of(second)).contains("by its name slice 2 of 2 of a file that was cut");
    assertThat(Judged.hints(second)).isEqualTo(join);
  }

  @Test
  void slicesOfOtherToolsAreKnownByTheirNames() throws IOException {
    byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8};
    assertThat(Judged.of(file("m.gguf-split-b", bytes))).contains("slice 2");
    assertThat(Judged.of(file("m.gguf.part-b", bytes))).contains("slice 2");
    assertThat(Judged.of(file("m.gguf.002", bytes))).contains("slice 2");
    assertThat(Judged.of(file("m.v2.gguf", bytes))).doesNotContain("slice");
  }

  @Test
  void tooFewBytesForAnything() throws IOException {
    assertThat(judge("")).startsWith("error empty-file");
    assertThat(judge("GG"))
        .isEqualTo("error file-too-short: the file has 2 bytes, a header has at least 24");
    assertThat(judge("GGUF\3\0\0\0")).startsWith("error file-too-short");
    assertThat(judge("x")).startsWith("error not-gguf");
  }
}
