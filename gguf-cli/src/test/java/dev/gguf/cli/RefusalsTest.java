package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// What is said and written where there is no answer.
class RefusalsTest {
  @TempDir private Path folder;

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  private static Map<String, Object> document(Run run, String command) {
    assertThat(run.status()).isEqualTo(Exit.FOUND);
    assertThat(run.err().lines()).hasSize(1);
    Map<String, Object> document = run.json();
    assertThat(document).containsEntry("schema", "gguf/" + command + "/1");
    return document;
  }

  @Test
  void theDocumentExistsAlsoWithoutAnAnswer() throws IOException {
    String text = file("text.gguf", "no model at all");
    assertThat(document(Run.gguf("hash", text, "--format", "json"), "hash"))
        .containsEntry("path", text)
        .containsEntry("tensors", List.of())
        .hasEntrySatisfying(
            "model", model -> assertThat(model.toString()).isEqualTo("{xxh64=null}"));
    assertThat(document(Run.gguf("diff", text, Run.MINI, "--format", "json"), "diff"))
        .containsEntry("a", text)
        .containsEntry("relation", null)
        .containsEntry("tensors", List.of());
    assertThat(document(Run.gguf("values", Run.MINI, "nosuch", "--format", "json"), "values"))
        .containsEntry("tensor", "nosuch")
        .containsEntry("type", null)
        .containsEntry("shape", null)
        .containsEntry("first", List.of());
    assertThat(document(Run.gguf("values", text, "nosuch", "--format", "json"), "values"))
        .containsEntry("count", null);
    String out = folder.resolve("o.gguf").toString();
    document(Run.gguf("edit", text, out, "--remove", "a", "--format", "json"), "edit");
    String manifest = file("m.txt", "xxh64     0123456789abcdef  text.gguf\n");
    Run checked = Run.gguf("hash", text, "--check", manifest, "--format", "json");
    assertThat(document(checked, "hash").get("models").toString()).contains("kind=not-gguf");
  }

  @Test
  void theFieldsAreThoseOfAnAnswer() {
    assertThat(Run.gguf("values", Run.MINI, "nosuch", "--format", "json").json().keySet())
        .containsExactlyElementsOf(
            Run.gguf("values", Run.MINI, "output_norm.weight", "--format", "json").json().keySet());
    assertThat(Run.gguf("diff", "pom.xml", Run.MINI, "--format", "json").json().keySet())
        .containsExactlyElementsOf(
            Run.gguf("diff", Run.MINI, Run.MINI, "--format", "json").json().keySet());
    assertThat(Run.gguf("hash", "pom.xml", "--format", "json").json().keySet())
        .containsExactlyElementsOf(Run.gguf("hash", Run.MINI, "--format", "json").json().keySet());
  }

  private static void requireUsage(String words, String... call) {
    Run run = Run.gguf(call);
    assertThat(run.err()).isEqualTo("gguf: " + words + "\n");
    assertThat(run.status()).isEqualTo(Exit.USAGE);
    assertThat(run.out()).isEmpty();
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aDeviceIsNoContent() {
    String out = folder.resolve("out.gguf").toString();
    requireUsage(
        "/dev/zero: is a pipe or a device; name a regular file",
        "edit",
        Run.MINI,
        out,
        "--set-file",
        "general.name=/dev/zero");
    assertThat(Path.of(out)).doesNotExist();
    requireUsage(
        "/dev/zero: is a pipe or a device; name a regular file",
        "map",
        Run.MINI,
        "--index",
        "/dev/zero");
  }

  @Test
  void contentIsBounded() throws IOException {
    String ten = file("ten", "0123456789");
    assertThat(OptionFiles.read(ten, 10)).hasSize(10);
    assertThatThrownBy(() -> OptionFiles.read(ten, 9))
        .isInstanceOf(CommandException.class)
        .hasMessage(ten + ": has more than 9 bytes");
  }

  @Test
  void filesOfOptionsAreRefusedInOneForm() throws IOException {
    String absent = folder.resolve("absent").toString();
    String broken = file("broken.json", "{\n\"a\": nonsense}");
    String here = folder.toString();
    for (String option : new String[] {"--config", "--index"}) {
      requireUsage(absent + ": there is no such file", "map", Run.MINI, option, absent);
    }
    requireUsage(here + ": is a folder; name a file", "map", Run.MINI, "--config", here);
    requireUsage(broken + ": is no JSON (at line 2)", "map", Run.MINI, "--config", broken);
    assertThat(Run.gguf("map", Run.MINI, "--index", broken).err())
        .endsWith(broken + ": is no JSON (at line 2)\n");
    requireUsage(absent + ": there is no such file", "explain", Run.MINI, "--log", absent);
    requireUsage(here + ": is a folder; name a file", "explain", Run.MINI, "--log", here);
    requireUsage(absent + ": there is no such file", "hash", Run.MINI, "--check", absent);
    requireUsage(
        absent + ": there is no such file",
        "edit",
        Run.MINI,
        folder.resolve("o.gguf").toString(),
        "--set-file",
        "general.name=" + absent);
  }

  @Test
  void theMistypedWordIsNamed() {
    requireUsage(
        "unknown option --fromat; did you mean --format?", "map", Run.MINI, "--fromat", "json");
    requireUsage(
        "unknown option --fromat; did you mean --format?", "map", "--fromat=json", Run.MINI);
    requireUsage("nosuch: map takes one FILE only; see gguf map --help", "map", Run.MINI, "nosuch");
  }

  @Test
  void whatMayNotBeReadIsNotCalledAbsent() {
    assertThat(OptionFiles.reason(new AccessDeniedException("x")))
        .isEqualTo("may not be read by this user");
    assertThat(OptionFiles.reason(new NoSuchFileException("x"))).isEqualTo("there is no such file");
  }

  @Test
  void patternsForProgramsHaveTheHeadingsOfPrograms() {
    List<String> lines =
        Run.gguf("tensors", Run.MINI, "--patterns", "--format", "csv").out().lines().toList();
    assertThat(lines.getFirst()).isEqualTo("name,tensors,type,ne,shape,bytes");
    assertThat(lines).anyMatch(line -> line.matches("token_embd.weight,1,\\w+,\\d+x\\d+,.*"));
  }

  @Test
  void theHelpListsEveryExitStatus() {
    assertThat(Run.gguf("--help").out()).contains("130 interrupted");
  }
}
