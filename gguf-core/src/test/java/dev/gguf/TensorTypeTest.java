package dev.gguf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TensorTypeTest {
  @Test
  void everyTypeIsFoundByIdAndName() {
    assertThat(TensorType.current()).hasSize(35);
    for (TensorType type : TensorType.current()) {
      assertThat(TensorType.of((int) type.id())).isSameAs(type);
      assertThat(TensorType.named(type.name().toLowerCase(Locale.ROOT))).contains(type);
      assertThat(type.rowBytes(4L * type.blockElements())).isEqualTo(4L * type.blockBytes());
    }
  }

  @Test
  void rowsAreWholeBlocks() {
    assertThat(TensorType.Q4_K.rowBytes(6144)).isEqualTo(24 * 144);
    assertThatThrownBy(() -> TensorType.Q4_K.rowBytes(192))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a row of 192 elements is no multiple of the 256 of a Q4_K block");
    assertThatThrownBy(() -> TensorType.of(1000).rowBytes(1))
        .hasMessage("type 1000 has no known layout");
    assertThatThrownBy(() -> TensorType.F64.rowBytes(Long.MAX_VALUE))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void typesOfForksAreKnownWithTheirRowHeaders() {
    TensorType kss = TensorType.of(146);
    assertThat(kss.name()).isEqualTo("IQ4_KSS");
    assertThat(kss.kind()).isEqualTo(TensorType.Kind.FORK);
    assertThat(kss.rowBytes(512)).isEqualTo(2 * 128 + 4);
    assertThat(kss.fork()).hasValueSatisfying(fork -> assertThat(fork).startsWith("ik_llama.cpp"));
    assertThat(TensorType.of(212).interleavedRows()).isEqualTo(4);
    assertThat(TensorType.of(230).interleavedRows()).isEqualTo(16);
    assertThat(kss.interleavedRows()).isEqualTo(1);
  }

  @Test
  void removedAndUnknownIdsAreValues() {
    assertThat(TensorType.of(36).kind()).isEqualTo(TensorType.Kind.REMOVED);
    assertThat(TensorType.of(-1).id()).isEqualTo(4_294_967_295L);
    assertThat(TensorType.of(-1).kind()).isEqualTo(TensorType.Kind.UNKNOWN);
    assertThat(TensorType.of(77)).isEqualTo(TensorType.of(77)).isNotEqualTo(TensorType.of(78));
  }

  @Test
  void theListOfForksIsWhole() throws IOException {
    List<String> rows = Files.readAllLines(Shared.require("data/fork-types.tsv"));
    for (String row : rows.subList(1, rows.size())) {
      String[] field = row.split("\t", -1);
      TensorType type = TensorType.named(field[1]).orElseThrow();
      assertThat(type.id()).isEqualTo(Long.parseLong(field[0]));
      assertThat(type.blockElements()).isEqualTo(Integer.parseInt(field[2]));
      assertThat(type.blockBytes()).isEqualTo(Integer.parseInt(field[3]));
      assertThat(type.rowHeaderBytes()).isEqualTo(Integer.parseInt(field[4]));
    }
  }
}
