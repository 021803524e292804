package dev.gguf.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gguf.Gguf;
import dev.gguf.fixture.Shared;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every parameter of the files that the format's own converter made, rebuilt, has the hash that
/// was found by following each element through the converter.
class ParameterValuesTest {
  private static final String SUFFIX = ".parameters.tsv";

  static Stream<String> files() throws IOException {
    if (!Shared.isThere()) {
      return Stream.of("none");
    }
    Path home = Shared.require("data/converter");
    try (Stream<Path> all = Files.walk(home)) {
      return all
          .filter(p -> p.toString().endsWith(SUFFIX))
          .map(p -> home.relativize(p).toString())
          .map(p -> p.substring(0, p.length() - SUFFIX.length()))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyParameterHasTheHashOfItsValues(String file) throws IOException {
    Path gguf = Shared.require("data/converter/" + file + ".gguf");
    List<String> lines = Files.readAllLines(Shared.require("data/converter/" + file + SUFFIX));
    List<String> wrong = new ArrayList<>();
    TreeSet<String> listed = new TreeSet<>();
    try (Gguf model = Gguf.open(gguf)) {
      Mapping mapping =
          NameMap.forArchitecture(model.architecture().orElseThrow())
              .orElseThrow()
              .map(model.metadata(), model.tensors(), Target.HF, MapOptions.WITH_MTP);
      for (String line : lines.subList(1, lines.size())) {
        String[] cells = line.split("\t", -1);
        String name = cells[0];
        boolean absent = cells[3].equals("missing") || cells[4].equals("missing");
        ParameterValues values = ParameterValues.find(model, mapping, name).orElse(null);
        if (absent || values == null) {
          if (!absent || values != null) {
            wrong.add(name + (absent ? " is fed" : " is not fed"));
          }
          continue;
        }
        listed.add(name);
        String shape =
            String.join(",", Stream.of(boxed(values.shape())).map(String::valueOf).toList());
        if (!shape.equals(cells[1])) {
          wrong.add(name + " has shape " + shape + " instead of " + cells[1]);
        } else if (!sha256(values).equals(cells[6])) {
          wrong.add(name + " (" + values.entry().transform() + ") has other values");
        }
      }
      assertThat(wrong).isEmpty();
      assertThat(new TreeSet<>(mapping.parameterNames())).isEqualTo(listed);
    }
  }

  private static Long[] boxed(long[] shape) {
    Long[] boxed = new Long[shape.length];
    for (int i = 0; i < shape.length; i++) {
      boxed[i] = shape[i];
    }
    return boxed;
  }

  /// Hashes the values, read in parts that cut rows and blocks.
  private static String sha256(ParameterValues values) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      int part = 1 + (int) Math.min(values.elements(), 1_999);
      float[] floats = new float[part];
      ByteBuffer bytes = ByteBuffer.allocate(4 * part).order(ByteOrder.LITTLE_ENDIAN);
      float[] all = values.all();
      for (long at = 0; at < values.elements(); at += part) {
        int now = (int) Math.min(part, values.elements() - at);
        values.read(at, now, floats, 0);
        bytes.clear();
        for (int i = 0; i < now; i++) {
          bytes.putFloat(floats[i]);
          if (Float.floatToRawIntBits(floats[i]) != Float.floatToRawIntBits(all[(int) at + i])) {
            return "differs when read in parts";
          }
        }
        digest.update(bytes.flip());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
