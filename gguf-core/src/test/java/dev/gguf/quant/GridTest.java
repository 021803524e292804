package dev.gguf.quant;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// The grids are those of the format: digests over one byte an element, entry after entry.
class GridTest {
  @Test
  void digests() throws NoSuchAlgorithmException {
    assertThat(sha256(Grid.IQ2_XXS))
        .isEqualTo("05826b5d3e472a3a78f196be62ac78acf81df0f909626e12ab9fa2a5d490dd54");
    assertThat(sha256(Grid.IQ2_XS))
        .isEqualTo("06e47aaca60b4dc1d9b5a3f34540437058a6b142b4d7a59d5ded769b4d1bf1de");
    assertThat(sha256(Grid.IQ2_S))
        .isEqualTo("e1aa1473412b0552c2174c30ef22ab4073f6a181b85a17056e8249bd2932fd88");
    assertThat(sha256(Grid.IQ3_XXS))
        .isEqualTo("46e35f5a997efdee6c99ce57854c8a0d4f0ff8ca57e5e8a60c0793ea580acf5d");
    assertThat(sha256(Grid.IQ3_S))
        .isEqualTo("bd1af4945a1717c65610b0284e4628b9a1ba3b306fae3a06f6e5f597356e349f");
    assertThat(sha256(Grid.IQ1))
        .isEqualTo("07540ffc1aeaf6ad4d97e96b0fcc765aae39671d4ae4a27bbd0e796fde167c6a");
  }

  private static String sha256(Grid grid) throws NoSuchAlgorithmException {
    float[] elements = grid.elements();
    byte[] bytes = new byte[elements.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) elements[i];
    }
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
