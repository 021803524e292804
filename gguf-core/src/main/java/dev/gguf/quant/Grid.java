package dev.gguf.quant;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;

/// The lookup grids of the IQ types: every entry is the magnitudes of four or eight elements in a
/// row. They are unpacked when the first block of such a type is decoded.
///
/// `grids.txt` holds them packed. A line is a grid's name, its alphabet of magnitudes, the bits of
/// an element and, in hexadecimal, the places of all elements in the alphabet, lowest bits first.
final class Grid {
  static final Grid IQ2_XXS = new Grid("iq2xxs_grid");
  static final Grid IQ2_XS = new Grid("iq2xs_grid");
  static final Grid IQ2_S = new Grid("iq2s_grid");
  static final Grid IQ3_XXS = new Grid("iq3xxs_grid");
  static final Grid IQ3_S = new Grid("iq3s_grid");

  /// Of IQ1_S and IQ1_M.
  static final Grid IQ1 = new Grid("iq1s_grid");

  private final float[] elements;

  private Grid(String name) {
    elements = unpack(line(name));
  }

  /// Returns the elements of all entries, one after the other; not a copy.
  float[] elements() {
    return elements;
  }

  private static String line(String name) {
    try (InputStream in = Grid.class.getResourceAsStream("grids.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(name + " ")) {
          return line;
        }
      }
      throw new IllegalStateException("grids.txt has no " + name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static float[] unpack(String line) {
    String[] field = line.split(" ", -1);
    String[] alphabet = field[1].split(",", -1);
    int bits = Integer.parseInt(field[2]);
    byte[] packed = HexFormat.of().parseHex(field[3]);
    int perByte = 8 / bits;
    float[] unpacked = new float[packed.length * perByte];
    for (int i = 0; i < unpacked.length; i++) {
      int place = packed[i / perByte] >> i % perByte * bits & (1 << bits) - 1;
      unpacked[i] = Float.parseFloat(alphabet[place]);
    }
    return unpacked;
  }
}
