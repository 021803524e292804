package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ValuesCommandTest {
  private static final String EXPERTS = "blk.1.ffn_up_exps.weight";

  private static float[] floats(byte[] bytes, int from) {
    float[] values = new float[(bytes.length - from) / 4];
    ByteBuffer.wrap(bytes, from, 4 * values.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(values);
    return values;
  }

  @Test
  void whatAPersonWantsToSee() {
    Run run = Run.gguf("values", Run.MINI, EXPERTS);
    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out())
        .contains("tensor        " + EXPERTS, "first ", "last ", "minimum ", "mean ", "zeros ");
  }

  @Test
  void expertsAndRowsWithoutTheRest() {
    float[] all = floats(Run.gguf("values", Run.MINI, EXPERTS, "--format", "raw").bytes(), 0);
    Map<String, Object> document = Run.gguf("values", Run.MINI, EXPERTS, "--format", "json").json();
    List<?> shape = (List<?>) document.get("shape");
    int rows = ((Number) shape.get(1)).intValue();
    int length = ((Number) shape.get(2)).intValue();
    assertThat(all).hasSize(((Number) shape.get(0)).intValue() * rows * length);
    float[] expert =
        floats(
            Run.gguf("values", Run.MINI, EXPERTS, "--expert", "1", "--format", "raw").bytes(), 0);
    assertThat(expert).hasSize(rows * length);
    assertThat(expert[5]).isEqualTo(all[rows * length + 5]);
    Run part =
        Run.gguf("values", Run.MINI, EXPERTS, "--expert", "1", "--rows", "1..2", "--format", "csv");
    List<String> lines = part.out().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst().split(",", -1)).hasSize(length);
    assertThat(Float.parseFloat(lines.getFirst().split(",", -1)[3]))
        .isEqualTo(all[rows * length + length + 3]);
    Run one = Run.gguf("values", Run.MINI, EXPERTS, "--rows", "2", "--format", "raw");
    assertThat(floats(one.bytes(), 0)[0]).isEqualTo(all[2 * length]);
  }

  @Test
  void arrayFilesOfNumpy() {
    byte[] bytes = Run.gguf("values", Run.MINI, "output_norm.weight", "--format", "npy").bytes();
    String head = new String(bytes, 0, 128, StandardCharsets.ISO_8859_1);
    assertThat(head)
        .startsWith("\u0093NUMPY\u0001\u0000")
        .contains("{'descr': '<f4', 'fortran_order': False, 'shape': (64,), }")
        .endsWith(" \n");
    assertThat(bytes).hasSize(128 + 4 * 64);
    assertThat(new String(ValuesView.npyHeader(new long[] {2, 3}), StandardCharsets.ISO_8859_1))
        .contains("'shape': (2, 3), }");
    assertThat(new String(ValuesView.npyHeader(new long[0]), StandardCharsets.ISO_8859_1))
        .contains("'shape': (), }");
  }

  @Test
  void whatDoesNotExist() {
    Run absent = Run.gguf("values", Run.MINI, "output_norn.weight");
    assertThat(absent.status()).isEqualTo(1);
    assertThat(absent.err()).contains("did you mean output_norm.weight?");
    assertThat(Run.gguf("values", Run.MINI, EXPERTS, "--expert", "999").status()).isEqualTo(1);
    assertThat(Run.gguf("values", Run.MINI, "output_norm.weight", "--expert", "0").err())
        .contains("no experts");
    assertThat(Run.gguf("values", Run.MINI, EXPERTS, "--rows", "0..999999").status()).isEqualTo(1);
    assertThat(Run.gguf("values", Run.MINI, EXPERTS, "--rows", "3..1").status()).isEqualTo(2);
    assertThat(Run.gguf("values", Run.MINI).status()).isEqualTo(2);
    assertThat(Run.onTerminal(false, "values", Run.MINI, EXPERTS, "--format", "raw").status())
        .isEqualTo(2);
  }
}
