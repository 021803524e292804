package dev.gguf.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.Gguf;
import dev.gguf.GgufException;
import dev.gguf.Metadata;
import dev.gguf.Tensor;
import dev.gguf.fixture.GlmDsa;
import dev.gguf.internal.Extents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EditTest {
  @TempDir Path folder;
  private Path file = Path.of("");
  private Path out = Path.of("");

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("model.gguf");
    out = folder.resolve("out.gguf");
    GlmDsa.mini().write(file);
  }

  private void requireSameTensors() throws GgufException {
    try (Gguf before = Gguf.open(file);
        Gguf after = Gguf.open(out)) {
      assertThat(after.tensors()).hasSameSizeAs(before.tensors());
      for (Tensor tensor : after.tensors()) {
        Tensor same = before.find(tensor.name()).orElseThrow();
        assertThat(tensor.data().mismatch(same.data())).as(tensor.name()).isEqualTo(-1);
      }
    }
  }

  @Test
  void aCopyHasTheNewPairsAndTheOldTensors() throws IOException {
    try (Gguf model = Gguf.open(file)) {
      Metadata changed =
          model.metadata().toBuilder()
              .string("general.name", "Another")
              .rename("general.type", "general.kind")
              .remove("general.file_type")
              .build();
      FileOutput.create().verify(true).write(out, Edit.copy(model, changed));
    }
    requireSameTensors();
    try (Gguf model = Gguf.open(out)) {
      assertThat(model.metadata().string("general.name")).isEqualTo("Another");
      assertThat(model.metadata().entries().get(1).key()).isEqualTo("general.kind");
      assertThat(model.metadata().string("general.kind")).isEqualTo("model");
      assertThat(model.metadata().has("general.type")).isFalse();
      assertThat(model.metadata().has("general.file_type")).isFalse();
    }
  }

  @Test
  void anotherAlignmentLaysTheTensorsOutAnew() throws IOException {
    try (Gguf model = Gguf.open(file)) {
      Metadata changed = model.metadata().toBuilder().uint32("general.alignment", 4096).build();
      FileOutput.create().verify(true).write(out, Edit.copy(model, changed));
    }
    requireSameTensors();
    try (Gguf model = Gguf.open(out)) {
      assertThat(model.tensors()).allMatch(tensor -> tensor.fileOffset() % 4096 == 0);
    }
  }

  @Test
  void anAlignmentThatNoReaderTakesIsNotWritten() throws IOException {
    try (Gguf model = Gguf.open(file)) {
      Metadata changed = model.metadata().toBuilder().uint32("general.alignment", 24).build();
      GgufWriter copy = Edit.copy(model, changed);
      assertThatThrownBy(() -> FileOutput.create().write(out, copy))
          .hasMessageContaining("general.alignment is 24");
    }
    assertThat(out).doesNotExist();
  }

  @Test
  void aSetBecomesOneFile() throws IOException {
    List<Path> shards = GlmDsa.mini().writeSplit(folder, "m", 3);
    try (Gguf set = Gguf.open(shards.getLast())) {
      FileOutput.create().write(out, Edit.copy(set, set.metadata()));
    }
    assertThat(out).hasSameBinaryContentAs(file);
  }

  @Test
  void aHeaderAloneTakesNoDiskForTheData() throws IOException {
    try (Gguf model = Gguf.open(file)) {
      GgufWriter header = Edit.header(model, Edit.withoutVocabulary(model.metadata()));
      assertThat(header.diskBytes()).isLessThan(12_000);
      FileOutput.create().write(out, header);
    }
    try (Gguf before = Gguf.open(file);
        Gguf after = Gguf.open(out);
        Extents extents = Extents.of(out)) {
      assertThat(after.tensors())
          .extracting(Tensor::toString)
          .isEqualTo(before.tensors().stream().map(Tensor::toString).toList());
      assertThat(after.metadata().has("tokenizer.ggml.tokens")).isFalse();
      assertThat(after.metadata().has("tokenizer.ggml.model")).isFalse();
      assertThat(after.metadata().has("tokenizer.ggml.pre")).isTrue();
      assertThat(extents.dataBytes(0, extents.size())).isLessThan(extents.size() / 2);
    }
  }

  @Test
  void aHeaderIsRewrittenInPlaceWhereTheDataCanStay() throws IOException {
    byte[] data = Files.readAllBytes(file);
    try (Gguf model = Gguf.open(file)) {
      Metadata changed =
          model.metadata().toBuilder().string("general.name", "GLM DSA renamed!!").build();
      InPlaceEdit edit = InPlaceEdit.of(model.files().getFirst(), changed);
      edit.write();
      assertThat(edit.keptHeader()).doesNotExist();
    }
    byte[] after = Files.readAllBytes(file);
    try (Gguf model = Gguf.open(file)) {
      assertThat(model.metadata().string("general.name")).isEqualTo("GLM DSA renamed!!");
      int start = Math.toIntExact(model.files().getFirst().dataStart());
      assertThat(after).hasSameSizeAs(data);
      assertThat(java.util.Arrays.mismatch(after, start, after.length, data, start, data.length))
          .isEqualTo(-1);
    }
  }

  @Test
  void aHeaderThatWouldMoveTheDataIsRefused() throws IOException {
    byte[] before = Files.readAllBytes(file);
    try (Gguf model = Gguf.open(file)) {
      Metadata changed =
          model.metadata().toBuilder().string("general.name", "x".repeat(100)).build();
      assertThatThrownBy(() -> InPlaceEdit.of(model.files().getFirst(), changed))
          .hasMessageContaining("the data would start at byte")
          .hasMessageEndingWith("write to another file instead");
    }
    assertThat(file).hasBinaryContent(before);
  }

  @Test
  void aKeptHeaderOfAnInterruptedEditIsNotOverwritten() throws IOException {
    Path kept = Files.writeString(folder.resolve("model.gguf.old-header"), "old");
    try (Gguf model = Gguf.open(file)) {
      assertThatThrownBy(() -> InPlaceEdit.of(model.files().getFirst(), model.metadata()))
          .hasMessageContaining("dd conv=notrunc if=model.gguf.old-header of=model.gguf");
    }
    assertThat(kept).hasContent("old");
  }
}
