package dev.gguf.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.gguf.cli.render.Numbers;
import dev.gguf.cli.render.Safe;
import java.io.PrintStream;
import java.io.PrintWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenderTest {
  @Test
  void nothingElsePrints() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(location -> !location.contains("test-classes"))
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.gguf");

    noClasses()
        .that()
        .resideOutsideOfPackage("dev.gguf.cli.render")
        .and()
        .doNotHaveFullyQualifiedName(Training.class.getName())
        .should()
        .callMethodWhere(
            com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner(
                    com.tngtech.archunit.base.DescribedPredicate.or(
                        com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo(
                            PrintStream.class),
                        com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo(
                            PrintWriter.class)))))
        .orShould()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(classes);
  }

  @Test
  void renderingKnowsNothingOfCommands() {
    noClasses()
        .that()
        .resideInAPackage("dev.gguf.cli.render")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.gguf.cli")
        .check(new ClassFileImporter().importPackages("dev.gguf.cli"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "1, 1 byte",
    "1023, 1023 bytes",
    "1024, 1.00 KiB",
    "10240, 10.0 KiB",
    "1048524, 1023.9 KiB",
    "1048525, 1.00 MiB",
    "1073741680, 1.00 GiB",
    "6453000000, 6.01 GiB",
    "456451000000, 425.1 GiB",
    "9223372036854775807, 8.00 EiB"
  })
  void sizesHaveUnits(long bytes, String text) {
    assertThat(Numbers.size(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "999, 999",
    "1000, 1.0 K",
    "999950, 1.0 M",
    "753864139008, 753.9 B",
    "743911000000, 743.9 B",
    "1500000000000, 1.5 T"
  })
  void countsHaveUnits(long count, String text) {
    assertThat(Numbers.count(count)).isEqualTo(text);
  }

  @Test
  void digitsComeInGroups() {
    assertThat(Numbers.grouped(154_880)).isEqualTo("154,880");
    assertThat(Numbers.grouped(-1_000)).isEqualTo("-1,000");
    assertThat(Numbers.grouped(999)).isEqualTo("999");
  }

  @Test
  void controlsBecomeVisible() {
    assertThat(Safe.text("Grüße 漢字 😀 ▁Hello")).isEqualTo("Grüße 漢字 😀 ▁Hello");
    assertThat(Safe.text("a\u0000b\u007fc\u0085d\u061ce\u200ff\u202ag\u2069h\u2028"))
        .isEqualTo("a\\u0000b\\u007fc\\u0085d\\u061ce\\u200ff\\u202ag\\u2069h\\u2028");
    assertThat(Safe.text("half \ud83d pair")).isEqualTo("half \\ud83d pair");
  }
}
