package dev.gguf.quant;

import dev.gguf.TensorType;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Which loops decode which type.
final class Decoders {
  private Decoders() {}

  static @Nullable Dequantizer of(TensorType type, ByteOrder order) {
    return switch ((int) type.id()) {
      case 0 -> new ScalarDequantizer(type, order, ScalarDequantizer::f32);
      case 1 -> new ScalarDequantizer(type, order, ScalarDequantizer::f16);
      case 24 -> new ScalarDequantizer(type, order, ScalarDequantizer::i8);
      case 25 -> new ScalarDequantizer(type, order, ScalarDequantizer::i16);
      case 26 -> new ScalarDequantizer(type, order, ScalarDequantizer::i32);
      case 27 -> new ScalarDequantizer(type, order, ScalarDequantizer::i64);
      case 28 -> new ScalarDequantizer(type, order, ScalarDequantizer::f64);
      case 30 -> new ScalarDequantizer(type, order, ScalarDequantizer::bf16);
      case 2 -> new BlockDequantizer(type, order, Legacy::q4x0, 0);
      case 8 -> new BlockDequantizer(type, order, Legacy::q8x0, 0);
      default -> null;
    };
  }
}
