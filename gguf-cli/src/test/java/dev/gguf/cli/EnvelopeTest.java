package dev.gguf.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.FileKind;
import dev.gguf.FileRule;
import dev.gguf.Finding;
import dev.gguf.Severity;
import dev.gguf.Subject;
import dev.gguf.cli.render.Envelope;
import dev.gguf.cli.render.Format;
import dev.gguf.cli.render.JsonWriter;
import dev.gguf.cli.render.Judged;
import dev.gguf.cli.render.Output;
import dev.gguf.cli.render.TextWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnvelopeTest {
  private static final Path PATH = Path.of("models", "a.gguf");

  private static final Judged MODEL =
      new Judged(
          PATH,
          FileKind.MODEL,
          "glm-dsa",
          List.of(new Judged.JudgedFile(PATH, 5_000, 3, "little", 12, 40)),
          List.of(
              Finding.of(FileRule.SPLIT_FIRST, "a later shard was given").in(PATH),
              Finding.of(FileRule.TENSOR_OUTSIDE_FILE, "3 of 12 tensors lie outside\u001b[0m")
                  .about(Subject.tensor("blk.1.\u202eattn"))
                  .at(PATH, 4_000)
                  .withHint("fetch it again"),
              Finding.of(FileRule.TENSOR_ORDER, "out of order").in(Path.of("other.gguf"))),
          new Judged.MappingCount("hf", 12, 10, 2, 1),
          List.of(
              new Judged.EnginePrediction("llama.cpp", null, "yes", List.of()),
              new Judged.EnginePrediction(
                  "vllm",
                  "0.16.0",
                  "no",
                  List.of(
                      new Judged.Reason(
                          "architecture", "glm-dsa is not known", "vllm#1", "up to 0.23", "add it"),
                      new Judged.Reason("dtype", "bfloat16", null, null, null)))),
          null);

  private static final Judged OTHER =
      new Judged(
          Path.of("page.html"),
          FileKind.NOT_GGUF,
          null,
          List.of(new Judged.JudgedFile(Path.of("page.html"), 17, null, null, null, null)),
          List.of(),
          null,
          List.of(),
          new Judged.Detail() {
            @Override
            public void write(JsonWriter json) {
              json.array("layers").object().field("layer", 0).endObject().endArray();
            }

            @Override
            public void write(TextWriter text) {
              text.fact("layers", "1 pair");
            }
          });

  private static String write(Format format, boolean colour, boolean quiet) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Output output =
        new Output(out, new ByteArrayOutputStream(), format, new Output.Look(colour, false, false));
    Envelope.write(output, "check", List.of(MODEL, OTHER), quiet);
    output.close();
    return out.toString(UTF_8);
  }

  @Test
  void textTellsTheVerdictFirstAndTheWorstFirst() throws IOException {
    assertThat(write(Format.TEXT, false, false))
        .isEqualTo(
            """
            error    models/a.gguf: 1 error, 1 warning, 1 note
                     glm-dsa model, 12 tensors, 4.88 KiB (5000 bytes)
                     10 of 12 tensors mapped, 2 left out (target hf), 1 parameter missing
                     llama.cpp loads it: yes
                     vllm 0.16.0 loads it: no
                       - glm-dsa is not known  [architecture]
                         hint: add it
                         source: vllm#1; holds for up to 0.23
                       - bfloat16  [dtype]

            error    3 of 12 tensors lie outside\\u001b[0m  [tensor-outside-file]
                     at byte 4000
                     hint: fetch it again
            warning  out of order  [tensor-order]
                     other.gguf
            info     a later shard was given  [split-first]

            ok       page.html: nothing wrong
                     not gguf, 17 bytes
              layers        1 pair
            """);
  }

  @Test
  void quietTellsTheVerdictOnly() throws IOException {
    assertThat(write(Format.TEXT, false, true))
        .isEqualTo("error    models/a.gguf  llama.cpp: yes  vllm: no\nok       page.html\n");
    assertThat(write(Format.TEXT, true, true))
        .startsWith(
            "\u001b[1;31merror\u001b[0m    \u001b[1mmodels/a.gguf\u001b[0m  llama.cpp: yes");
  }

  @Test
  void jsonHasEveryField() throws IOException {
    assertThat(write(Format.JSON, true, true))
        .isEqualTo(
            """
            {
             "schema":"gguf/check/1",
             "models":[
              {"path":"models/a.gguf","verdict":"error","kind":"model","architecture":"glm-dsa",\
            "files":[{"path":"models/a.gguf","bytes":5000,"version":3,"byteOrder":"little","tensors":12,"metadata":40}],\
            "findings":[\
            {"rule":"tensor-outside-file","severity":"error","subject":{"kind":"tensor","name":"blk.1.\\u202eattn"},"file":"models/a.gguf","offset":4000,"message":"3 of 12 tensors lie outside\\u001B[0m","hint":"fetch it again"},\
            {"rule":"tensor-order","severity":"warning","subject":null,"file":"other.gguf","offset":null,"message":"out of order","hint":null},\
            {"rule":"split-first","severity":"info","subject":null,"file":"models/a.gguf","offset":null,"message":"a later shard was given","hint":null}],\
            "mapping":{"target":"hf","tensors":12,"mapped":10,"unmapped":2,"missing":1},\
            "engines":[\
            {"engine":"llama.cpp","version":null,"loads":"yes","reasons":[]},\
            {"engine":"vllm","version":"0.16.0","loads":"no","reasons":[\
            {"rule":"architecture","message":"glm-dsa is not known","source":"vllm#1","versions":"up to 0.23","hint":"add it"},\
            {"rule":"dtype","message":"bfloat16","source":null,"versions":null,"hint":null}]}]},
              {"path":"page.html","verdict":"ok","kind":"not-gguf","architecture":null,\
            "files":[{"path":"page.html","bytes":17,"version":null,"byteOrder":null,"tensors":null,"metadata":null}],\
            "findings":[],"mapping":null,"engines":[],"layers":[{"layer":0}]}]
            }
            """);
  }

  @Test
  void statusFollowsTheFindingsThatCount() {
    assertThat(FailOn.ERROR.counts(Severity.ERROR)).isTrue();
    assertThat(FailOn.ERROR.counts(Severity.WARNING)).isFalse();
    assertThat(FailOn.WARNING.counts(Severity.WARNING)).isTrue();
    assertThat(FailOn.WARNING.counts(Severity.INFO)).isFalse();
    assertThat(FailOn.NEVER.counts(Severity.ERROR)).isFalse();
    assertThat(FailOn.WARNING.counts(null)).isFalse();
    assertThat(MODEL.isRefused()).isTrue();
    assertThat(OTHER.isRefused()).isFalse();
  }
}
