package dev.gguf.cli;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.gguf.cli.render.Format;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.Output;
import dev.gguf.cli.render.Safe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;

class RenderProperties {
  private static final Pattern UNSAFE =
      Pattern.compile(
          "[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]");

  /// Text of the characters that matter and of all others.
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings()
        .withCharRange('\u0000', '\u00ff')
        .withCharRange('\u0600', '\u0620')
        .withCharRange('\u2000', '\u2070')
        .withCharRange('\ud7f0', '\ue010')
        .ofMaxLength(12);
  }

  @Property
  void safeTextHasNoControls(@ForAll("texts") String text) {
    String safe = Safe.text(text);

    assertThat(UNSAFE.matcher(safe).find()).isFalse();
    assertThat(Safe.text(safe)).isEqualTo(safe);
    assertThat(new String(safe.getBytes(UTF_8), UTF_8)).isEqualTo(safe);
  }

  @Property
  void jsonKeepsTextAndHasNoControls(@ForAll("texts") String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Output output =
        new Output(
            out, new ByteArrayOutputStream(), Format.JSON, new Output.Look(false, false, false));
    output.json("test").field("text", text);
    output.close();

    String document = out.toString(UTF_8);
    assertThat(UNSAFE.matcher(document.replace("\n", "")).find()).isFalse();
    try (JsonParser parser = new JsonFactory().createParser(document)) {
      while (!"text".equals(parser.currentName())
          || parser.currentToken() != JsonToken.VALUE_STRING) {
        assertThat(parser.nextToken()).isNotNull();
      }
      // What is no text, halves of surrogate pairs, cannot be kept.
      assertThat(parser.getText()).isEqualTo(new String(text.getBytes(UTF_16BE), UTF_16BE));
    }
  }

  @Property
  void globsAreSimpleExpressions(
      @ForAll @CharRange(from = 'a', to = 'c') @StringLength(max = 8) String name,
      @ForAll("globs") String glob) {
    String expression = glob.replace("*", ".*").replace("?", ".");

    assertThat(new Glob(glob).matches(name)).isEqualTo(name.matches(expression));
  }

  @Provide
  Arbitrary<String> globs() {
    return Arbitraries.strings().withChars('a', 'b', 'c', '*', '?').ofMaxLength(6);
  }

  @Property
  void naturalOrderIsAnOrder(
      @ForAll("numbered") String a, @ForAll("numbered") String b, @ForAll("numbered") String c) {
    int ab = NaturalOrder.compare(a, b);

    assertThat(Integer.signum(NaturalOrder.compare(b, a))).isEqualTo(-Integer.signum(ab));
    assertThat(ab == 0).isEqualTo(a.equals(b));
    if (ab <= 0 && NaturalOrder.compare(b, c) <= 0) {
      assertThat(NaturalOrder.compare(a, c)).isLessThanOrEqualTo(0);
    }
  }

  @Provide
  Arbitrary<String> numbered() {
    return Arbitraries.strings().withChars('a', '.', '0', '1', '2').ofMaxLength(5);
  }

  @Property
  void sizesHaveAtMostFourDigits(@ForAll @LongRange(min = 0) long bytes) {
    assertThat(Numbers.size(bytes)).matches("[0-9]{1,4} bytes?|[0-9]{1,4}\\.[0-9]{1,2} [KMGTPE]iB");
    assertThat(Numbers.size(bytes)).doesNotStartWith("1024.");
  }
}
