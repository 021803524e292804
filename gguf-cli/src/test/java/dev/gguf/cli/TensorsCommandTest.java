package dev.gguf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.TensorType;
import dev.gguf.write.GgufWriter;
import dev.gguf.write.TensorData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorsCommandTest {
  @TempDir private Path folder;

  @Test
  void showsTheTableWithBothOrdersOfDimensions() {
    Run run = Run.gguf("tensors", Run.MINI, "--filter", "blk.0.attn_*");

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out())
        .isEqualTo(
            """
            name                         type  ne (row first)  shape (row last)       size  bytes  offset
            blk.0.attn_norm.weight       F32   64              64                256 bytes    256   16320
            blk.0.attn_q_a.weight        Q8_0  64 x 32         32 x 64            2.13 KiB   2176   16576
            blk.0.attn_q_a_norm.weight   F32   32              32                128 bytes    128   18752
            blk.0.attn_q_b.weight        Q8_0  32 x 192        192 x 32           6.38 KiB   6528   18880
            blk.0.attn_kv_a_mqa.weight   Q8_0  64 x 80         80 x 64            5.31 KiB   5440   25408
            blk.0.attn_kv_a_norm.weight  F32   64              64                256 bytes    256   30848
            blk.0.attn_k_b.weight        Q8_0  32 x 64 x 4     4 x 64 x 32        8.50 KiB   8704   31104
            blk.0.attn_v_b.weight        Q8_0  64 x 32 x 4     4 x 32 x 64        8.50 KiB   8704   39808
            blk.0.attn_output.weight     Q8_0  128 x 64        64 x 128           8.50 KiB   8704   48512

            9 tensors, 39.9 KiB (40896 bytes)
            """);
  }

  @Test
  void writesTheDocument() {
    Run run =
        Run.gguf("tensors", Run.MINI, "--format", "json", "--filter", "blk.3.attn_k_b.weight");

    assertThat(run.out())
        .isEqualTo(
            """
            {
             "schema":"gguf/tensors/1",
             "path":"../testdata/glm-dsa-mini.gguf",
             "tensors":[
              {"name":"blk.3.attn_k_b.weight","type":"Q8_0","typeId":8,"ne":[32,64,4],"shape":[4,64,32],"elements":8192,"bytes":8704,"offset":256896,"file":"../testdata/glm-dsa-mini.gguf","layer":3,"findings":[]}],
             "findings":[]
            }
            """);
  }

  @Test
  void writesCsvAndMarkdown() {
    String[] args = {"tensors", Run.MINI, "--filter", "*norm.bias", "--layer", "2", "--format"};

    assertThat(with(args, "csv").out())
        .isEqualTo(
            """
            name,type,typeId,ne,shape,elements,bytes,offset,file,layer
            blk.2.indexer.k_norm.bias,F32,0,32,32,32,128,203424,../testdata/glm-dsa-mini.gguf,2
            """);
    assertThat(with(args, "markdown").out())
        .isEqualTo(
            """
            | name | type | typeId | ne | shape | elements | bytes | offset | file | layer |
            | --- | --- | ---: | --- | --- | ---: | ---: | ---: | --- | ---: |
            | blk.2.indexer.k_norm.bias | F32 | 0 | 32 | 32 | 32 | 128 | 203424 | ../testdata/glm-dsa-mini.gguf | 2 |
            """);
  }

  private static Run with(String[] args, String last) {
    String[] all = Arrays.copyOf(args, args.length + 1);
    all[args.length] = last;
    return Run.gguf(all);
  }

  @Test
  void foldsNumbers() {
    Run run = Run.gguf("tensors", Run.MINI, "--patterns", "--filter", "*nor?.*");

    assertThat(run.out())
        .isEqualTo(
            """
            name                                 tensors  type  ne (row first)  shape (row last)      bytes
            blk.{0..3}.attn_norm.weight                4  F32   64              64                 1.00 KiB
            blk.{0..3}.attn_q_a_norm.weight            4  F32   32              32                512 bytes
            blk.{0..3}.attn_kv_a_norm.weight           4  F32   64              64                 1.00 KiB
            blk.{0..3}.ffn_norm.weight                 4  F32   64              64                 1.00 KiB
            blk.{0..3}.indexer.k_norm.weight           4  F32   32              32                512 bytes
            blk.{0..3}.indexer.k_norm.bias             4  F32   32              32                512 bytes
            blk.3.nextn.enorm.weight                   1  F32   64              64                256 bytes
            blk.3.nextn.hnorm.weight                   1  F32   64              64                256 bytes
            blk.3.nextn.shared_head_norm.weight        1  F32   64              64                256 bytes
            output_norm.weight                         1  F32   64              64                256 bytes

            28 tensors, 5.50 KiB (5632 bytes)
            """);
  }

  @Test
  void sortsByNameSizeAndOffset() {
    assertThat(names("--sort", "name").subList(0, 2))
        .containsExactly("blk.0.attn_k_b.weight", "blk.0.attn_kv_a_mqa.weight");
    assertThat(names("--sort", "size")).first().isEqualTo("blk.0.attn_k_b.weight");
    assertThat(names("--sort", "offset")).isEqualTo(names("--sort", "file"));
  }

  @SuppressWarnings("unchecked")
  private static List<Object> names(String... options) {
    String[] args = Arrays.copyOf(options, options.length + 4);
    System.arraycopy(
        new String[] {"tensors", Run.MINI, "--format", "json"}, 0, args, options.length, 4);
    String[] ordered = new String[args.length];
    System.arraycopy(args, options.length, ordered, 0, 4);
    System.arraycopy(options, 0, ordered, 4, options.length);
    List<Map<String, Object>> tensors =
        (List<Map<String, Object>>) Run.gguf(ordered).json().get("tensors");
    return tensors.stream().map(tensor -> tensor.get("name")).toList();
  }

  @Test
  void saysThatNothingFits() {
    Run run = Run.gguf("tensors", Run.MINI, "--type", "q4_k");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("gguf: none of the 94 tensors of " + Run.MINI + " fits\n");
    assertThat(Run.gguf("tensors", Run.MINI, "--type", "q4k").status()).isEqualTo(2);
    assertThat(Run.gguf("tensors", Run.MINI, "--layer", "x").err())
        .isEqualTo("gguf: --layer x: expected a whole number from 0 to 2147483647\n");
    assertThat(Run.gguf("tensors", Run.MINI, "--sort", "x").status()).isEqualTo(2);
  }

  @Test
  void marksTensorsOutsideACutFile() throws IOException {
    Path file = folder.resolve("cut.gguf");
    Files.write(file, Arrays.copyOf(Files.readAllBytes(Path.of(Run.MINI)), 335_000));

    Run run = Run.gguf("tensors", file.toString(), "--format", "json");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.json().get("tensors").toString())
        .contains("3336 of 6528 bytes lie behind the end of the file");
  }

  @Test
  void tellsWhatIsWrongWithATensorBesideIt() throws IOException {
    Path file = folder.resolve("removed.gguf");
    GgufWriter.of(Metadata.builder().string("general.architecture", "llama").build())
        .tensor("good", TensorType.F32, TensorData.of(new byte[16]), 4)
        .tensor("bad", TensorType.named("Q4_2").orElseThrow(), TensorData.of(new byte[32]), 32)
        .write(file);

    Run run = Run.gguf("tensors", file.toString(), "--format", "json");

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out())
        .containsPattern("\"name\":\"good\".*\"findings\":\\[]}")
        .containsPattern("\"name\":\"bad\".*\"findings\":\\[\\{\"rule\":\"type-removed\"");
  }
}
