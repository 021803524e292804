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
/// row.
///
/// `grids.txt` holds them packed. A line is a grid's name, its alphabet of magnitudes, the bits of
/// an element and, in hexadecimal, the places of all elements in the alphabet, lowest bits first.
enum Grid {
  IQ2_XXS("iq2xxs_grid", 256 * 8),
  IQ2_XS("iq2xs_grid", 512 * 8),
  IQ2_S("iq2s_grid", 1024 * 8),
  IQ3_XXS("iq3xxs_grid", 256 * 4),
  IQ3_S("iq3s_grid", 512 * 4),
  /// Of IQ1_S and IQ1_M.
  IQ1("iq1s_grid", 2048 * 8);

  private final String label;
  private final int count;
  private float[] elements = {};

  Grid(String label, int count) {
    this.label = label;
    this.count = count;
  }

  /// Returns the elements of all entries, one after the other; not a copy.
  float[] elements() {
    float[] known = elements;
    if (known.length == 0) {
      // Threads that come here at once make the same array.
      known = unpack(line());
      elements = known;
    }
    return known;
  }

  private String line() {
    try (InputStream in = Grid.class.getResourceAsStream("grids.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(label + " ")) {
          return line;
        }
      }
      throw new IllegalStateException("grids.txt has no " + label);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private float[] unpack(String line) {
    String[] field = line.split(" ", -1);
    String[] alphabet = field[1].split(",", -1);
    int bits = Integer.parseInt(field[2]);
    byte[] packed = HexFormat.of().parseHex(field[3]);
    int perByte = 8 / bits;
    float[] unpacked = new float[count];
    for (int i = 0; i < count; i++) {
      int place = packed[i / perByte] >> i % perByte * bits & (1 << bits) - 1;
      unpacked[i] = Float.parseFloat(alphabet[place]);
    }
    return unpacked;
  }
}
