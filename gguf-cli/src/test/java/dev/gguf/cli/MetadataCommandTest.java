package dev.gguf.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Metadata;
import dev.gguf.ValueType;
import dev.gguf.write.GgufWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataCommandTest {
  @TempDir private Path folder;

  private String file;

  @BeforeEach
  void writeFile() throws IOException {
    Path path = folder.resolve("keys.gguf");
    file = path.toString();
    long[] many = new long[40];
    for (int i = 0; i < many.length; i++) {
      many[i] = (long) i * i;
    }
    GgufWriter.of(
            Metadata.builder()
                .string("general.architecture", "llama")
                .uint8("a.u8", 200)
                .int32("a.i32", -5)
                .uint64("a.u64", -1L)
                .float32("a.f32", 1e-5f)
                .float64("a.nan", Double.NaN)
                .bool("a.bool", true)
                .bytes("a.bytes", new byte[] {'x', (byte) 0xff, '\n', 0x1b})
                .integers("a.list", ValueType.INT16, many)
                .byteStrings(
                    "a.words", java.util.List.of("one".getBytes(UTF_8), new byte[] {(byte) 0xfe}))
                .array("a.nested", ValueType.ARRAY, 2, nested())
                .strings("a.none", java.util.List.of())
                .build())
        .write(path);
  }

  /// Two arrays of bytes: [1, 2] and [].
  private static byte[] nested() {
    ByteBuffer bytes = ByteBuffer.allocate(26).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0).putLong(2).put((byte) 1).put((byte) 2).putInt(0).putLong(0);
    return bytes.array();
  }

  @Test
  void listsEveryKey() {
    Run run = Run.gguf("metadata", file);

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out())
        .isEqualTo(
            """
            key                   type       value
            general.architecture  string     llama
            a.u8                  uint8      200
            a.i32                 int32      -5
            a.u64                 uint64     18446744073709551615
            a.f32                 float32    1.0E-5
            a.nan                 float64    NaN
            a.bool                bool       true
            a.bytes               string     x\ufffd\\n\\u001b
            a.list                int16[40]  [0, 1, 4, 9, 16, 25, 36, 49, …]
            a.words               string[2]  ["one", "\ufffd"]
            a.nested              array[2]   [[1, 2], []]
            a.none                string[0]  []
            """);
  }

  @Test
  void writesTheDocument() {
    Run run = Run.gguf("metadata", file, "--format", "json");

    assertThat(run.status()).isEqualTo(0);
    assertThat(run.out().replaceAll("\"offset\":[0-9]+", "\"offset\":N").replace(file, "FILE"))
        .isEqualTo(
            """
            {
             "schema":"gguf/metadata/1",
             "path":"FILE",
             "metadata":[
              {"key":"general.architecture","type":"string","elementType":null,"count":null,"value":"llama","truncated":false,"offset":N},
              {"key":"a.u8","type":"uint8","elementType":null,"count":null,"value":200,"truncated":false,"offset":N},
              {"key":"a.i32","type":"int32","elementType":null,"count":null,"value":-5,"truncated":false,"offset":N},
              {"key":"a.u64","type":"uint64","elementType":null,"count":null,"value":18446744073709551615,"truncated":false,"offset":N},
              {"key":"a.f32","type":"float32","elementType":null,"count":null,"value":1.0E-5,"truncated":false,"offset":N},
              {"key":"a.nan","type":"float64","elementType":null,"count":null,"value":"NaN","truncated":false,"offset":N},
              {"key":"a.bool","type":"bool","elementType":null,"count":null,"value":true,"truncated":false,"offset":N},
              {"key":"a.bytes","type":"string","elementType":null,"count":null,"value":"x\ufffd\\n\\u001B","valueBase64":"eP8KGw==","truncated":false,"offset":N},
              {"key":"a.list","type":"array","elementType":"int16","count":40,"value":[0,1,4,9,16,25,36,49,64,81,100,121,144,169,196,225,256,289,324,361,400,441,484,529,576,625,676,729,784,841,900,961],"truncated":true,"offset":N},
              {"key":"a.words","type":"array","elementType":"string","count":2,"value":["one","\ufffd"],"valueBase64":[null,"/g=="],"truncated":false,"offset":N},
              {"key":"a.nested","type":"array","elementType":"array","count":2,"value":[[1,2],[]],"truncated":false,"offset":N},
              {"key":"a.none","type":"array","elementType":"string","count":0,"value":[],"truncated":false,"offset":N}],
             "findings":[]
            }
            """);
  }

  @Test
  void writesListsInFullWhenAsked() {
    Run run = Run.gguf("metadata", file, "--full", "--key", "a.list", "--format", "json");

    assertThat(run.out()).contains("1444,1521]").contains("\"truncated\":false");
    assertThat(Run.gguf("metadata", file, "--full").out()).contains("1444, 1521]\n");
  }

  @Test
  void writesOneValueAloneIntoAPipe() {
    assertThat(Run.gguf("metadata", file, "--key", "a.bytes").bytes())
        .containsExactly('x', 0xff, '\n', 0x1b);
    assertThat(Run.gguf("metadata", file, "--key", "a.u64").out())
        .isEqualTo("18446744073709551615\n");
    assertThat(Run.gguf("metadata", file, "--key", "a.words").bytes())
        .containsExactly('o', 'n', 'e', '\n', 0xfe, '\n');
    assertThat(Run.gguf("metadata", file, "--key", "a.list").out())
        .startsWith("0\n1\n4\n")
        .endsWith("\n1521\n");
  }

  @Test
  void escapesOneValueOnATerminal() {
    assertThat(Run.onTerminal(false, "metadata", file, "--key", "a.bytes").out())
        .isEqualTo("x\ufffd\n\\u001b\n");
  }

  @Test
  void takesPatternsForKeys() {
    assertThat(Run.gguf("metadata", file, "--key", "a.?8", "--key", "*.arch*").out())
        .isEqualTo(
            """
            key                   type    value
            a.u8                  uint8   200
            general.architecture  string  llama
            """);
  }

  @Test
  void saysWhichKeyIsNotThere() {
    Run run = Run.gguf("metadata", file, "--key", "a.wrods");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo("gguf: " + file + " has no key a.wrods; did you mean a.words?\n");
    assertThat(Run.gguf("metadata", file, "--key", "architecture").err())
        .endsWith("; did you mean general.architecture?\n");
  }
}
